"""The part of a text that matches a query best, with the spans to highlight."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from fabula.index.words import place_of, words
from fabula.matching import fold
from fabula.model.wire import Value

SNIPPET = 160
MARGIN = 20

_Span = tuple[int, int]


class SnippetSpan(Value):
    """A span of a snippet to highlight."""

    start: int
    end: int


class Snippets:
    """Cuts the snippets of texts that match one query."""

    def __init__(self, question: str) -> None:
        self._asked = fold(question).text

    def of(self, text: str) -> tuple[str, tuple[SnippetSpan, ...]]:
        """Return the part of a text that matches the query best, with the spans to highlight."""
        flat = " ".join(text.split())
        marks = list(self._marks(flat))
        best = max((start for start, _ in marks), key=lambda start: _held(marks, start), default=0)
        latest = max(0, len(flat) - SNIPPET)
        begin, end = _between_words(flat, max(0, min(best - MARGIN, latest)), best)
        snippet = flat[begin:end]
        inside = (
            SnippetSpan.trusted(start=first - begin, end=last - begin)
            for first, last in marks
            if begin <= first and last <= begin + len(snippet)
        )
        return snippet, tuple(inside)

    @cached_property
    def _words(self) -> list[str]:
        return list(dict.fromkeys(word.text for word in words(self._asked)))

    def _marks(self, text: str) -> Iterator[_Span]:
        """Yield the spans of the query, or else of its words, in a text, without overlaps."""
        folded = fold(text)
        places = _places(folded.text, self._asked)
        if not places:
            said = (word for word in self._words if place_of(word, folded.text) is not None)
            places = sorted(place for word in said for place in _places(folded.text, word))
        joined: list[list[int]] = []
        for start, end in places:
            if joined and start <= joined[-1][1]:
                joined[-1][1] = max(end, joined[-1][1])
            else:
                joined.append([start, end])
        for start, end in joined:
            yield folded.span(start, end)


def _between_words(text: str, begin: int, mark: int) -> _Span:
    """Return where to cut a snippet, at word boundaries in scripts that use spaces."""
    if begin:
        begin = text.find(" ", begin - 1, mark) + 1 or begin
    end = begin + SNIPPET
    if end < len(text):
        gap = text.rfind(" ", end - MARGIN, end + 1)
        end = gap if gap > 0 else end
    return begin, end


def _held(marks: Iterable[_Span], start: int) -> int:
    return sum(end - first for first, end in marks if start <= first and end <= start + SNIPPET)


def _places(text: str, word: str) -> list[_Span]:
    found, place = [], text.find(word) if word else -1
    while place >= 0:
        found.append((place, place + len(word)))
        place = text.find(word, place + len(word))
    return found
