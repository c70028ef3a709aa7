"""When the scenes of a story play, and which facts are valid at a moment of the telling.

A moment of the telling has a place in the world: the day of its scene and, within one day, the order of the
telling. A fact holds at a moment if it is told by then and its validity contains that place.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fabula.model.moment import Moment, first_instant, instant_of, last_instant, place_of
from fabula.model.validity import DatedFact, end_of_day
from fabula.store.reader import Reader
from fabula.store.scans import scan_scene_places, scan_scene_times

DAY_ZERO = 0.0

Instants = NDArray[np.int64]


class ScenePlay(NamedTuple):
    """A scene by its instant, and the days on which it begins and ends; None if they are not said."""

    instant: int
    day: float | None
    end: float | None


class WorldPlace(NamedTuple):
    """A place in the world's time: a day, and within it a place in the telling."""

    day: float
    instant: int


class WorldPeriod(NamedTuple):
    """The `since` of a fact, even if it is told later, and the first and last day on which it is valid."""

    since: int = -1
    first_day: float | None = None
    last_day: float | None = None


class WorldClock:
    """The days on which the scenes of a story play.

    A scene without a world time plays on the latest day told before it, else on day 0. Before the first scene
    that has one, world time filters nothing: a story cut off there would have no world time at all.
    """

    def __init__(self, scenes: Iterable[ScenePlay] = ()) -> None:
        self._instants: list[int] = []
        self._days: list[float] = []
        self._ends: list[float] = []
        self._begins: int | None = None
        latest: float | None = None
        for instant, day, end in sorted(scenes, key=lambda scene: scene.instant):
            if day is not None and self._begins is None:
                self._begins = instant
            plays = day if day is not None else DAY_ZERO if latest is None else latest
            last = plays if end is None else end
            self._instants.append(instant)
            self._days.append(plays)
            self._ends.append(last)
            latest = last if latest is None else max(latest, last)
        self._latest = list(accumulate(self._ends, max))

    @classmethod
    def of(cls, reader: Reader, project_id: str) -> WorldClock:
        """The clock of a story as it is stored."""
        plays = {(chapter, scene): days for chapter, scene, *days in scan_scene_times(reader, project_id)}
        if not plays:
            return NO_CLOCK
        places = ((chapter, scene) for chapter, scene in scan_scene_places(reader, project_id))
        return cls(ScenePlay(instant_of(*place), *plays.get(place, (None, None))) for place in places)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WorldClock) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]

    @property
    def is_used(self) -> bool:
        """Whether any scene has a world time."""
        return self._begins is not None

    def is_used_at(self, instant: int | None) -> bool:
        """Whether a scene that is told by an instant has a world time."""
        return self._begins is not None and instant is not None and self._begins <= instant

    def day_at(self, instant: int) -> float:
        """The day on which a scene begins; without a scene there, the latest day told before it, else 0."""
        last = bisect_right(self._instants, instant) - 1
        if last < 0:
            return DAY_ZERO
        return self._days[last] if self._instants[last] == instant else self._latest[last]

    def end_before(self, instant: int) -> float:
        """The day on which the scene before an instant ends; 0 if there is none."""
        last = bisect_left(self._instants, instant) - 1
        return DAY_ZERO if last < 0 else self._ends[last]

    def now(self, instant: int) -> WorldPlace:
        """The place in the world of a moment of the telling."""
        return WorldPlace(self.day_at(instant), instant)

    def has_happened(self, scene: int, now: int) -> bool:
        """Whether the scene at an instant is told by another instant, and plays by then."""
        return scene <= now and (not self.is_used_at(now) or self.now(scene) <= self.now(now))

    def has_begun(self, fact: DatedFact, now: int | None) -> bool:
        """Whether a fact is told by an instant, and true then or before in the world."""
        if now is None:
            return True
        since = first_instant(fact.since)
        first = None if fact.valid_from is None else fact.valid_from.day
        return max(since, first_instant(fact.told)) <= now and self.is_begun(since, first, now)

    def is_over(self, fact: DatedFact, now: int | None) -> bool:
        """Whether a fact was last true before an instant."""
        last = None if fact.valid_to is None else fact.valid_to.day
        return now is not None and self._is_over(last_instant(fact.until), last, now)

    def holds(self, fact: DatedFact, now: int | None) -> bool:
        """Whether a fact is told by an instant and true then."""
        return self.has_begun(fact, now) and not self.is_over(fact, now)

    def period_at(self, fact: DatedFact, now: int | None) -> tuple[Moment | None, Moment | None]:
        """The first and last moment of a fact, moved so that the telling alone says whether it holds."""
        if now is None or (fact.told is None and not self.is_used_at(now)):
            return fact.since, fact.until
        if not self.has_begun(fact, now):
            return _moment(now + 1), None
        return None, _moment(now - 1) if self.is_over(fact, now) else None

    def happened(self, scenes: Instants, now: int) -> NDArray[np.bool_] | None:
        """Which of some scenes play by an instant at which they are told; None if all do."""
        today = self.day_at(now)
        if not self.is_used_at(now) or self._latest[bisect_right(self._instants, now) - 1] <= today:
            return None
        return self._day_of(scenes) <= today

    def exceptions(
        self, told: Instants, until: Instants, dated: Mapping[int, WorldPeriod], now: int
    ) -> frozenset[int]:
        """The slots of which the telling alone would say the wrong thing at an instant.

        `told` is when each is told, `until` its last moment, and `dated` what else is known of some.
        """
        if not self.is_used_at(now):
            return frozenset()
        wrong = set(self._out_of_order(told, until, now)).difference(dated)
        for slot, period in dated.items():
            is_told = bool(told[slot] <= now)
            is_true = self.is_begun(period.since, period.first_day, now)
            is_true = is_true and not self._is_over(int(until[slot]), period.last_day, now)
            if (is_told and is_true) != (is_told and now <= until[slot]):
                wrong.add(slot)
        return frozenset(wrong)

    def _out_of_order(self, told: Instants, until: Instants, now: int) -> list[int]:
        """The slots dated by scenes that play elsewhere than their place in the telling says."""
        today = self.day_at(now)
        # What ends before the first scene ends on day 0, which may be later than all that is told.
        if max(DAY_ZERO, self._latest[bisect_right(self._instants, now) - 1]) <= today:
            return []
        slots = np.flatnonzero((told >= 0) & (told <= now) | (until < now))
        begins, ends = told[slots], until[slots]
        last = np.searchsorted(np.array(self._instants), ends, "right") - 1
        end = np.where(last < 0, DAY_ZERO, np.array(self._ends)[last])
        is_told = begins <= now
        is_true = ((begins < 0) | (self._day_of(begins) <= today)) & ~((ends < now) & (end <= today))
        found: list[int] = slots[is_told & (is_true != (now <= ends))].tolist()
        return found

    def _day_of(self, instants: Instants) -> NDArray[np.float64]:
        """`day_at` for many instants."""
        scenes = np.array(self._instants)
        last = np.searchsorted(scenes, instants, "right") - 1
        days = np.where(scenes[last] == instants, np.array(self._days)[last], np.array(self._latest)[last])
        return np.where(last < 0, DAY_ZERO, days)

    def is_begun(self, since: int, first_day: float | None, now: int) -> bool:
        """Whether what begins at an instant, or on a day, has begun by another instant."""
        if since > now or not self.is_used_at(now):
            return since <= now
        if first_day is not None:
            return first_day <= self.day_at(now)
        return since < 0 or self.now(since) <= self.now(now)

    def _is_over(self, until: int, last_day: float | None, now: int) -> bool:
        if not self.is_used_at(now):
            return until < now
        if last_day is not None:
            return end_of_day(last_day) < self.day_at(now)
        # An end that is not told yet is not known yet.
        last = bisect_right(self._instants, until) - 1
        return until < now and (DAY_ZERO if last < 0 else self._ends[last]) <= self.day_at(now)


NO_CLOCK = WorldClock()


def _moment(instant: int) -> Moment:
    chapter, scene = place_of(instant)
    return Moment.trusted(chapter=chapter, scene=scene)
