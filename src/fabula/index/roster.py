"""The entities of a story, each with a slot number and the fields that queries need."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection

import numpy as np
from numpy.typing import NDArray

from fabula.model.level import AiContextLevel, may_be_told
from fabula.model.moment import FOREVER

BYTES_EACH = 150


class Roster:
    """Entities by slot, the small number that identifies an entity in all parts of the index."""

    def __init__(self) -> None:
        self.slot_of: dict[str, int] = {}
        self.ids: list[str] = []
        self.levels: list[AiContextLevel] = []
        self.significance = array("d")
        self.since = array("q")
        self.until = array("q")
        self.always: set[str] = set()
        self._unasked = bytearray()
        self._held = bytearray()
        self._bounded: set[str] = set()

    def __len__(self) -> int:
        return len(self.slot_of)

    @property
    def weight(self) -> int:
        """About how many bytes of memory it takes."""
        return len(self.ids) * BYTES_EACH

    @property
    def stale_share(self) -> float:
        """The share of slots that belong to deleted entities."""
        return 1 - len(self.slot_of) / len(self.ids) if self.ids else 0.0

    def put(
        self,
        entity_id: str,
        level: AiContextLevel,
        significance: float,
        since: int = -1,
        until: int = FOREVER,
    ) -> int:
        """Add or update an entity and return its slot."""
        slot = self.slot_of.get(entity_id)
        unasked = may_be_told(level, named=False)
        if slot is None:
            slot = self.slot_of[entity_id] = len(self.ids)
            self.ids.append(entity_id)
            self.levels.append(level)
            self.significance.append(significance)
            self.since.append(since)
            self.until.append(until)
            self._unasked.append(unasked)
            self._held.append(True)
        else:
            self.levels[slot] = level
            self.significance[slot] = significance
            self.since[slot] = since
            self.until[slot] = until
            self._unasked[slot] = unasked
        for members, belongs in (
            (self.always, level is AiContextLevel.ALWAYS),
            (self._bounded, since >= 0 or until < FOREVER),
        ):
            if belongs:
                members.add(entity_id)
            else:
                members.discard(entity_id)
        return slot

    def drop(self, entity_id: str) -> int | None:
        """Remove an entity and return its slot, which is never reused."""
        slot = self.slot_of.pop(entity_id, None)
        if slot is not None:
            self._unasked[slot] = self._held[slot] = False
            self.always.discard(entity_id)
            self._bounded.discard(entity_id)
        return slot

    def has_secrets(self) -> bool:
        """Whether any entity is hidden from models, always or at some moments."""
        return bool(self._bounded) or 0 in self._unasked

    def may_be_hidden(self, entity_id: str) -> bool:
        """Whether an entity is hidden from models, always or at some moments."""
        slot = self.slot_of.get(entity_id)
        return slot is not None and (not self._unasked[slot] or entity_id in self._bounded)

    def is_present(self, slot: int, instant: int | None) -> bool:
        """Whether an entity is part of the story at an instant."""
        return instant is None or self.since[slot] <= instant <= self.until[slot]

    def may_be_told(self, slot: int, *, named: bool, instant: int | None) -> bool:
        """Whether a model may be told about an entity at an instant."""
        return may_be_told(self.levels[slot], named=named) and self.is_present(slot, instant)

    def tellable_predicate(self, named: Collection[int], instant: int | None) -> Callable[[int], bool]:
        """`may_be_told` as a fast predicate on slots, for a call that names some slots and checks many."""
        unasked, since, until = self._unasked, self.since, self.until
        open_if_named = {slot for slot in named if may_be_told(self.levels[slot], named=True)}
        if instant is None:
            return lambda slot: bool(unasked[slot]) or slot in open_if_named

        def told(slot: int) -> bool:
            return bool(unasked[slot] or slot in open_if_named) and since[slot] <= instant <= until[slot]

        return told

    def present_at(self, instant: int | None) -> NDArray[np.bool_]:
        """Which slots hold entities that are part of the story at an instant."""
        present = np.frombuffer(bytes(self._held), dtype=np.bool_).copy()
        if instant is not None and self._bounded:
            present &= np.frombuffer(self.since, np.int64) <= instant
            present &= np.frombuffer(self.until, np.int64) >= instant
        return present

    def tellable_at(self, named: Collection[int], instant: int | None) -> NDArray[np.bool_]:
        """Which slots a model may be told about at an instant, if the call names some of them."""
        told = np.frombuffer(bytes(self._unasked), dtype=np.bool_).copy()
        told[[slot for slot in named if may_be_told(self.levels[slot], named=True)]] = True
        if instant is not None and self._bounded:
            told &= np.frombuffer(self.since, np.int64) <= instant
            told &= np.frombuffer(self.until, np.int64) >= instant
        return told

    def tellable(self, chosen: Collection[int] | None) -> NDArray[np.bool_]:
        """Which slots a model may be told about; with `chosen`, only these, and they count as named."""
        if chosen is None:
            return np.frombuffer(bytes(self._unasked), dtype=np.bool_)
        allowed = np.zeros(len(self.ids), dtype=np.bool_)
        allowed[[slot for slot in chosen if may_be_told(self.levels[slot], named=True)]] = True
        return allowed
