"""The facts of an index that are dated by world time or by a moment of telling, and what that changes."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from fabula.index.world_clock import NO_CLOCK, WorldClock, WorldPeriod
from fabula.model.moment import first_instant
from fabula.store.kinds import ENTITY, RELATION
from fabula.store.reader import Reader
from fabula.store.rowkind import RowKind, moment_of
from fabula.store.scans import scan_scene_times, scan_world_dated

KEPT = 256
_NOTHING: frozenset[int] = frozenset()


class WorldDate(NamedTuple):
    """The first and last day on which a fact is valid, and the instant at which it is told."""

    first_day: float | None
    last_day: float | None
    told: int


def world_date_of(image: Mapping[str, Any]) -> WorldDate | None:
    """The date of a row as the change log stores it; None if it has none."""
    told = first_instant(moment_of(image.get("told_chapter"), image.get("told_scene")))
    date = WorldDate(image.get("valid_from_day"), image.get("valid_to_day"), told)
    return None if date == (None, None, -1) else date


def scan_dates(reader: Reader, project_id: str, kind: RowKind, put: Callable[[str, WorldDate], None]) -> None:
    """Put the dates of all rows of a kind."""
    for row_id, first, last, chapter, scene in scan_world_dated(reader, project_id, kind):
        put(row_id, WorldDate(first, last, first_instant(moment_of(chapter, scene))))


class WorldDates:
    """The dates of the slots of one part of the index, and the exceptions that follow from them.

    `since` and `until` are the columns of that part; a fact that is told later than it begins is known since
    then.
    """

    def __init__(self, since: array[int], until: array[int]) -> None:
        self._since, self._until = since, until
        self._clock = NO_CLOCK
        self._dated: dict[int, WorldPeriod] = {}
        self._kept: dict[int, frozenset[int]] = {}

    @property
    def clock(self) -> WorldClock:
        """The days on which the scenes of the story play."""
        return self._clock

    @clock.setter
    def clock(self, clock: WorldClock) -> None:
        self._clock = clock
        self._kept = {}

    def changed(self, slot: int) -> None:
        """Forget what is known about a slot, whose moments have changed."""
        if self._kept:
            self._kept = {}
        if self._dated:
            self._dated.pop(slot, None)

    def date(self, slot: int, date: WorldDate) -> None:
        """Date a slot whose moments are known."""
        self._dated[slot] = WorldPeriod(self._since[slot], date.first_day, date.last_day)
        self._since[slot] = max(self._since[slot], date.told)
        self._kept = {}

    def exceptions(self, instant: int | None) -> frozenset[int]:
        """The slots of which `since` and `until` say the wrong thing at an instant."""
        if instant is None or not self._clock.is_used_at(instant):
            return _NOTHING
        found = self._kept.get(instant)
        if found is None:
            since, until = np.frombuffer(self._since, np.int64), np.frombuffer(self._until, np.int64)
            found = self._clock.exceptions(since, until, self._dated, instant)
            if len(self._kept) >= KEPT:
                self._kept = {}
            self._kept[instant] = found
        return found

    def has_begun(self, slot: int, instant: int | None) -> bool:
        """Whether a fact that does not hold at an instant has been true before."""
        if instant is None or self._since[slot] > instant:
            return instant is None
        period = self._dated.get(slot) or WorldPeriod(self._since[slot])
        return self._clock.is_begun(period.since, period.first_day, instant)


def is_world_dated(reader: Reader, project_id: str) -> bool:
    """Whether anything of a story is dated by world time or by a moment of telling."""
    found = (
        scan_scene_times(reader, project_id),
        scan_world_dated(reader, project_id, ENTITY),
        scan_world_dated(reader, project_id, RELATION),
    )
    return any(next(iter(rows), None) is not None for rows in found)
