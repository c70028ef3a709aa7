"""Where sentences end, in Chinese and in English."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_CLOSERS = "」』”’）】》〉)\\]\"'"
_END = re.compile(
    rf"[。！？…]+[{_CLOSERS}！？]*"
    rf"|[!?]+[{_CLOSERS}]*(?=\s|\Z|[\u3000-\u9fff\uff00-\uffef])"
    rf"|(?P<stop>\.+)[{_CLOSERS}]*(?=\s|\Z|[\u3000-\u9fff])"
    r"|\n+"
)
_LAST_WORD = re.compile(r"[\w.]+\Z")
_NEXT_LETTER = re.compile(r"\s*(\S?)")
_ABBREVIATIONS_WORDS = """
    mr mrs ms mx dr prof st sr jr rev hon capt cpt col gen lt sgt maj adm gov pres mt ft vs cf eg
    ie e.g i.e no nos vol ch pp fig ca approx dept est inc ltd co corp messrs mme mlle a.m p.m
"""
_ABBREVIATIONS = frozenset(_ABBREVIATIONS_WORDS.split())


def sentence_ends(text: str, limit: int | None = None) -> Iterator[int]:
    """The places right after each sentence, closing quotes included, up to the place `limit`."""
    stop = len(text) if limit is None else limit
    # What closes a sentence may stand beyond the limit, and then the sentence ends beyond it too.
    for found in _END.finditer(text, 0, min(len(text), stop + 64)):
        if found.end() > stop:
            return
        if found["stop"] is None or _ends_with_stop(text, found):
            yield found.end()


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """The spans of the sentences, which together are the text."""
    start = 0
    for end in sentence_ends(text):
        yield start, end
        start = end
    if start < len(text):
        yield start, len(text)


def touched_sentences(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The spans of the sentences that one of the given spans touches."""
    given = [(start, max(end, start + 1)) for start, end in spans]
    for start, end in sentences(text):
        if any(start < last and first < end for first, last in given):
            yield start, end


def without(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """The text without every sentence that one of the spans touches."""
    hidden = tuple(spans)
    if not hidden:
        return text
    touched = set(touched_sentences(text, hidden))
    kept = []
    for start, end in sentences(text):
        sentence = text[start:end]
        if (start, end) not in touched:
            kept.append(sentence)
        elif sentence.rstrip(" ").endswith("\n"):
            # The line ends here all the same, or the next one would stick to the one before.
            kept.append("\n")
    return "".join(kept).strip()


def _ends_with_stop(text: str, found: re.Match[str]) -> bool:
    """Whether a full stop ends a sentence, rather than an abbreviation, an initial or a pause."""
    after = _NEXT_LETTER.match(text, found.end())
    if after is not None and after[1].islower():
        return False
    if len(found["stop"]) > 1:
        return True
    before = _LAST_WORD.search(text, max(0, found.start() - 24), found.start())
    if before is None:
        return True
    word = before[0]
    if len(word) == 1 and word.isalpha() and word.isupper() and word != "I":
        return False
    return word.lower() not in _ABBREVIATIONS
