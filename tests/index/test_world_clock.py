"""The clock of a story agrees with the rule written out, fact by fact."""

from __future__ import annotations

from array import array
from dataclasses import dataclass

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from fabula.index.world_clock import NO_CLOCK, ScenePlay, WorldClock
from fabula.index.world_dates import WorldDate, WorldDates
from fabula.model.moment import FOREVER, Moment, first_instant, instant_of, last_instant
from fabula.model.world_time import WorldTime


@dataclass(frozen=True)
class Fact:
    since: Moment | None = None
    until: Moment | None = None
    valid_from: WorldTime | None = None
    valid_to: WorldTime | None = None
    told: Moment | None = None


days = st.none() | st.integers(-3, 3).map(float)
moments = st.none() | st.builds(Moment, chapter=st.integers(0, 5), scene=st.none() | st.just(0))
times = st.none() | st.builds(WorldTime, day=st.integers(-3, 3).map(float))
facts = st.builds(Fact, since=moments, until=moments, valid_from=times, valid_to=times, told=moments)
clocks = st.lists(st.tuples(st.booleans(), days), min_size=6, max_size=6).map(
    lambda scenes: [
        (instant_of(chapter, 0), day) for chapter, (is_there, day) in enumerate(scenes) if is_there
    ]
)


def the_day(scenes: list[tuple[int, float | None]], instant: int) -> float:
    """A scene without a world time plays at the latest world time told before it, else on day 0."""
    before = [place for place, _ in scenes if place < instant]
    own = dict(scenes).get(instant)
    if own is not None:
        return own
    return max((the_day(scenes, place) for place in before), default=0.0)


def holds(scenes: list[tuple[int, float | None]], fact: Fact, now: int) -> bool:
    """Told by m and valid at t, written out."""
    since, until = first_instant(fact.since), last_instant(fact.until)
    if max(since, first_instant(fact.told)) > now:
        return False
    if not any(day is not None and place <= now for place, day in scenes):
        return now <= until
    today = the_day(scenes, now)
    if fact.valid_from is not None:
        has_begun = fact.valid_from.day <= today
    else:
        has_begun = since < 0 or (the_day(scenes, since), since) <= (today, now)
    if fact.valid_to is not None:
        is_over = today >= fact.valid_to.day + 1
    else:
        last = max((place for place, _ in scenes if place <= until), default=None)
        ended = 0.0 if last is None else the_day(scenes, last)
        is_over = until < now and ended <= today
    return has_begun and not is_over


def clock_of(scenes: list[tuple[int, float | None]]) -> WorldClock:
    return WorldClock(ScenePlay(instant, day, None) for instant, day in scenes)


@given(scenes=clocks, fact=facts, chapter=st.integers(0, 5))
def test_a_fact_holds_as_the_rule_says(
    scenes: list[tuple[int, float | None]], fact: Fact, chapter: int
) -> None:
    now = instant_of(chapter, 0)
    assert clock_of(scenes).holds(fact, now) == holds(scenes, fact, now)


@example(
    scenes=[(instant_of(2, 0), -1.0), (instant_of(3, 0), None)],
    told=[Fact(), Fact(until=Moment(chapter=0, scene=None))],
    chapter=3,
)
@given(scenes=clocks, told=st.lists(facts, max_size=8), chapter=st.integers(0, 5))
def test_columns_and_values_agree(
    scenes: list[tuple[int, float | None]], told: list[Fact], chapter: int
) -> None:
    now, clock = instant_of(chapter, 0), clock_of(scenes)
    since = array("q", [first_instant(fact.since) for fact in told])
    until = array("q", [last_instant(fact.until) for fact in told])
    dates = WorldDates(since, until)
    dates.clock = clock
    for slot, fact in enumerate(told):
        first, last = fact.valid_from and fact.valid_from.day, fact.valid_to and fact.valid_to.day
        if (first, last, fact.told) != (None, None, None):
            dates.date(slot, WorldDate(first, last, first_instant(fact.told)))
    elsewhere = dates.exceptions(now)
    for slot, fact in enumerate(told):
        by_columns = (since[slot] <= now <= until[slot]) != (slot in elsewhere)
        assert by_columns == clock.holds(fact, now)
        moved = clock.period_at(fact, now)
        assert (first_instant(moved[0]) <= now <= last_instant(moved[1])) == clock.holds(fact, now)


@given(scenes=clocks, chapter=st.integers(0, 5))
def test_which_scenes_have_happened(scenes: list[tuple[int, float | None]], chapter: int) -> None:
    now, clock = instant_of(chapter, 0), clock_of(scenes)
    places = np.array([place for place, _ in scenes if place <= now], np.int64)
    expected = [clock.has_happened(int(place), now) for place in places]
    mask = clock.happened(places, now)
    assert (mask.tolist() if mask is not None else [True] * len(places)) == expected


@given(scenes=clocks, fact=facts, chapter=st.integers(0, 5))
def test_scenes_told_later_change_nothing(
    scenes: list[tuple[int, float | None]], fact: Fact, chapter: int
) -> None:
    now = instant_of(chapter, 0)
    cut = [(place, day) for place, day in scenes if place <= now]
    assert clock_of(scenes).holds(fact, now) == clock_of(cut).holds(fact, now)


def test_without_world_times_the_telling_decides() -> None:
    fact = Fact(valid_from=WorldTime(day=50), until=Moment(chapter=3))
    assert not NO_CLOCK.is_used
    assert NO_CLOCK.holds(fact, instant_of(3, 9))
    assert not NO_CLOCK.holds(fact, instant_of(4, 0))
    assert NO_CLOCK.holds(fact, None)


def test_a_scene_that_lasts_ends_on_its_last_day() -> None:
    clock = WorldClock([ScenePlay(instant_of(0, 0), 3.0, 5.0), ScenePlay(instant_of(1, 0), None, None)])
    assert clock.day_at(instant_of(0, 0)) == 3
    assert clock.day_at(instant_of(1, 0)) == 5
    assert clock.end_before(instant_of(1, 0)) == 5
    assert clock.day_at(FOREVER) == 5
