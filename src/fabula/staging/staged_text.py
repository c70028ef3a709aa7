"""A text in which each name is one character, so that a rule about people is a short pattern."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterable
from typing import Generic, TypeVar

from fabula.staging.on_stage import NamedAt

Who = TypeVar("Who", bound=Hashable)

_FIRST, _LAST = 0xE000, 0xF8FF
# One name, several names joined by commas and conjunctions, and what joins them.
NAME = f"[{chr(_FIRST)}-{chr(_LAST)}]"
_JOINED = r"(?:\s*(?:,\s*and\b|，|,|、|&|\band\b|\bwith\b|和|与|及|同|跟)\s*)"
NAMES = f"{NAME}(?:{_JOINED}{NAME})*"


class StagedText(Generic[Who]):
    """The people whom a text names, and any part of it with their names as single characters."""

    def __init__(self, text: str, namings: Iterable[NamedAt[Who]]) -> None:
        self.text = text
        self._spans: list[tuple[int, int, Who]] = []
        end = 0
        # A name inside a longer one is not named by itself, and one that several people share is nobody's.
        for one in sorted(namings, key=lambda one: (one.start, -one.end)):
            if one.start >= end and one.share == 1:
                self._spans.append((one.start, one.end, one.who))
                end = one.end
        self._starts = [start for start, _, _ in self._spans]
        everybody = list(dict.fromkeys(who for _, _, who in self._spans))[: _LAST - _FIRST]
        self.everybody = everybody
        self._letters = {who: chr(_FIRST + place) for place, who in enumerate(everybody)}
        self._people = dict(zip(self._letters.values(), everybody, strict=False))

    def part(self, start: int, end: int) -> str:
        """What stands between two offsets, with the names as single characters."""
        parts, last = [], start
        for place in range(bisect_left(self._starts, start), len(self._spans)):
            own, till, who = self._spans[place]
            if till > end:
                break
            if who in self._letters:
                parts += [self.text[last:own], self._letters[who]]
                last = till
        return "".join((*parts, self.text[last:end]))

    def within(self, start: int, end: int) -> list[tuple[int, int, Who]]:
        """The namings between two offsets."""
        first = bisect_left(self._starts, start)
        return [span for span in self._spans[first : bisect_left(self._starts, end)] if span[1] <= end]

    def people(self, part: str) -> list[Who]:
        """Who is named in such a part, in order."""
        return list(dict.fromkeys(self._people[letter] for letter in part if letter in self._people))

    def letter(self, who: Who) -> str:
        """The character that stands for somebody."""
        return self._letters[who]
