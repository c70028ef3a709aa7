"""Mentions: which entities the text of each entity names, links that nobody had to draw."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import accumulate
from typing import NamedTuple

from fabula.index.lorebook import EntryOwner
from fabula.matching import Matcher

# Texts are searched in batches, because starting a search costs more than most texts take.
READ_TOGETHER = 200_000
# No name continues across an empty line.
_GAP = "\n\n"

BYTES_EACH = 200

Named = tuple[int, int, int, bool]
"""A slot, the span of a term for it in a text, and whether it counts as a name there.

Keywords do not, nor do terms that overlap another name; an entry without an entity has the slot -1.
"""

Find = Callable[[str], Iterable[Named]]


class TextMention(NamedTuple):
    """A span of an entity's text that names another entity."""

    slot: int
    start: int
    end: int


class MentionIndex:
    """For each slot the mentions in its text and the texts that mention it, updated lazily.

    `renamed` holds the slots whose names or keywords may have changed since the texts were searched.
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
        """Mark these texts to be searched again."""
        self._stale.update(slots)

    def mark_around(self, slot: int) -> None:
        """Mark a changed entity: its text and all texts that mention it are to be searched again."""
        self._stale |= {slot, *self._namers.get(slot, ())}

    def named_by(self, slot: int) -> tuple[TextMention, ...]:
        """The mentions in a text, in order, without those of its own entity."""
        self.catch_up()
        return self._named.get(slot, ())

    def namers_of(self, slot: int) -> list[int]:
        """The slots whose texts mention an entity, in order."""
        self.catch_up()
        return sorted(self._namers.get(slot, ()))

    def catch_up(self) -> None:
        """Search the marked texts now instead of at the next query."""
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


def named_in_text(
    names: Matcher, entities: Mapping[str, str | None], slots: Mapping[str, int], text: str
) -> Iterator[Named]:
    """The terms found in a text; of overlapping names the leftmost and then the longest counts.

    A capitalised name does not match a lower-case word: a rose is not Rose.
    """
    place = (0, 0)
    for hit in names.find_all(text):
        span = hit.start, hit.end
        if isinstance(hit.owner, EntryOwner):
            entity_id = entities[hit.owner.entry_id]
            yield -1 if entity_id is None else slots[entity_id], *span, False
            continue
        is_name = not (hit.term[:1].isupper() and text[hit.start].islower())
        if is_name and hit.start >= place[1]:
            place = span
        yield slots[str(hit.owner)], *span, is_name and span == place
