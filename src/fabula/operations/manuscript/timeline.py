"""The timeline of a story: its scenes and events as they are told, or as they happen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from fabula.call import Call
from fabula.index.world_clock import WorldClock
from fabula.model.account import Role
from fabula.model.calendar import Calendar
from fabula.model.entity import Entity
from fabula.model.moment import FOREVER, Moment, first_instant, instant_of
from fabula.model.relation import Language
from fabula.model.story_settings import calendar_in
from fabula.model.wire import Value
from fabula.model.world_time import SceneTime, WorldTime
from fabula.operations.table import StoryRequest, operation
from fabula.store.event_reader import EventFilter
from fabula.store.manuscript_reader import SceneHeading
from fabula.store.reader import Reader

MOST_EVENTS = 50_000

TimelineOrder = Literal["told", "happened"]


class StoryTurn(Value):
    """A scene or an event: where it is told, and when it plays.

    `day` is the day on which it plays, also if it has no world time of its own; None if that is not known.
    `when` is its world time in words.
    """

    kind: Literal["scene", "event"]
    id: str
    name: str
    moment: Moment | None
    day: float | None
    world_time: SceneTime | None
    when: str


class StoryTimelineResponse(Value):
    """The scenes and events of a story in one order, and whether any scene has a world time."""

    order: TimelineOrder
    uses_world_time: bool
    items: tuple[StoryTurn, ...]
    total_count: int


class StoryTimelineRequest(StoryRequest):
    """The order in which to show scenes and events: as they are told, or as they happen."""

    order: Annotated[TimelineOrder, Field(description="`told` or `happened`.")] = "told"


@operation("timeline.read", role=Role.READER)
def read_timeline(call: Call, request: StoryTimelineRequest) -> StoryTimelineResponse:
    """Show the scenes and events of a story as they are told, or as they happen."""
    project_id = request.project_id
    with call.store.read() as reader:
        story = reader.story(project_id)
        clock, calendar = WorldClock.of(reader, project_id), calendar_in(story.settings)
        turns = list(_turns(reader, project_id, clock, calendar, story.language))
    turns.sort(key=_as_told if request.order == "told" else _as_it_happened)
    return StoryTimelineResponse(
        order=request.order, uses_world_time=clock.is_used, items=tuple(turns), total_count=len(turns)
    )


def _turns(
    reader: Reader, project_id: str, clock: WorldClock, calendar: Calendar, language: Language
) -> Iterator[StoryTurn]:
    for heading in reader.manuscript.headings(project_id):
        day = clock.day_at(instant_of(heading.chapter_index, heading.scene_index)) if clock.is_used else None
        yield _scene(heading, day, calendar, language)
    for event in reader.events.page(project_id, EventFilter(), MOST_EVENTS, 0).items:
        yield _event(event, clock, calendar, language)


def _scene(heading: SceneHeading, day: float | None, calendar: Calendar, language: Language) -> StoryTurn:
    time = heading.world_time
    return StoryTurn.trusted(
        kind="scene",
        id=heading.id,
        name=heading.title,
        moment=Moment.trusted(chapter=heading.chapter_index, scene=heading.scene_index),
        day=day,
        world_time=time,
        when=in_words(time, day, calendar, language),
    )


def _event(event: Entity, clock: WorldClock, calendar: Calendar, language: Language) -> StoryTurn:
    own, at = event.valid_from, event.since or event.told
    day = own.day if own else clock.day_at(first_instant(at)) if at and clock.is_used else None
    time = None if own is None else SceneTime.trusted(day=own.day, label=own.label, end=None)
    return StoryTurn.trusted(
        kind="event",
        id=event.id,
        name=event.name,
        moment=at,
        day=day,
        world_time=time,
        when=in_words(time, day, calendar, language),
    )


def in_words(time: WorldTime | None, day: float | None, calendar: Calendar, language: Language) -> str:
    """Return a world time, or the day that follows from others, in words; empty if none is known."""
    if time is not None:
        return calendar.told(time, language)
    return "" if day is None else calendar.shown(day, language)


def _as_told(turn: StoryTurn) -> tuple[int, bool, str, str]:
    instant = FOREVER if turn.moment is None else first_instant(turn.moment)
    return instant, turn.kind == "event", turn.name, turn.id


def _as_it_happened(turn: StoryTurn) -> tuple[float, int, bool, str, str]:
    """Sort by day, within a day as it is told; what has no day is in the place where it is told."""
    return (float("inf") if turn.day is None else turn.day, *_as_told(turn))
