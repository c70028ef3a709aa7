"""Calendars read what they show, and keep the order of days."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.model.calendar import DAYS, Calendar, Era, calendar_of
from fabula.model.world_time import MOST_DAYS, RelativeTime, SceneTime, WorldTime

GREGORIAN = Calendar(kind="gregorian", day_zero="1927-05-01")
ERAS = Calendar(
    kind="eras",
    eras=tuple(
        Era(name=name, first_day=day) for name, day in (("初平", -1000), ("建安", 0), ("建安末", 5000))
    ),
    year_days=360,
)
calendars = st.sampled_from((DAYS, GREGORIAN, ERAS))
languages = st.sampled_from(("zh", "en"))
minutes = st.integers(-MOST_DAYS * 10, MOST_DAYS * 10).map(lambda number: number / 1440)
HALF_A_MINUTE = 0.5 / 1440


@given(calendar=calendars, language=languages, day=minutes)
def test_a_calendar_reads_what_it_shows(calendar: Calendar, language: str, day: float) -> None:
    read = calendar.read(calendar.shown(day, language))  # type: ignore[arg-type]
    assert read is not None
    assert abs(read - day) <= HALF_A_MINUTE


@given(calendar=calendars, one=minutes, other=minutes)
def test_reading_keeps_the_order_of_days(calendar: Calendar, one: float, other: float) -> None:
    earlier, later = sorted((one, other))
    read = [calendar.read(calendar.shown(day, "en")) for day in (earlier, later)]
    assert None not in read
    assert read == sorted(read, key=lambda day: day or 0.0)


@given(days=st.integers(-700_000, 2_900_000))
def test_dates_are_those_of_the_gregorian_calendar(days: int) -> None:
    shown = date(1927, 5, 1) + timedelta(days)
    assert GREGORIAN.shown(days, "en") == shown.isoformat()
    assert GREGORIAN.read(shown.isoformat()) == days


@pytest.mark.parametrize(
    ("calendar", "text", "day"),
    [
        (GREGORIAN, "1927-05-02T06:00", 1.25),
        (GREGORIAN, "-0043-03-15", -719574),
        (GREGORIAN, "12", 12.0),
        (ERAS, "建安元年", 0.0),
        (ERAS, "建安2年第3天", 362.0),
        (ERAS, "建安 year 2, day 3", 362.0),
        (ERAS, "建安末1年", 5000.0),
        (DAYS, "第-3天", -3.0),
        (DAYS, "day 2, 12:00", 2.5),
    ],
)
def test_texts_that_people_write(calendar: Calendar, text: str, day: float) -> None:
    assert calendar.read(text) == day


@pytest.mark.parametrize(
    ("calendar", "text"),
    [
        (GREGORIAN, "1927-02-29"),
        (GREGORIAN, "1927-13-01"),
        (GREGORIAN, "yesterday"),
        (DAYS, "1927-05-01"),
        (ERAS, "黄初2年"),
        (DAYS, "99999999999999"),
    ],
)
def test_other_texts_are_no_days(calendar: Calendar, text: str) -> None:
    assert calendar.read(text) is None


@pytest.mark.parametrize(
    "setting",
    ["gregorian", {"kind": "gregorian", "dayZero": "soon"}, {"kind": "eras"}, {"kind": "moons"}, 7, {"x": 1}],
)
def test_a_calendar_without_what_it_needs_is_refused(setting: object) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        calendar_of(setting)


def test_a_world_time_is_told_with_the_words_of_the_author() -> None:
    time = WorldTime(day=-3650, label="十年前")
    assert DAYS.told(time, "zh") == "十年前（第-3650天）"
    assert GREGORIAN.told(time, "en") == "十年前 (1917-05-03)"
    assert DAYS.told(WorldTime(day=2), "en") == "day 2"


def test_a_scene_does_not_end_before_it_begins() -> None:
    assert SceneTime(day=3, end=3).last_day == 3
    with pytest.raises(ValueError, match="end lies before day"):
        SceneTime(day=3, end=2)


def test_a_relative_time_means_one_thing() -> None:
    with pytest.raises(ValueError, match="either after or before"):
        RelativeTime(days=3)
    with pytest.raises(ValueError, match="either after or before"):
        RelativeTime(after="a", before="b")
