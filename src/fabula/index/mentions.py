"""Whose texts name whom: the links that nobody had to draw."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate, chain
from typing import NamedTuple

# Texts are read together, because starting a search costs more than most of them take.
READ_TOGETHER = 200_000
# No name goes on after an empty line.
_GAP = "\n\n"

BYTES_EACH = 200

Named = tuple[int, int, int, bool]
"""A slot, where in a text a word for it begins and ends, and whether it is the name that stands there.

Keywords are no names, nor is what another name covers or crosses; an entry of nobody has the slot -1.
"""

Find = Callable[[str], Iterable[Named]]


class TextMention(NamedTuple):
    """A place in somebody's text where another is named."""

    slot: int
    start: int
    end: int


class MentionIndex:
    """For each slot whom its text names and whose texts name it; what has changed is read when asked.

    `renamed` are those who may have got other names or keywords since texts were read.
    """

    def __init__(self, texts: Callable[[int], str], find: Find) -> None:
        self.renamed: set[int] = set()
        self._texts, self._find = texts, find
        self._named: dict[int, tuple[TextMention, ...]] = {}
        self._besides: dict[int, tuple[int, ...]] = {}
        self._namers: dict[int, set[int]] = {}
        self._stale: set[int] = set()

    @property
    def weight(self) -> int:
        """About how many bytes of memory it takes."""
        return (len(self._named) + len(self._besides) + len(self._namers)) * BYTES_EACH

    def mark(self, slots: Iterable[int]) -> None:
        """Say that these texts, or names in them, have changed."""
        self._stale.update(slots)

    def mark_around(self, slot: int) -> None:
        """Say that somebody has changed: their text is to be read again, and all that named them."""
        self._stale |= {slot, *self._namers.get(slot, ())}

    def named_by(self, slot: int) -> tuple[TextMention, ...]:
        """Whom a text names, in its order; the text itself is not looked at for its own name."""
        self.catch_up()
        return self._named.get(slot, ())

    def speaks_of(self, slot: int) -> Iterator[int]:
        """Everybody for whom there is a word in a text, named or not, but for those renamed since."""
        self.catch_up()
        return chain((mention.slot for mention in self._named.get(slot, ())), self._besides.get(slot, ()))

    def namers_of(self, slot: int) -> list[int]:
        """Whose texts name somebody, in the order of their slots."""
        self.catch_up()
        return sorted(self._namers.get(slot, ()))

    def catch_up(self) -> None:
        """Read what has changed, which the next question would otherwise do first."""
        if not self._stale:
            return
        for slot in self._stale:
            for mention in self._named.pop(slot, ()):
                self._namers[mention.slot].discard(slot)
            self._besides.pop(slot, None)
        for batch in _batches((slot, self._texts(slot)) for slot in sorted(self._stale)):
            self._read(batch)
        self._stale.clear()

    def _read(self, batch: list[tuple[int, str]]) -> None:
        begins = [0, *accumulate(len(text) + len(_GAP) for _, text in batch)]
        named: dict[int, list[TextMention]] = {}
        besides: dict[int, set[int]] = {}
        for peer, start, end, is_name in self._find(_GAP.join(text for _, text in batch)):
            place = bisect_right(begins, start) - 1
            slot = batch[place][0]
            if peer == slot:
                continue
            if is_name:
                named.setdefault(slot, []).append(
                    TextMention(peer, start - begins[place], end - begins[place])
                )
                self._namers.setdefault(peer, set()).add(slot)
            else:
                besides.setdefault(slot, set()).add(peer)
        self._named.update((slot, tuple(own)) for slot, own in named.items())
        self._besides.update((slot, tuple(others)) for slot, others in besides.items())


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
