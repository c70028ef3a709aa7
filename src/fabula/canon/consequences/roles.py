"""Consequences for roles: relations become roles, and events with changed roles get a new version."""

from __future__ import annotations

from collections.abc import Iterable

from fabula.canon.consequences.made import Made
from fabula.canon.versions import touched
from fabula.model.event import EVENT
from fabula.model.participation import KIND_OF_WORD, Participation, event_of, player_of
from fabula.model.relation import Relation
from fabula.store.change import Change
from fabula.store.writer import Writer


def take_up_roles(writer: Writer, made: Made) -> None:
    """Store relations as roles where one end became an event, or where undo has restored them."""
    ids = [
        key
        for key, turn in made.entities.items()
        if turn.has_other_type and turn.after is not None and turn.after["type"] == EVENT
    ]
    found: dict[str, Relation] = {}
    if ids:
        found |= {one.id: one for one in writer.relations_of(writer.project_id, ids)}
    if writer.is_reverting:
        found |= writer.relations(writer.project_id, _come_back(made.changes))
    links = [
        one
        for one in found.values()
        if one.relation_type in KIND_OF_WORD and not isinstance(one, Participation)
    ]
    undone = _undone_roles(made.changes) if writer.is_reverting else set()
    links = [one for one in links if (event_of(one), player_of(one)) not in undone]
    events = (
        writer.links.events_among(writer.project_id, {event_of(one) for one in links}) if links else set()
    )
    links = [one for one in links if event_of(one) in events]
    writer.remove(links)
    writer.add(links)


def _come_back(changes: Iterable[Change]) -> list[str]:
    """Return the relations that an undone or redone step restores."""
    return [
        change.row_id
        for change in changes
        if change.kind.name == "relation"
        and change.after is not None
        and change.after["relation_type"] in KIND_OF_WORD
    ]


def _undone_roles(changes: Iterable[Change]) -> set[tuple[str, str | None]]:
    """Return the (event, entity) pairs whose role the step removes; their relations stay relations."""
    return {
        (change.before["event_id"], change.before["entity_id"])
        for change in changes
        if change.kind.name == "event_role" and change.before is not None
    }


def touch_stirred(writer: Writer, made: Made) -> None:
    """Increment the version of events whose roles were changed as relations, unless the step already did."""
    stirred, writer.stirred = writer.stirred, set()
    if not stirred:
        return
    changed = {change.row_id for change in writer.done if change.kind.name == "entity"}
    events = writer.entities(writer.project_id, stirred - changed).values()
    writer.replace([(event, touched(writer, event)) for event in events])
