"""Carrying over deletions and merges of entities to events and their roles."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import NamedTuple

from fabula.errors import Conflict
from fabula.model.entity import Entity
from fabula.model.event import EVENT, Event, EventRole
from fabula.model.moment import first_instant
from fabula.store.linking import united
from fabula.store.writer import Writer


def release_events(writer: Writer, entities: Sequence[Entity]) -> None:
    """Before entities are removed, unbind the roles they play and remove the data of the events they are."""
    project_id = writer.project_id
    names = {entity.id: entity.name for entity in entities}
    writer.remove(writer.events.roles(project_id, names))
    writer.remove(tuple(writer.events.rows(project_id, names).values()))
    writer.remove(writer.events.pending_of(project_id, names))
    played = writer.events.roles_played(project_id, names)
    unbound = [{"entity_id": None, "name": names[role.entity_id or ""]} for role in played]
    pairs = zip(played, unbound, strict=True)
    writer.replace([(role, role.model_copy(update=changes)) for role, changes in pairs])


class Turned(NamedTuple):
    """How many bound roles were redirected, and how many were dropped as duplicates."""

    redirected: int
    dropped: int


def merge_events(writer: Writer, target: Entity, sources: Sequence[Entity]) -> Turned:
    """Give the target the sources' roles, pending relations and event data."""
    project_id = writer.project_id
    ids = [source.id for source in sources]
    pending = writer.events.pending_of(project_id, ids)
    writer.replace([(wish, wish.model_copy(update={"source_entity_id": target.id})) for wish in pending])
    _merge_rows(writer, target, ids)
    return _redirect_roles(writer, target, set(ids))


def _merge_rows(writer: Writer, target: Entity, ids: list[str]) -> None:
    rows = writer.events.rows(writer.project_id, [target.id, *ids])
    others = [rows[key] for key in ids if key in rows]
    events = {event.id for event in others} | {
        role.event_id for role in writer.events.roles(target.project_id, ids)
    }
    if events and target.type != EVENT:
        raise Conflict(
            f"An event cannot become part of a {target.type}.",
            details={"ids": sorted(events)},
            suggestion="Merge events with events.",
        )
    if not others:
        return
    own = rows.get(target.id)
    united = own or others[0].model_copy(update={"id": target.id})
    for event in others if own else others[1:]:
        united = _united(united, event)
    writer.remove(others)
    if own is None:
        writer.add([united])
    elif united != own:
        writer.replace([(own, united)])


def _united(kept: Event, other: Event) -> Event:
    """Combine two events: the kept one's values take precedence, the other's are added."""
    return kept.model_copy(
        update={
            "event": kept.event or other.event,
            "time_anchor": kept.time_anchor or other.time_anchor,
            "logic": tuple(dict.fromkeys((*kept.logic, *other.logic))),
            "causality": _joined(kept.causality, other.causality),
            "level": max(kept.level, other.level),
            "tells": tuple(dict.fromkeys((*kept.tells, *other.tells))),
        }
    )


def _joined(kept: str, other: str) -> str:
    return kept if other in kept else f"{kept}\n{other}".strip()


def _redirect_roles(writer: Writer, target: Entity, gone: set[str]) -> Turned:
    """Redirect the roles of and in the removed entities; duplicates are merged into one role."""
    project_id, everybody = writer.project_id, [target.id, *sorted(gone)]
    found = (*writer.events.roles(project_id, everybody), *writer.events.roles_played(project_id, everybody))
    roles = {role.id: role for role in found}
    affected = [role for role in roles.values() if gone & {role.event_id, role.entity_id}]
    kept = {_said(role): (role, role) for role in roles.values() if role not in affected}
    next_place = count(
        1 + max((role.ordinal for role in roles.values() if role.event_id == target.id), default=-1)
    )
    dropped = []
    for role in affected:
        after = role.model_copy(
            update={
                "event_id": target.id if role.event_id in gone else role.event_id,
                "entity_id": target.id if role.entity_id in gone else role.entity_id,
                "ordinal": next(next_place) if role.event_id in gone else role.ordinal,
            }
        )
        known = kept.get(_said(after))
        if after.event_id == after.entity_id:
            dropped.append(role)
        elif known is not None:
            dropped.append(role)
            kept[_said(after)] = (known[0], united(known[1], after))
        else:
            kept[_said(after)] = (role, after)
    writer.remove(dropped)
    writer.replace([(before, after) for before, after in kept.values() if after != before])
    bound = sum(role.entity_id is not None for role in affected)
    lost = sum(role.entity_id is not None for role in dropped)
    return Turned(bound - lost, lost)


def _said(role: EventRole) -> tuple[str, str, str | None, str, str, int]:
    name = role.name if role.entity_id is None else ""
    return role.event_id, role.kind, role.entity_id, name, role.role, first_instant(role.since)
