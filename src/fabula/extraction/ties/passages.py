"""Cuts a text into sentences, with its names as marks."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

from fabula.extraction.mentions import FoundMention
from fabula.extraction.ties.sentence import MARKS, MOST_MARKS, MarkedSentence
from fabula.extraction.ties.speech import Dialogue, Exchange
from fabula.matching import closed_up, fold
from fabula.model.relation import Language

_PARTS: dict[Language, re.Pattern[str]] = {
    "zh": re.compile(r"[^。！？!?\n“”「」『』]*(?:[。！？!?\n“”「」『』]|\Z)"),
    # A line may be wrapped inside a sentence; an empty line ends it.
    "en": re.compile(
        r"(?:[^.!?\n“”\"]|\n(?!\s*\n)|(?<=\b[A-Z])\.|(?<=\b[A-Z][a-z])\.|"
        r"(?<=\b(?:Mrs|Mme|Rev|Col|Gen|Maj|Sgt|Hon|Esq))\.|(?<=\b(?:Mlle|Prof|Capt))\.)*(?:[.!?\n“”\"]|\Z)"
    ),
}
# He was a tall man: a sentence without a name that says who the one named before is.
_OF_HIM = re.compile(r"\s*(?:He|She)\s+(?:was|had\s+been)\s+(?:an?|the|one)\b")
_PUNCTUATION = str.maketrans(",:;!?()", "，：；！？（）")


class Passages:
    """The sentences of a text that name somebody or something, or say who he is; `mentions` are in order."""

    def __init__(
        self,
        text: str,
        mentions: Sequence[FoundMention],
        language: Language,
        sexes: Mapping[str, str],
    ) -> None:
        self._text, self._mentions, self._language = text, mentions, language
        self._starts = [mention.start for mention in mentions]
        self.sexes = sexes
        self._speech = Dialogue(text, mentions, self._starts, language)

    @property
    def exchanges(self) -> list[Exchange]:
        """Who answered whom in the sentences read so far."""
        return self._speech.exchanges

    def __iter__(self) -> Iterator[MarkedSentence]:
        for found in _PARTS[self._language].finditer(self._text):
            start, end = found.span()
            if start == end:
                continue
            first, last = bisect_left(self._starts, start), bisect_left(self._starts, end)
            own = tuple(one for one in self._mentions[first:last] if one.end <= end)[:MOST_MARKS]
            marked = self._marked(start, end, own) if own else ""
            sentence = MarkedSentence(start, end, marked, own, sexes=self.sexes)
            if own:
                yield self._speech.placed(sentence)
            elif self._language == "en" and self._speech.has_topics and _OF_HIM.match(self._text, start, end):
                yield self._speech.placed(sentence._replace(marked=self._plain(start, end)))
            self._speech.note(sentence)

    def _marked(self, start: int, end: int, mentions: Sequence[FoundMention]) -> str:
        pieces, done = [], start
        for number, mention in enumerate(mentions):
            pieces.append(self._plain(done, mention.start))
            pieces.append(chr(MARKS.get(mention.type, MARKS["item"]) + number))
            done = mention.end
        pieces.append(self._plain(done, end))
        return "".join(pieces)

    def _plain(self, start: int, end: int) -> str:
        text = self._text[start:end]
        if self._language == "en" or not text:
            return text
        folded = fold(text, simplify=True, keep_case=True).text.translate(_PUNCTUATION)
        # A blank beside a name or inside a word says nothing in Chinese.
        return closed_up(folded).strip(" \t\u3000\xa0")
