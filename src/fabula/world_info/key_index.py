"""The keys of many entries in one automaton, which finds all of them in one pass over a text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ahocorasick_rs import AhoCorasick, MatchKind

from fabula.matching.automaton import too_deep
from fabula.world_info.loose import has_blank, trimmed, whole
from fabula.world_info.patterns.pattern import pattern_of
from fabula.world_info.text import (
    JOINER,
    MARK,
    ScannedPiece,
    can_span,
    folded,
    is_inside,
    one_sigma,
    stands_alone,
)

Hits = dict[int, dict[int, bool]]


class KeyInIndex(NamedTuple):
    """A key as it is looked for, and its number in the automaton; None if only the text itself can tell."""

    needle: str
    number: int | None
    has_blank: bool


class KeyIndex:
    """Finds the entries whose keys may be in a text.

    `always` are the entries that have to be looked at whatever the text says: a blank key, a pattern without
    a text that it needs, and the few keys that the automaton cannot hold.
    """

    def __init__(self, entries: Iterable[tuple[int, tuple[str, ...]]]) -> None:
        self.keys: dict[int, tuple[str, ...]] = {}
        self.always: set[int] = set()
        owners: dict[str, int | list[int]] = {}
        for index, keys in entries:
            self.keys[index] = keys
            for key in keys:
                if not key:
                    continue
                needles = _needles(key)
                if not needles:
                    self.always.add(index)
                for needle in needles:
                    known = owners.get(needle)
                    if known is None:
                        owners[needle] = index
                    elif isinstance(known, list):
                        known.append(index)
                    else:
                        owners[needle] = [known, index]
        for needle in [*too_deep(owners), *filter(_is_broken, owners)]:
            deep = owners.pop(needle, [])
            self.always.update(deep if isinstance(deep, list) else (deep,))
        self._numbers = {needle: number for number, needle in enumerate(owners)}
        self._looked_up: dict[str, KeyInIndex] = {}
        self._owners = list(owners.values())
        self._search = (
            AhoCorasick(owners, matchkind=MatchKind.Standard, store_patterns=False) if owners else None
        )

    def look_up(self, key: str) -> KeyInIndex:
        """How to find a key in a text; remembered, as the same entries fire again and again."""
        known = self._looked_up.get(key)
        if known is None:
            needle = trimmed(key)
            lowered = folded(needle)
            is_pattern = needle.startswith("/") and pattern_of(needle) is not None
            number = None if is_pattern or "σ" in lowered else self._numbers.get(lowered)
            known = self._looked_up[key] = KeyInIndex(needle, number, has_blank(needle))
        return known

    def read(self, pieces: Sequence[ScannedPiece], hits: Hits) -> set[int]:
        """Add where needles were found in new pieces to `hits`: by needle and piece, and whether as a word.

        Returns the entries that these needles belong to.
        """
        found: set[int] = set()
        if self._search is None or not pieces:
            return found
        lowered = [one_sigma(piece.lower) for piece in pieces]
        starts = []
        end = 0
        for text in lowered:
            starts.append(end)
            end += len(text) + len(JOINER)
        text = MARK + JOINER.join(lowered)
        try:
            found_at = self._search.find_matches_as_indexes(text, overlapping=True)
        except UnicodeEncodeError:
            text = whole(text)
            found_at = self._search.find_matches_as_indexes(text, overlapping=True)
        owners = self._owners
        single = len(pieces) == 1
        first = pieces[0].number
        for needle, start, end in found_at:
            alone = stands_alone(text, start, end)
            place = first if single else pieces[bisect_right(starts, start - 1) - 1].number
            places = hits.get(needle)
            if places is None:
                hits[needle] = {place: alone}
                owner = owners[needle]
                if isinstance(owner, list):
                    found.update(owner)
                else:
                    found.add(owner)
            elif alone or place not in places:
                places[place] = alone
        return found


def _needles(key: str) -> tuple[str, ...]:
    """What the automaton looks for on behalf of a key; nothing if it cannot tell."""
    needle = trimmed(key)
    if needle.startswith("/"):
        pattern = pattern_of(needle)
        if pattern is not None:
            literals = pattern.literals
            return literals if all(map(is_inside, literals)) else ()
    return () if not needle or can_span(needle) else (folded(needle),)


def _is_broken(needle: str) -> bool:
    return not needle.isascii() and whole(needle) != needle
