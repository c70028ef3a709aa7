"""Whose texts name whom: the links that nobody had to draw."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate
from typing import NamedTuple

# Texts are read together, because starting a search costs more than most of them take.
READ_TOGETHER = 200_000

Named = tuple[int, int, int]
"""A slot, and where in a text its name begins and ends."""

Find = Callable[[str], Iterable[Named]]


class Mention(NamedTuple):
    """A place in somebody's text where another is named."""

    slot: int
    start: int
    end: int


class Mentions:
    """For each slot whom its text names and whose texts name it; what has changed is read when asked."""

    def __init__(self, texts: Callable[[int], str], find: Find) -> None:
        self._texts, self._find = texts, find
        self._named: dict[int, tuple[Mention, ...]] = {}
        self._namers: dict[int, set[int]] = {}
        self._stale: set[int] = set()

    def mark(self, slots: Iterable[int]) -> None:
        """Say that these texts, or names in them, have changed."""
        self._stale.update(slots)

    def mark_around(self, slot: int) -> None:
        """Say that somebody has changed: their text is to be read again, and all that named them."""
        self._stale |= {slot, *self._namers.get(slot, ())}

    def named_by(self, slot: int) -> tuple[Mention, ...]:
        """Whom a text names, in its order; the text itself is not looked at for its own name."""
        self._catch_up()
        return self._named.get(slot, ())

    def namers_of(self, slot: int) -> list[int]:
        """Whose texts name somebody, in the order of their slots."""
        self._catch_up()
        return sorted(self._namers.get(slot, ()))

    def _catch_up(self) -> None:
        if not self._stale:
            return
        for slot in self._stale:
            for mention in self._named.pop(slot, ()):
                self._namers[mention.slot].discard(slot)
        for slot, own in self._read(sorted(self._stale)):
            self._named[slot] = own
            for mention in own:
                self._namers.setdefault(mention.slot, set()).add(slot)
        self._stale.clear()

    def _read(self, slots: Iterable[int]) -> Iterator[tuple[int, tuple[Mention, ...]]]:
        for batch in _batches((slot, self._texts(slot)) for slot in slots):
            begins = [0, *accumulate(len(text) + 1 for _, text in batch)]
            found: dict[int, list[Mention]] = {}
            for peer, start, end in self._find("\n".join(text for _, text in batch)):
                place = bisect_right(begins, start) - 1
                if peer != batch[place][0]:
                    own = found.setdefault(place, [])
                    own.append(Mention(peer, start - begins[place], end - begins[place]))
            for place, own in found.items():
                yield batch[place][0], tuple(own)


def _batches(texts: Iterable[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    batch: list[tuple[int, str]] = []
    size = 0
    for slot, text in texts:
        batch.append((slot, text))
        size += len(text)
        if size >= READ_TOGETHER:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
