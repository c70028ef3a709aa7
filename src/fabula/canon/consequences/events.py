"""Events stay events, and their texts use current names."""

from __future__ import annotations

from fabula.canon.consequences.made import Made
from fabula.errors import Conflict
from fabula.model.event import EVENT, blank_event, event_text, present_at_start
from fabula.store.change import Change
from fabula.store.writer import Writer


def refuse_events_of_other_types(writer: Writer, made: Made) -> None:
    """Refuse to change the type of an event that has event fields."""
    others = [
        entity_id
        for entity_id, turn in made.entities.items()
        if turn.has_other_type and turn.before is not None and turn.before["type"] == EVENT
    ]
    if not others:
        return
    kept = {*writer.events.rows(writer.project_id, others)}
    kept |= {role.event_id for role in writer.events.roles(writer.project_id, others)}
    if kept:
        raise Conflict(
            "An event with people, places or a cause of its own stays an event.",
            details={"ids": sorted(kept)},
            suggestion="Delete the event, or keep its type.",
        )


def retell_events(writer: Writer, made: Made) -> None:
    """Rewrite the texts of events after all other consequences."""
    made.look_again()
    event_ids = _retold(writer, made)
    if not event_ids:
        return
    project_id = writer.project_id
    known = writer.events.parts(project_id, event_ids)
    language = writer.story(project_id).language
    texts = {}
    for entity in writer.entities(project_id, event_ids).values():
        row, cast = known[entity.id]
        if row is None and not cast:
            continue
        event, parts = row or blank_event(project_id, entity.id), present_at_start(cast, entity.since)
        text = event_text(entity.name, entity.description, entity.attributes, event, parts, language)
        if text != entity.prompt_text:
            texts[entity.id] = text
    if texts:
        writer.derived.put_texts(texts)


def _retold(writer: Writer, made: Made) -> set[str]:
    """Return the events whose text for the model may have changed."""
    turns = made.entities.items()
    retold = {key for key, (_, after) in turns if after is not None and after["type"] == EVENT}
    for change in made.changes:
        retold |= _retold_by(writer, change)
    renamed = [key for key, (before, after) in turns if before and after and before["name"] != after["name"]]
    if renamed:
        retold |= writer.events.event_ids_of(writer.project_id, renamed)
    return retold


def _retold_by(writer: Writer, change: Change) -> set[str]:
    images = [image for image in (change.before, change.after) if image is not None]
    if change.kind.name == "event":
        return {change.row_id}
    if change.kind.name == "event_role":
        return {image["event_id"] for image in images}
    if change.kind.name == "story" and len({image["language"] for image in images}) > 1:
        return set(writer.events.all_ids(writer.project_id))
    return set()
