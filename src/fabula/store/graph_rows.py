"""Convert entities, their states, relations and relation types to rows and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from fabula.model.entity import Entity, EntityState
from fabula.model.level import AiContextLevel
from fabula.model.names import name_key, search_fold
from fabula.model.prompt_text import prompt_text
from fabula.model.relation import Relation, RelationType
from fabula.store.rowkind import Row, json_text, moment_of, period_columns, period_of

_LEVELS = {level.value: level for level in AiContextLevel}


def entity_row(entity: Entity) -> Row:
    """Convert an entity to a row."""
    return {
        "project_id": entity.project_id,
        "id": entity.id,
        "type": entity.type,
        "name": entity.name,
        "name_key": name_key(entity.name),
        "search_fold": search_fold(entity.name, *entity.aliases, entity.description),
        "description": entity.description,
        "attributes_json": json_text(entity.attributes),
        "aliases_json": json_text(entity.aliases),
        "ai_context_level": entity.ai_context_level.value,
        "significance": entity.significance,
        "layout_x": entity.layout_x,
        "layout_y": entity.layout_y,
        "prompt_text": entity.prompt_text,
        **period_columns(entity.since, entity.until),
        "version": entity.version,
        "created_at": entity.created_at,
        "updated_at": entity.updated_at,
    }


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
        ai_context_level=_LEVELS[row["ai_context_level"]],
        significance=row["significance"],
        layout_x=row["layout_x"],
        layout_y=row["layout_y"],
        prompt_text=row["prompt_text"],
        since=moment_of(row["since_chapter"], row["since_scene"]),
        until=moment_of(row["until_chapter"], row["until_scene"]),
        version=row["version"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )


def derived_of_entity(image: Row) -> Row:
    """Return the columns derived from an entity's image: folded name, search text and prompt text."""
    return {
        "name_key": name_key(image["name"]),
        "search_fold": search_fold(image["name"], *orjson.loads(image["aliases_json"]), image["description"]),
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
        **period_columns(relation.since, relation.until),
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
        since=moment_of(row["since_chapter"], row["since_scene"]),
        until=moment_of(row["until_chapter"], row["until_scene"]),
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
        **period_columns(state.since, state.until),
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
        **period_of(row),
        version=row["version"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )
