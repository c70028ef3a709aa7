"""Moving the times given in an event's attributes into the fields that are used.

An event without a moment counts from the first chapter on, whatever its attributes say.
"""

from __future__ import annotations

import orjson

from fabula.canon.consequences.made import Made
from fabula.errors import InvalidInput
from fabula.model.edge_fields import is_place, place_in
from fabula.model.entity import Entity
from fabula.model.event import EVENT, TIMES, SeparatedTimes, blank_event, separate_times
from fabula.model.relation import Period
from fabula.store.rowkind import Row
from fabula.store.writer import Writer

_SINCE = ("since_chapter", "since_scene")


def date_events(writer: Writer, made: Made) -> None:
    """Date the events of a step whose attributes contain a time.

    Times set explicitly in the step take precedence, and undoing a step dates nothing.
    """
    speaking = {key: turn for key, turn in made.entities.items() if _speaks_of_time(turn.after)}
    if not speaking or writer.is_reverting:
        return
    anchored = {
        change.row_id
        for change in made.changes
        if change.kind.name == "event" and _anchor(change.before) != _anchor(change.after)
    }
    for key, event in writer.entities(writer.project_id, speaking).items():
        said, turn = separate_times(event.attributes), speaking[key]
        is_dated = event.since is not None and (
            _beginning(turn.before) != _beginning(turn.after) or not _is_moved(turn.before, said)
        )
        _date(writer, event, said if not is_dated else said._replace(moment=None))
        if said.anchor and key not in anchored:
            _put_anchor(writer, key, said.anchor)


def _date(writer: Writer, event: Entity, said: SeparatedTimes) -> None:
    """Save the moment given in an event's attributes; InvalidInput if the event would end before it."""
    since = said.moment or event.since
    if not Period.is_forward(since, event.until):
        raise InvalidInput(
            f"'{event.name}' would be over before it happens.",
            details={"field": "attributes.chapterIndex", "id": event.id},
            suggestion="Give an `until` that is not before it.",
        )
    writer.replace([(event, event.model_copy(update={"attributes": said.attributes, "since": since}))])


def _put_anchor(writer: Writer, event_id: str, anchor: str) -> None:
    """Save when an event happens, in the story's own words."""
    known = writer.events.event(writer.project_id, event_id)
    if known is None:
        writer.add([blank_event(writer.project_id, event_id).model_copy(update={"time_anchor": anchor})])
    elif known.time_anchor != anchor:
        writer.replace([(known, known.model_copy(update={"time_anchor": anchor}))])


def _speaks_of_time(image: Row | None) -> bool:
    if image is None or image["type"] != EVENT:
        return False
    attributes = image["attributes_json"]
    # Searching the text is cheaper than parsing the JSON, and most attributes contain none of these words.
    return any(word in attributes for word in TIMES) and not orjson.loads(attributes).keys().isdisjoint(TIMES)


def _beginning(image: Row | None) -> tuple[int | None, ...]:
    return () if image is None else tuple(image.get(name) for name in _SINCE)


def _is_moved(before: Row | None, said: SeparatedTimes) -> bool:
    """Whether the attributes of an event give another moment than before."""
    attributes = {} if before is None else orjson.loads(before["attributes_json"])
    return not is_place(attributes) or place_in(attributes) != said.moment


def _anchor(image: Row | None) -> str:
    return "" if image is None else str(image["time_anchor"])
