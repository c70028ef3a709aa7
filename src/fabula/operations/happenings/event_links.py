"""What happens to an entity happens to the events it is in, and to the event it is."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from fabula.errors import Conflict
from fabula.model.entity import Entity
from fabula.model.event import EVENT, Event, EventRole
from fabula.store.writer import Writer


def release_events(writer: Writer, entities: Sequence[Entity]) -> None:
    """Before entities go: their roles wait for others of their names, what is an event's own goes with it."""
    project_id = writer.project_id
    names = {entity.id: entity.name for entity in entities}
    writer.remove(writer.events.roles(project_id, names))
    writer.remove(tuple(writer.events.rows(project_id, names).values()))
    writer.remove(writer.events.pending_of(project_id, names))
    played = writer.events.roles_played(project_id, names)
    unbound = [{"entity_id": None, "name": names[role.entity_id or ""]} for role in played]
    pairs = zip(played, unbound, strict=True)
    writer.replace([(role, role.model_copy(update=changes)) for role, changes in pairs])


def merge_events(writer: Writer, target: Entity, sources: list[Entity]) -> None:
    """Let the target play the sources' roles, wait for whom they waited, and be the events that they were."""
    project_id = writer.project_id
    ids = [source.id for source in sources]
    pending = writer.events.pending_of(project_id, ids)
    writer.replace([(wish, wish.model_copy(update={"source_entity_id": target.id})) for wish in pending])
    _merge_rows(writer, target, ids)
    _redirect_roles(writer, target, set(ids))


def _merge_rows(writer: Writer, target: Entity, ids: list[str]) -> None:
    rows = writer.events.rows(writer.project_id, [target.id, *ids])
    others = [rows[key] for key in ids if key in rows]
    if not others:
        return
    if target.type != EVENT:
        raise Conflict(
            f"An event cannot become part of a {target.type}.",
            details={"ids": [event.id for event in others]},
            suggestion="Merge events with events.",
        )
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
    """One event out of two: the kept one's word counts, the other's is added."""
    return kept.model_copy(
        update={
            "event": kept.event or other.event,
            "time_anchor": kept.time_anchor or other.time_anchor,
            "logic": tuple(dict.fromkeys((*kept.logic, *other.logic))),
            "causality": _joined(kept.causality, other.causality),
            "level": max(kept.level, other.level),
        }
    )


def _joined(kept: str, other: str) -> str:
    return kept if other in kept else f"{kept}\n{other}".strip()


def _redirect_roles(writer: Writer, target: Entity, gone: set[str]) -> None:
    """Turn the roles of and in those who go; of two that then say the same, one stays."""
    project_id, everybody = writer.project_id, [target.id, *sorted(gone)]
    found = (*writer.events.roles(project_id, everybody), *writer.events.roles_played(project_id, everybody))
    roles = {role.id: role for role in found}
    affected = [role for role in roles.values() if gone & {role.event_id, role.entity_id}]
    said = {_said(role) for role in roles.values() if role not in affected}
    next_place = count(
        1 + max((role.ordinal for role in roles.values() if role.event_id == target.id), default=-1)
    )
    turned, dropped = [], []
    for role in affected:
        after = role.model_copy(
            update={
                "event_id": target.id if role.event_id in gone else role.event_id,
                "entity_id": target.id if role.entity_id in gone else role.entity_id,
                "ordinal": next(next_place) if role.event_id in gone else role.ordinal,
            }
        )
        if _said(after) in said or after.event_id == after.entity_id:
            dropped.append(role)
        else:
            said.add(_said(after))
            turned.append((role, after))
    writer.remove(dropped)
    writer.replace(turned)


def _said(role: EventRole) -> tuple[str, str, str | None, str, str]:
    name = role.name if role.entity_id is None else ""
    return role.event_id, role.kind, role.entity_id, name, role.role
