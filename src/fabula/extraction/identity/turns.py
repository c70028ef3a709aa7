"""The turns of a dialogue: who speaks, and whom they call by name."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fabula.extraction.mentions import FoundMention
from fabula.model.relation import Language
from fabula.staging.dialogue import SPEECH_VERBS

# Before the quotation: the clauses since the last full stop. After it: the clause that says who spoke.
_BEFORE, _AFTER = 60, 40
_QUOTATION = re.compile(r"[“「『](?:[^“”「」『』]|\n(?!\n)){0,1500}?(?:[”」』]|\n\n|\Z)")
_STRAIGHT = re.compile(r'"[^"]{1,1500}?(?:"|\n\n)')
_SENTENCE_END = re.compile(r"[。！？!?…”」』\n\u3000]")
_SPEECH_ZH = re.compile(r"[道曰说說问問答云喊叫骂罵][道：:，,]?\s*\Z")
_SAID_ZH = re.compile(r"[^，。！？“”「\n]{0,5}?[道说說问問答喊叫曰][^“”「\n：:]{0,4}?[。，！？]")
_CALLED_ZH = re.compile(r"[，！？、。…,!?]")
_VERB_EN = f"(?:{SPEECH_VERBS})"
_SAID_EN = re.compile(rf"[\s,—-]*{_VERB_EN}\s+\Z")
_SAYS_EN = re.compile(rf"\s+(?:\w+ly\s+)?{_VERB_EN}\b")
_SAID_I = re.compile(rf"[\s,—-]*(?:I\s+{_VERB_EN}|{_VERB_EN}\s+I)\b")
_CALLED_EN = re.compile(r"[,!?.—;]")
# Words before a name in an address: "My dear Jane," and 好姐姐.
_DEAR = re.compile(
    r"[“\"\s]*(?:(?:oh|ah|well|yes|no|why|now|but|and|come|my|dear|dearest|poor|good|old|little)[,!]?\s+){0,4}\Z",
    re.IGNORECASE,
)
# The narrator in the first person.
NARRATOR = "I"


class SpeechTurn(NamedTuple):
    """A quotation: its span, who speaks if that is said, and whom they address by name."""

    start: int
    end: int
    speaker: str | None
    addressed: str | None


def turns_of(text: str, mentions: Sequence[FoundMention], language: Language) -> list[SpeechTurn]:
    """The quotations of a text in order."""
    starts = [mention.start for mention in mentions]
    heard = _chinese if language == "zh" else _english
    return list(heard(text, mentions, starts))


def _chinese(text: str, mentions: Sequence[FoundMention], starts: list[int]) -> Iterator[SpeechTurn]:
    for found in _QUOTATION.finditer(text):
        start, end = found.span()
        speaker = None
        if text[start - 1 : start] in ("：", ":"):
            speaker = _announced(text, mentions, starts, start)
        else:
            after = _at(mentions, starts, end)
            if after is not None and _SAID_ZH.match(text, after.end):
                speaker = after.text
        first = _at(mentions, starts, start + 1)
        is_called = first is not None and _CALLED_ZH.match(text, first.end) is not None
        yield SpeechTurn(start, end, speaker, first.text if first is not None and is_called else None)


def _announced(text: str, mentions: Sequence[FoundMention], starts: list[int], place: int) -> str | None:
    """Who is said to speak next: the first name of the sentence before a colon, if it ends with speech."""
    if not _SPEECH_ZH.search(text, max(0, place - 6), place - 1):
        return None
    begin = max(0, place - _BEFORE)
    for ending in _SENTENCE_END.finditer(text, begin, place):
        begin = ending.end()
    index = bisect_left(starts, begin)
    if index == len(mentions) or mentions[index].start >= place or mentions[index].type != "character":
        return None
    # 只见宝玉笑道: two characters may precede the name, but no other clause.
    return mentions[index].text if mentions[index].start - begin <= 3 else None


def _english(text: str, mentions: Sequence[FoundMention], starts: list[int]) -> Iterator[SpeechTurn]:
    quotations = _STRAIGHT if text.count('"') > text.count("“") else _QUOTATION
    for found in quotations.finditer(text):
        start, end = found.span()
        speaker = None
        index = bisect_left(starts, end)
        if _SAID_I.match(text, end):
            speaker = NARRATOR
        elif index < len(mentions) and mentions[index].start - end <= _AFTER:
            between = text[end : mentions[index].start]
            if _SAID_EN.fullmatch(between) or (
                not between.strip() and _SAYS_EN.match(text, mentions[index].end)
            ):
                speaker = mentions[index].text
        yield SpeechTurn(start, end, speaker, _called_in_english(text, mentions, starts, start))


def _called_in_english(
    text: str, mentions: Sequence[FoundMention], starts: list[int], place: int
) -> str | None:
    index = bisect_left(starts, place)
    if index == len(mentions) or mentions[index].start - place > _AFTER:
        return None
    first = mentions[index]
    if not _DEAR.fullmatch(text, place, first.start) or not _CALLED_EN.match(text, first.end):
        return None
    return first.text


def _at(mentions: Sequence[FoundMention], starts: list[int], place: int) -> FoundMention | None:
    index = bisect_left(starts, place)
    return mentions[index] if index < len(mentions) and mentions[index].start == place else None
