"""The kinds of rows the change log follows, and how each is read from and written to its table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import orjson
from sqlalchemy import Table

from fabula.model.entity import Entity
from fabula.model.level import AiContextLevel
from fabula.model.moment import Moment
from fabula.model.names import name_key
from fabula.model.prompt_text import prompt_text
from fabula.model.relation import Relation, RelationType
from fabula.model.story import Story
from fabula.model.wire import Value
from fabula.store import tables

Row = dict[str, Any]


@dataclass(frozen=True)
class RowKind:
    """One table under the log: its rows as values, as images, and what follows from an image."""

    name: str
    table: Table
    to_row: Callable[[Any], Row]
    to_value: Callable[[Mapping[str, Any]], Value]
    id_column: str = "id"
    derive: Callable[[Row], Row] = lambda image: {}
    unlogged: frozenset[str] = frozenset()
    counter: str | None = None

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """All columns, in the order of the table."""
        return tuple(str(column.name) for column in self.table.columns)

    @cached_property
    def image_columns(self) -> tuple[str, ...]:
        """The columns that the log remembers: neither the story nor what follows from the others."""
        return tuple(name for name in self.columns if name != "project_id" and name not in self.unlogged)

    def image(self, row: Mapping[str, Any]) -> Row:
        """What the log remembers of a row."""
        return {name: row[name] for name in self.image_columns}

    def row(self, project_id: str, image: Row) -> Row:
        """The whole row again from what the log remembers."""
        return {"project_id": project_id, **image, **self.derive(image)}

    def value(self, project_id: str, image: Row) -> Value:
        """The image as the value people know."""
        return self.to_value(self.row(project_id, image))


def json_text(value: Any) -> str:
    """JSON as it is kept in a column."""
    return orjson.dumps(value).decode()


def entity_row(entity: Entity) -> Row:
    """An entity as a row."""
    return {
        "project_id": entity.project_id,
        "id": entity.id,
        "type": entity.type,
        "name": entity.name,
        "name_key": name_key(entity.name),
        "description": entity.description,
        "attributes_json": json_text(entity.attributes),
        "aliases_json": json_text(entity.aliases),
        "ai_context_level": entity.ai_context_level.value,
        "significance": entity.significance,
        "layout_x": entity.layout_x,
        "layout_y": entity.layout_y,
        "prompt_text": entity.prompt_text,
        "version": entity.version,
        "created_at": entity.created_at,
        "updated_at": entity.updated_at,
    }


def entity_from_row(row: Mapping[str, Any]) -> Entity:
    """The entity that a row holds."""
    return Entity.trusted(
        id=row["id"],
        project_id=row["project_id"],
        type=row["type"],
        name=row["name"],
        description=row["description"],
        attributes=orjson.loads(row["attributes_json"]),
        aliases=tuple(orjson.loads(row["aliases_json"])),
        ai_context_level=AiContextLevel(row["ai_context_level"]),
        significance=row["significance"],
        layout_x=row["layout_x"],
        layout_y=row["layout_y"],
        prompt_text=row["prompt_text"],
        version=row["version"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )


def _entity_derived(image: Row) -> Row:
    return {
        "name_key": name_key(image["name"]),
        "prompt_text": prompt_text(image["description"], orjson.loads(image["attributes_json"])),
    }


def relation_row(relation: Relation) -> Row:
    """A relation as a row."""
    since, until = relation.since, relation.until
    return {
        "project_id": relation.project_id,
        "id": relation.id,
        "source_entity_id": relation.source_entity_id,
        "target_entity_id": relation.target_entity_id,
        "relation_type": relation.relation_type,
        "description": relation.description,
        "properties_json": json_text(relation.properties),
        "since_chapter": since.chapter if since else None,
        "since_scene": since.scene if since else None,
        "until_chapter": until.chapter if until else None,
        "until_scene": until.scene if until else None,
        "version": relation.version,
        "created_at": relation.created_at,
        "updated_at": relation.updated_at,
    }


def moment_of(chapter: int | None, scene: int | None) -> Moment | None:
    """The moment kept in two columns."""
    return None if chapter is None else Moment.trusted(chapter=chapter, scene=scene)


def relation_from_row(row: Mapping[str, Any]) -> Relation:
    """The relation that a row holds."""
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
    """A relation type as a row."""
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
    """The relation type that a row holds."""
    return RelationType.trusted(
        id=row["id"],
        project_id=row["project_id"],
        key=row["key"],
        label=row["label"],
        labels=orjson.loads(row["labels_json"]),
        builtin=bool(row["builtin"]),
        created_at=row["created_at"],
    )


def story_row(story: Story) -> Row:
    """A story as a row."""
    return {
        "project_id": story.id,
        "title": story.title,
        "language": story.language,
        "settings_json": json_text(story.settings),
        "revision": story.revision,
        "entity_count": story.entity_count,
        "relation_count": story.relation_count,
        "created_at": story.created_at,
        "updated_at": story.updated_at,
    }


def story_from_row(row: Mapping[str, Any]) -> Story:
    """The story that a row holds."""
    return Story.trusted(
        id=row["project_id"],
        title=row["title"],
        language=row["language"],
        settings=orjson.loads(row["settings_json"]),
        revision=row["revision"],
        entity_count=row["entity_count"],
        relation_count=row["relation_count"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )


STORY = RowKind(
    "story",
    tables.stories,
    story_row,
    story_from_row,
    id_column="project_id",
    unlogged=frozenset({"revision", "entity_count", "relation_count", "created_at", "updated_at"}),
)
ENTITY = RowKind(
    "entity",
    tables.kg_entities,
    entity_row,
    entity_from_row,
    derive=_entity_derived,
    unlogged=frozenset({"name_key", "prompt_text"}),
    counter="entity_count",
)
RELATION = RowKind("relation", tables.kg_relations, relation_row, relation_from_row, counter="relation_count")
RELATION_TYPE = RowKind("relation_type", tables.kg_relation_types, relation_type_row, relation_type_from_row)

KINDS: dict[str, RowKind] = {kind.name: kind for kind in (STORY, ENTITY, RELATION, RELATION_TYPE)}
KIND_OF: dict[type[Value], RowKind] = {
    Story: STORY,
    Entity: ENTITY,
    Relation: RELATION,
    RelationType: RELATION_TYPE,
}
