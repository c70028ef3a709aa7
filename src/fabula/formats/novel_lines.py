"""The non-blank lines of a novel, stored as offsets only."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from typing import NamedTuple

from fabula.errors import InvalidInput
from fabula.formats.novel_headings import NovelHeading, heading_of

MOST_LINES = 4_000_000

_WRITTEN = re.compile(r"\S[^\n]*\n?")


class Line(NamedTuple):
    """A line with its line break, and its span in the text."""

    start: int
    end: int
    text: str

    @property
    def heading(self) -> NovelHeading | None:
        """The line as a possible heading."""
        return heading_of(self.text)


class Lines:
    """A range of consecutive lines, with the blank ones before, between and after them."""

    def __init__(
        self, text: str, start: int, end: int, starts: array[int], ends: array[int], first: int, after: int
    ) -> None:
        self._text, self.start, self.end = text, start, end
        self._starts, self._ends = starts, ends
        self._first, self._after = first, after

    @classmethod
    def of(cls, text: str, start: int, end: int) -> Lines:
        """The lines of a span of the text; InvalidInput if there are too many."""
        starts, ends = array("I"), array("I")
        before = start
        for found in _WRITTEN.finditer(text, start, end):
            starts.append(max(before, text.rfind("\n", before, found.start()) + 1))
            before = found.end()
            ends.append(before)
            if len(ends) > MOST_LINES:
                raise too_many("lines", MOST_LINES)
        return cls(text, start, end, starts, ends, 0, len(starts))

    def __len__(self) -> int:
        return self._after - self._first

    def __getitem__(self, number: int) -> Line:
        start, end = self._starts[self._first + number], self._ends[self._first + number]
        return Line(start, end, self._text[start:end])

    def __iter__(self) -> Iterator[Line]:
        text, own = self._text, slice(self._first, self._after)
        for start, end in zip(memoryview(self._starts)[own], memoryview(self._ends)[own], strict=True):
            yield Line(start, end, text[start:end])

    def between(self, first: int, after: int) -> Lines:
        """The lines in a range, with the blank lines before and after them."""
        start = self._ends[self._first + first - 1] if first else self.start
        end = self._starts[self._first + after] if after < len(self) else self.end
        places = (self._starts, self._ends, self._first + first, self._first + after)
        return Lines(self._text, start, end, *places)

    def gap(self, number: int) -> int:
        """The number of blank lines before a line."""
        before = self._ends[self._first + number - 1] if number else self.start
        return self._text.count("\n", before, self._starts[self._first + number])

    def heading(self, number: int) -> NovelHeading:
        """The heading on a line known to be one."""
        found = self[number].heading
        assert found is not None
        return found


def too_many(what: str, limit: int) -> InvalidInput:
    """The error for a text that is larger than any novel."""
    return InvalidInput(
        f"The text has more than {limit:,} {what}: it is not a novel, or more than one.",
        details={"reason": f"too_many_{what}", "limit": limit},
        suggestion="Import it as several files, or remove lines that only look like headings and breaks.",
    )
