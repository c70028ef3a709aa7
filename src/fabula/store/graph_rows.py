"""Convert entities, their states, relations and relation types to rows and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import orjson

from fabula.model.entity import Entity, EntityName, EntityState, aliases_beside
from fabula.model.fact import Secrecy
from fabula.model.level import AiContextLevel
from fabula.model.names import name_key, search_fold
from fabula.model.prompt_text import prompt_text
from fabula.model.relation import Relation, RelationType
from fabula.store.rowkind import (
    Row,
    json_text,
    moment_of,
    period_columns,
    period_of,
    validity_columns,
    validity_of,
)

NO_NAMES = "[]"
_LEVELS = {level.value: level for level in AiContextLevel}
_SECRECIES = {secrecy.value: secrecy for secrecy in Secrecy}


def entity_row(entity: Entity) -> Row:
    """Convert an entity to a row."""
    return {
        "project_id": entity.project_id,
        "id": entity.id,
        "type": entity.type,
        "name": entity.name,
        "name_key": name_key(entity.name),
        "search_fold": search_fold(entity.name, *entity.every_other_name, entity.description),
        "description": entity.description,
        "attributes_json": json_text(entity.attributes),
        "aliases_json": json_text(entity.aliases),
        "names_json": names_text(entity.names),
        "ai_context_level": entity.ai_context_level.value,
        "secrecy": entity.secrecy.value,
        "significance": entity.significance,
        "layout_x": entity.layout_x,
        "layout_y": entity.layout_y,
        "prompt_text": entity.prompt_text,
        **period_columns(entity.since, entity.until),
        **validity_columns(entity),
        "version": entity.version,
        "created_at": entity.created_at,
        "updated_at": entity.updated_at,
    }


def names_text(names: Iterable[EntityName]) -> str:
    """Encode the names of an entity as JSON for a column."""
    return json_text([one.model_dump(mode="json", by_alias=True, exclude_none=True) for one in names])


def names_from(text: str | None) -> tuple[EntityName, ...]:
    """Decode the names of an entity; log entries older than names have none."""
    if text is None or text == NO_NAMES:
        return ()
    return tuple(map(EntityName.model_validate, orjson.loads(text)))


def other_names(name: str, aliases_json: str, names_json: str | None) -> list[str]:
    """Return the aliases and the names with moments of a row or image, without the name itself."""
    aliases: list[str] = orjson.loads(aliases_json)
    dated = names_from(names_json)
    return list(aliases_beside(name, (*aliases, *(one.name for one in dated)))) if dated else aliases


def entity_from_row(row: Mapping[str, Any]) -> Entity:
    """Convert a row to an entity."""
    return Entity.trusted(
        id=row["id"],
        project_id=row["project_id"],
        type=row["type"],
        name=row["name"],
        description=row["description"],
        attributes=orjson.loads(row["attributes_json"]),
        aliases=tuple(orjson.loads(row["aliases_json"])),
        names=names_from(row["names_json"]),
        ai_context_level=_LEVELS[row["ai_context_level"]],
        secrecy=_SECRECIES[row["secrecy"]],
        significance=row["significance"],
        layout_x=row["layout_x"],
        layout_y=row["layout_y"],
        prompt_text=row["prompt_text"],
        since=moment_of(row["since_chapter"], row["since_scene"]),
        until=moment_of(row["until_chapter"], row["until_scene"]),
        **validity_of(row),
        version=row["version"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )


def derived_of_entity(image: Row) -> Row:
    """Return the columns derived from an entity's image: folded name, search text and prompt text."""
    return {
        "name_key": name_key(image["name"]),
        "search_fold": search_fold(
            image["name"],
            *other_names(image["name"], image["aliases_json"], image["names_json"]),
            image["description"],
        ),
        "prompt_text": prompt_text(image["description"], orjson.loads(image["attributes_json"])),
    }


def relation_row(relation: Relation) -> Row:
    """Convert a relation to a row."""
    return {
        "project_id": relation.project_id,
        "id": relation.id,
        "source_entity_id": relation.source_entity_id,
        "target_entity_id": relation.target_entity_id,
        "relation_type": relation.relation_type,
        "description": relation.description,
        "properties_json": json_text(relation.properties),
        "secrecy": relation.secrecy.value,
        **period_columns(relation.since, relation.until),
        **validity_columns(relation),
        "version": relation.version,
        "created_at": relation.created_at,
        "updated_at": relation.updated_at,
    }


def relation_from_row(row: Mapping[str, Any]) -> Relation:
    """Convert a row to a relation."""
    return Relation.trusted(
        id=row["id"],
        project_id=row["project_id"],
        source_entity_id=row["source_entity_id"],
        target_entity_id=row["target_entity_id"],
        relation_type=row["relation_type"],
        description=row["description"],
        properties=orjson.loads(row["properties_json"]),
        secrecy=_SECRECIES[row["secrecy"]],
        since=moment_of(row["since_chapter"], row["since_scene"]),
        until=moment_of(row["until_chapter"], row["until_scene"]),
        **validity_of(row),
        version=row["version"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )


def relation_type_row(kind: RelationType) -> Row:
    """Convert a relation type to a row."""
    return {
        "project_id": kind.project_id,
        "id": kind.id,
        "key": kind.key,
        "label": kind.label,
        "labels_json": json_text(kind.labels),
        "builtin": int(kind.builtin),
        "created_at": kind.created_at,
    }


def relation_type_from_row(row: Mapping[str, Any]) -> RelationType:
    """Convert a row to a relation type."""
    return RelationType.trusted(
        id=row["id"],
        project_id=row["project_id"],
        key=row["key"],
        label=row["label"],
        labels=orjson.loads(row["labels_json"]),
        builtin=bool(row["builtin"]),
        created_at=row["created_at"],
    )


def state_row(state: EntityState) -> Row:
    """Convert a state of an entity to a row."""
    return {
        "project_id": state.project_id,
        "id": state.id,
        "entity_id": state.entity_id,
        "description": state.description,
        "attributes_json": json_text(state.attributes),
        "secrecy": state.secrecy.value,
        **period_columns(state.since, state.until),
        **validity_columns(state),
        "version": state.version,
        "created_at": state.created_at,
        "updated_at": state.updated_at,
    }


def state_from_row(row: Mapping[str, Any]) -> EntityState:
    """Convert a row to a state."""
    return EntityState.trusted(
        id=row["id"],
        project_id=row["project_id"],
        entity_id=row["entity_id"],
        description=row["description"],
        attributes=orjson.loads(row["attributes_json"]),
        secrecy=_SECRECIES[row["secrecy"]],
        **period_of(row),
        **validity_of(row),
        version=row["version"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )
