"""The lines of a novel, of which only the places are kept: a text of nothing but line ends has many."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple, overload

from fabula.formats.novel_headings import Heading, heading_of

_LINE_END = re.compile("\n")


class Line(NamedTuple):
    """One line with its end, and where in the text it stands."""

    start: int
    end: int
    text: str

    @property
    def is_blank(self) -> bool:
        """Whether nothing is written on it."""
        return self.text == "\n" or not self.text.strip()

    @property
    def heading(self) -> Heading | None:
        """The heading that the line may be."""
        return heading_of(self.text)


class Lines:
    """Lines that follow one another."""

    def __init__(self, text: str, places: array[int], first: int, after: int) -> None:
        self._text, self._places = text, places
        self._first, self._after = first, after

    @classmethod
    def of(cls, text: str, start: int, end: int) -> Lines:
        """The lines of a part of a text."""
        places = array("I", [start])
        places.extend(found.end() for found in _LINE_END.finditer(text, start, end))
        if places[-1] != end:
            places.append(end)
        return cls(text, places, 0, len(places) - 1)

    def __len__(self) -> int:
        return self._after - self._first

    @overload
    def __getitem__(self, key: int) -> Line: ...

    @overload
    def __getitem__(self, key: slice) -> Lines: ...

    def __getitem__(self, key: int | slice) -> Line | Lines:
        if isinstance(key, slice):
            first, after, _ = key.indices(len(self))
            return Lines(self._text, self._places, self._first + first, self._first + max(first, after))
        number = range(self._first, self._after)[key]
        start, end = self._places[number], self._places[number + 1]
        return Line(start, end, self._text[start:end])

    def __iter__(self) -> Iterator[Line]:
        text = self._text
        for start, end in pairwise(memoryview(self._places)[self._first : self._after + 1]):
            yield Line(start, end, text[start:end])

    def heading(self, number: int) -> Heading:
        """The heading on a line that is one."""
        found = self[number].heading
        assert found is not None
        return found
