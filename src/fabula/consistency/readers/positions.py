"""Where the people of a text are: Anna was in Moscow, 宝玉来到大观园."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fabula.consistency.marked import NAMES, MarkedText
from fabula.consistency.readers.sentences import Telling
from fabula.consistency.reading import Assertion, KnownPeople

_EN = re.compile(
    rf"(?P<p>[{NAMES}])\s+(?:[a-z]+ly\s+|still\s+|now\s+|already\s+)?(?:"
    rf"(?:was|were|is|sat|stood|lay|waited|slept|stayed|remained|lived|walked|dined)(?:\s+[a-z]+)?\s+(?:in|at|on|inside)"
    rf"|(?:arrived|landed)\s+(?:in|at)|(?:reached|entered)|(?:came|returned)\s+to)\s+(?:the\s+)?"
)
_ZH = re.compile(
    rf"(?P<p>[{NAMES}])[^{NAMES}，。！？；：“”\s的和与同跟说道见听问给对向让叫]{{0,4}}?"
    rf"(?:正在|在|来到了?|到了|到达了?|抵达了?|回到了?|走进了?|进了|住在|坐在|站在|躺在|留在|守在|身在)"
)
_NOT = re.compile(
    r"\b(?:not|never|if|would|might|could|should|dream\w*|imagin\w*|remember\w*|had|once)\b|[不没未若如梦曾想]"
)


def positions(text: MarkedText, cast: KnownPeople) -> Iterator[Assertion]:
    """Yield the known place where somebody is, as `place`, outside of speech and memories."""
    if not cast.places:
        return
    telling, marked = Telling(text), text.marked
    pattern = _ZH if cast.language == "zh" else _EN
    for sentence in telling.sentences():
        for found in pattern.finditer(sentence.text):
            start = sentence.start + found.end()
            name = _place_at(marked, start, cast)
            if name is None or telling.is_spoken(start) or _NOT.search(sentence.text[: found.end()]):
                continue
            begin, end = text.origin(start), text.origin(start + len(name))
            yield Assertion("place", text.who(found["p"]), cast.places[name], begin, end)


def _place_at(text: str, start: int, cast: KnownPeople) -> str | None:
    """The longest name of a place that begins here, as a whole word."""
    for length in range(min(cast.longest_place, len(text) - start), 0, -1):
        name = text[start : start + length]
        if name in cast.places:
            after = text[start + length : start + length + 1]
            if not (name[-1].isascii() and after.isalpha() and after.isascii()):
                return name
    return None
