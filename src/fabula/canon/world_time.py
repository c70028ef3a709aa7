"""World times become days on the way in: numbers, dates, and times relative to scenes and events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fabula.errors import InvalidInput, NotFound
from fabula.model.calendar import Calendar
from fabula.model.event import EVENT
from fabula.model.story_settings import calendar_in
from fabula.model.validity import is_forward_in_world
from fabula.model.world_time import (
    MOST_DAYS,
    RelativeTime,
    SceneTime,
    SceneTimeGiven,
    WorldTime,
    WorldTimeGiven,
)
from fabula.store.reader import Reader

_GIVEN = ("valid_from", "valid_to")


def resolved(reader: Reader, project_id: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields with every world time among them as a day of the story's time line."""
    own = dict(fields)
    for name in _GIVEN:
        if own.get(name) is not None and type(own[name]) is not WorldTime:
            own[name] = world_time(reader, project_id, own[name], name)
    return own


def world_time(reader: Reader, project_id: str, given: WorldTimeGiven, field: str) -> WorldTime:
    """Return the day that is meant; InvalidInput or NotFound if none is."""
    if isinstance(given, WorldTime):
        return WorldTime.trusted(day=given.day, label=given.label)
    if isinstance(given, RelativeTime):
        return _relative(reader, project_id, given, field)
    if isinstance(given, int | float):
        return WorldTime.trusted(day=float(given), label="")
    calendar = calendar_in(reader.story(project_id).settings)
    day = calendar.read(given)
    if day is None:
        raise _unreadable(given, calendar, field)
    return WorldTime.trusted(day=day, label="")


def scene_time(reader: Reader, project_id: str, given: SceneTimeGiven, field: str) -> SceneTime:
    """Return when a scene plays; InvalidInput or NotFound if no day is meant."""
    if isinstance(given, SceneTime):
        return given
    time = world_time(reader, project_id, given, field)
    return SceneTime.trusted(day=time.day, label=time.label, end=None)


def refuse_backward_world(fact: Any, name: str) -> None:
    """Refuse a fact whose validity in world time ends before it begins."""
    if not is_forward_in_world(fact.valid_from, fact.valid_to):
        raise InvalidInput(
            f"{name} would no longer be true before it is.",
            details={"field": "validTo"},
            suggestion="Give a `validTo` that is not before `validFrom`.",
        )


def _relative(reader: Reader, project_id: str, given: RelativeTime, field: str) -> WorldTime:
    anchor = given.after or given.before or ""
    time = _time_of(reader, project_id, anchor)
    if time is None:
        raise InvalidInput(
            "A time can be given relative only to a scene or an event that has a world time itself.",
            details={"field": field, "id": anchor},
            suggestion="Give that scene or event its world time first, or give a day.",
        )
    day = time.last_day + given.days if given.after else time.day - given.days
    if abs(day) > MOST_DAYS:
        raise InvalidInput(f"A world time lies within {MOST_DAYS:,} days of day 0.", details={"field": field})
    return WorldTime.trusted(day=day, label=given.label)


def _time_of(reader: Reader, project_id: str, anchor: str) -> SceneTime | None:
    """Return when a scene plays or an event happens; None if that is not said."""
    scene = reader.manuscript.scene_of_id(project_id, anchor)
    if scene is not None:
        return scene.world_time
    event = reader.entity(project_id, anchor)
    if event is None or event.type != EVENT:
        raise NotFound(
            f"There is no scene and no event '{anchor}' in this story.",
            details={"id": anchor},
            suggestion="Give the id of a scene or of an event.",
        )
    time = event.valid_from
    return None if time is None else SceneTime.trusted(day=time.day, label=time.label, end=None)


def _unreadable(given: str, calendar: Calendar, field: str) -> InvalidInput:
    shown = calendar.shown(3, "en")
    return InvalidInput(
        f"{field}: the story's calendar cannot read this as a day.",
        details={"field": field, "calendar": calendar.kind},
        suggestion=f"Give a number of days, or write it as the calendar does: '{shown}'. "
        "Dates need a gregorian calendar in the story's settings.",
    )
