"""Sentences of a marked text: who is named in each, and what is spoken rather than told."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from fabula.consistency.marked import MarkedText, is_mark

_SENTENCE = re.compile(
    r"[^.!?;。！？；\n]*(?:(?<=\bMr)\.|(?<=\bMrs)\.|(?<=\bDr)\.|(?<=\bSt)\.|[.!?;。！？；\n]+|$)"
    r"(?:(?<=[MD]r\.)[^.!?;\n]*[.!?;\n]*)?[”’」』\"]*"
)
_SPOKEN = re.compile(r"“[^”\n]*”?|「[^」\n]*」?|『[^』\n]*』?|\"[^\"\n]*\"")


class MarkedClause(NamedTuple):
    """A sentence of a marked text, with the one person whom the sentence before it names."""

    start: int
    end: int
    text: str
    topic: str


class Telling:
    """A marked text as sentences."""

    def __init__(self, marked: MarkedText) -> None:
        self.marked = marked
        self._spoken = [found.span() for found in _SPOKEN.finditer(marked.marked)]
        self._starts = [start for start, _ in self._spoken]

    def is_spoken(self, place: int) -> bool:
        """Whether a place of the marked text is inside quotation marks."""
        before = bisect_right(self._starts, place) - 1
        return before >= 0 and place < self._spoken[before][1]

    def sentences(self) -> Iterator[MarkedClause]:
        """Yield the sentences; a paragraph starts without a topic."""
        topic, text = "", self.marked.marked
        for found in _SENTENCE.finditer(text):
            if found.start() == found.end():
                continue
            yield MarkedClause(found.start(), found.end(), found[0], topic)
            named = set(filter(is_mark, found[0]))
            if len(named) == 1:
                topic = self.marked.who(named.pop())
            elif named or "\n" in found[0]:
                topic = ""


def people_in(marked: MarkedText, text: str) -> list[str]:
    """Return who is named in a part of a marked text, each once, in order."""
    return list(dict.fromkeys(marked.who(one) for one in text if is_mark(one)))
