"""Convert events, their roles and unresolved relations to rows and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from fabula.model.event import Event, EventRole, PendingRelation
from fabula.model.fact import FactKind, FactRef
from fabula.model.names import name_key, search_fold
from fabula.model.participation import Participation, participation, role_of
from fabula.store.rowkind import Row, json_text, period_columns, period_of


def event_row(event: Event) -> Row:
    """Convert an event to a row."""
    image = {
        "id": event.id,
        "event": event.event,
        "time_anchor": event.time_anchor,
        "logic_json": json_text(event.logic),
        "causality": event.causality,
        "level": event.level,
        "place": event.place,
        "tells_json": json_text([{"kind": fact.kind.value, "id": fact.id} for fact in event.tells]),
    }
    return {"project_id": event.project_id, **image, **derived_of_event(image)}


def event_from_row(row: Mapping[str, Any]) -> Event:
    """Convert a row to an event."""
    return Event.trusted(
        id=row["id"],
        project_id=row["project_id"],
        event=row["event"],
        time_anchor=row["time_anchor"],
        logic=tuple(orjson.loads(row["logic_json"])),
        causality=row["causality"],
        level=row["level"],
        place=row["place"],
        tells=facts_in(row["tells_json"]),
    )


def facts_in(tells_json: str) -> tuple[FactRef, ...]:
    """Return the facts that an event tells."""
    if tells_json == "[]":
        return ()
    told = orjson.loads(tells_json)
    return tuple(FactRef.trusted(kind=FactKind(one["kind"]), id=one["id"]) for one in told)


def derived_of_event(image: Row) -> Row:
    """Return the derived search text."""
    said = (image["event"], image["time_anchor"], *orjson.loads(image["logic_json"]), image["causality"])
    return {"search_fold": search_fold(*said)}


def role_row(said: EventRole | Participation) -> Row:
    """Convert a role, or the relation that represents it, to a row."""
    role = role_of(said, said.called, said.ordinal) if isinstance(said, Participation) else said
    image = {
        "id": role.id,
        "event_id": role.event_id,
        "kind": role.kind,
        "entity_id": role.entity_id,
        "name": role.name,
        "role": role.role,
        "ordinal": role.ordinal,
        "description": role.description or None,
        "properties_json": json_text(role.properties) if role.properties else None,
        **period_columns(role.since, role.until),
    }
    return {"project_id": role.project_id, **image, **derived_of_role(image)}


def role_from_row(row: Mapping[str, Any]) -> EventRole:
    """Convert a row to a role."""
    return EventRole.trusted(
        id=row["id"],
        project_id=row["project_id"],
        event_id=row["event_id"],
        kind=row["kind"],
        entity_id=row["entity_id"],
        name=row["name"],
        role=row["role"],
        ordinal=row["ordinal"],
        description=row["description"] or "",
        properties=orjson.loads(row["properties_json"] or "{}"),
        **period_of(row),
    )


def participation_from_row(row: Mapping[str, Any]) -> Participation:
    """Convert a role's row, joined with its event's version and times, to a relation."""
    return participation(role_from_row(row), row["version"], row["created_at"], row["updated_at"])


def derived_of_role(image: Row) -> Row:
    """Return the folded name a role is waiting for, if it is unresolved."""
    return {"name_key": name_key(image["name"]) if image["entity_id"] is None else None}


def pending_row(pending: PendingRelation) -> Row:
    """Convert an unresolved relation to a row."""
    image = {
        "id": pending.id,
        "source_entity_id": pending.source_entity_id,
        "target_name": pending.target_name,
        "relation_type": pending.relation_type,
        "description": pending.description,
        **period_columns(pending.since, pending.until),
    }
    return {"project_id": pending.project_id, **image, **derived_of_pending(image)}


def pending_from_row(row: Mapping[str, Any]) -> PendingRelation:
    """Convert a row to an unresolved relation."""
    return PendingRelation.trusted(
        id=row["id"],
        project_id=row["project_id"],
        source_entity_id=row["source_entity_id"],
        target_name=row["target_name"],
        relation_type=row["relation_type"],
        description=row["description"],
        **period_of(row),
    )


def derived_of_pending(image: Row) -> Row:
    """Return the folded name a relation is waiting for."""
    return {"name_key": name_key(image["target_name"])}
