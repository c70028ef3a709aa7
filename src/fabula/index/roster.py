"""The entities of a story, each with a slot number and the fields that queries need."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Set

import numpy as np
from numpy.typing import NDArray

from fabula.index.world_dates import WorldDate, WorldDates
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
        self.named_from = array("q")
        self.world = WorldDates(self.since, self.until)
        self.always: set[str] = set()
        self._unasked = bytearray()
        self._held = bytearray()
        self._bounded: set[str] = set()
        self._private: set[str] = set()
        self._named_later: set[int] = set()

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
        *,
        is_private: bool = False,
    ) -> int:
        """Add or update an entity and return its slot."""
        slot = self.slot_of.get(entity_id)
        if slot is not None:
            self.world.changed(slot)
        unasked = may_be_told(level, named=False)
        if slot is None:
            slot = self.slot_of[entity_id] = len(self.ids)
            self.ids.append(entity_id)
            self.levels.append(level)
            self.significance.append(significance)
            self.since.append(since)
            self.until.append(until)
            self.named_from.append(-1)
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
            (self._private, is_private),
        ):
            if belongs:
                members.add(entity_id)
            else:
                members.discard(entity_id)
        return slot

    def date(self, entity_id: str, date: WorldDate) -> None:
        """Set the world times of an entity and the moment at which it is told, after `put`."""
        self.world.date(self.slot_of[entity_id], date)
        self._bounded.add(entity_id)

    def drop(self, entity_id: str) -> int | None:
        """Remove an entity and return its slot, which is never reused."""
        slot = self.slot_of.pop(entity_id, None)
        if slot is not None:
            self.world.changed(slot)
            self._unasked[slot] = self._held[slot] = False
            self.always.discard(entity_id)
            self._bounded.discard(entity_id)
            self._private.discard(entity_id)
            self.set_named_from(slot, -1)
        return slot

    def set_named_from(self, slot: int, instant: int) -> None:
        """Note the first scene that names an entity; -1 if none does."""
        self.named_from[slot] = instant
        if instant > 0:
            self._named_later.add(slot)
        else:
            self._named_later.discard(slot)

    @property
    def named_later(self) -> Set[int]:
        """The entities that the manuscript does not name in its first scene, but in a later one."""
        return self._named_later

    def has_secrets(self) -> bool:
        """Whether any entity is hidden from models, always or at some moments."""
        return bool(self._bounded or self._named_later) or 0 in self._unasked

    def may_be_hidden(self, entity_id: str) -> bool:
        """Whether an entity is hidden from models, always, at some moments or from some points of view."""
        slot = self.slot_of.get(entity_id)
        return slot is not None and (
            not self._unasked[slot]
            or entity_id in self._bounded
            or entity_id in self._private
            or slot in self._named_later
        )

    def is_named_later(self, slot: int, instant: int | None) -> bool:
        """Whether the manuscript names an entity without a `since` only in scenes after an instant.

        What is always told is told before that too.
        """
        return (
            instant is not None
            and self.since[slot] < 0
            and self.named_from[slot] > instant
            and self.levels[slot] is not AiContextLevel.ALWAYS
        )

    def is_present(self, slot: int, instant: int | None) -> bool:
        """Whether an entity is part of the story at an instant."""
        if instant is None:
            return True
        holds = self.since[slot] <= instant <= self.until[slot]
        return holds != (slot in self.world.exceptions(instant))

    def are_present(self, slots: NDArray[np.int64], instant: int) -> NDArray[np.bool_]:
        """Which of some slots are part of the story at an instant."""
        since, until = np.frombuffer(self.since, np.int64)[slots], np.frombuffer(self.until, np.int64)[slots]
        holds = (since <= instant) & (instant <= until)
        elsewhere = self.world.exceptions(instant)
        if elsewhere:
            holds ^= np.isin(slots, list(elsewhere))
        return holds

    def may_be_told(self, slot: int, *, named: bool, instant: int | None, introduced: bool = False) -> bool:
        """Whether a model may be told about an entity at an instant.

        What the call names, or its text introduces, need not have been named by the manuscript.
        """
        return (
            may_be_told(self.levels[slot], named=named)
            and self.is_present(slot, instant)
            and (named or introduced or not self.is_named_later(slot, instant))
        )

    def tellable_predicate(
        self, named: Collection[int], instant: int | None, introduced: Collection[int] = ()
    ) -> Callable[[int], bool]:
        """`may_be_told` as a fast predicate on slots, for a call that names some slots and checks many."""
        unasked, since, until = self._unasked, self.since, self.until
        later = self._named_later.difference(named, introduced)
        open_if_named = {slot for slot in named if may_be_told(self.levels[slot], named=True)}
        if instant is None:
            return lambda slot: bool(unasked[slot]) or slot in open_if_named
        elsewhere = self.world.exceptions(instant)

        def told(slot: int) -> bool:
            is_open = bool(unasked[slot] or slot in open_if_named)
            is_open = is_open and (since[slot] <= instant <= until[slot]) != (slot in elsewhere)
            return is_open and not (slot in later and self.is_named_later(slot, instant))

        return told

    def present_at(self, instant: int | None) -> NDArray[np.bool_]:
        """Which slots hold entities that are part of the story at an instant."""
        present = np.frombuffer(bytes(self._held), dtype=np.bool_).copy()
        if instant is not None and self._bounded:
            present &= self._in_time(instant)
        return present

    def _in_time(self, instant: int) -> NDArray[np.bool_]:
        """Which slots hold at an instant by their moments and world times."""
        holds = np.frombuffer(self.since, np.int64) <= instant
        holds &= np.frombuffer(self.until, np.int64) >= instant
        elsewhere = list(self.world.exceptions(instant))
        holds[elsewhere] = ~holds[elsewhere]
        return holds

    def tellable_at(
        self, named: Collection[int], instant: int | None, introduced: Collection[int] = ()
    ) -> NDArray[np.bool_]:
        """Which slots a model may be told about at an instant, if the call names or introduces some."""
        told = np.frombuffer(bytes(self._unasked), dtype=np.bool_).copy()
        told[[slot for slot in named if may_be_told(self.levels[slot], named=True)]] = True
        if instant is not None and self._bounded:
            told &= self._in_time(instant)
        later = self._named_later.difference(named, introduced)
        told[[slot for slot in later if self.is_named_later(slot, instant)]] = False
        return told

    def tellable(self, chosen: Collection[int] | None) -> NDArray[np.bool_]:
        """Which slots a model may be told about; with `chosen`, only these, and they count as named."""
        if chosen is None:
            return np.frombuffer(bytes(self._unasked), dtype=np.bool_)
        allowed = np.zeros(len(self.ids), dtype=np.bool_)
        allowed[[slot for slot in chosen if may_be_told(self.levels[slot], named=True)]] = True
        return allowed
