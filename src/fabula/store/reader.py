"""Reading: one consistent view of the stories, as values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Table, func, or_, select

from fabula.errors import NotFound
from fabula.model.entity import Entity
from fabula.model.level import AiContextLevel
from fabula.model.names import name_key
from fabula.model.relation import Relation, RelationType
from fabula.model.story import Story
from fabula.store import kinds
from fabula.store.dialect import any_of
from fabula.store.log import LogReader
from fabula.store.page import Page
from fabula.store.tables import (
    kg_entities,
    kg_relation_types,
    kg_relations,
    stories,
)


class Edition(NamedTuple):
    """A story's beginning and its newest revision; a story made again under the same id begins anew."""

    began: str
    revision: int


@dataclass(frozen=True, slots=True)
class EntityFilter:
    """Which entities a list shows."""

    type: str | None = None
    level: AiContextLevel | None = None
    keyword: str | None = None


@dataclass(frozen=True, slots=True)
class RelationFilter:
    """Which relations a list shows; `entity` is at either end."""

    relation_type: str | None = None
    entity: str | None = None
    source: str | None = None
    target: str | None = None


class Reader:
    """Everything that can be read, inside one transaction."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.log = LogReader(connection)

    def renew(self) -> None:
        """Let go of the view and look again."""
        self.connection.rollback()

    # Stories

    def story(self, project_id: str) -> Story:
        """The story; NotFound if there is none of this id."""
        row = self._one(select(stories).where(stories.c.project_id == project_id))
        if row is None:
            raise NotFound(
                f"There is no story '{project_id}'.",
                details={"projectId": project_id},
                suggestion="Create the story, or write its first entity with this projectId.",
            )
        return kinds.story_from_row(row)

    def story_exists(self, project_id: str) -> bool:
        """Whether there is a story of this id."""
        return self._one(select(stories.c.project_id).where(stories.c.project_id == project_id)) is not None

    def stories(self) -> tuple[Story, ...]:
        """All stories, the one changed last first."""
        rows = self._all(select(stories).order_by(stories.c.updated_at.desc(), stories.c.project_id))
        return tuple(map(kinds.story_from_row, rows))

    def edition(self, project_id: str) -> Edition:
        """Which story this is and how far its log goes; an empty one if there is no story."""
        row = self.connection.execute(
            select(stories.c.created_at, stories.c.revision).where(stories.c.project_id == project_id)
        ).one_or_none()
        return Edition("", 0) if row is None else Edition(*row)

    # Entities

    def entities(self, project_id: str, ids: Iterable[str]) -> dict[str, Entity]:
        """Those of the entities that exist, by id."""
        rows = self._all(_of(kg_entities, project_id).where(any_of(kg_entities.c.id, ids)))
        return {row["id"]: kinds.entity_from_row(row) for row in rows}

    def entity(self, project_id: str, entity_id: str) -> Entity | None:
        """The entity of this id."""
        row = self._one(_of(kg_entities, project_id).where(kg_entities.c.id == entity_id))
        return None if row is None else kinds.entity_from_row(row)

    def entities_named(self, project_id: str, name_keys: Iterable[str]) -> tuple[Entity, ...]:
        """The entities whose own name is one of these."""
        rows = self._all(_of(kg_entities, project_id).where(any_of(kg_entities.c.name_key, name_keys)))
        return tuple(kinds.entity_from_row(row) for row in sorted(rows, key=itemgetter("id")))

    def entity_page(self, project_id: str, wanted: EntityFilter, limit: int, offset: int) -> Page[Entity]:
        """A part of the entities, the one changed last first."""
        conditions = [kg_entities.c.project_id == project_id]
        if wanted.type is not None:
            conditions.append(kg_entities.c.type == wanted.type)
        if wanted.level is not None:
            conditions.append(kg_entities.c.ai_context_level == wanted.level.value)
        if wanted.keyword:
            conditions.append(_mentions(wanted.keyword))
        page = self._page(kg_entities, conditions, limit, offset)
        return Page(tuple(map(kinds.entity_from_row, page.items)), page.total)

    def homes_of(self, ids: Sequence[str], project_ids: Iterable[str]) -> dict[str, str]:
        """Which of the entities live in which of these stories; asked one story at a time."""
        homes: dict[str, str] = {}
        for project_id in project_ids:
            found = self.connection.execute(
                select(kg_entities.c.id).where(
                    kg_entities.c.project_id == project_id, any_of(kg_entities.c.id, ids)
                )
            )
            homes.update((entity_id, project_id) for entity_id in found.scalars())
        return homes

    # Relations

    def relations(self, project_id: str, ids: Iterable[str]) -> dict[str, Relation]:
        """Those of the relations that exist, by id."""
        rows = self._all(_of(kg_relations, project_id).where(any_of(kg_relations.c.id, ids)))
        return {row["id"]: kinds.relation_from_row(row) for row in rows}

    def relation(self, project_id: str, relation_id: str) -> Relation | None:
        """The relation of this id."""
        row = self._one(_of(kg_relations, project_id).where(kg_relations.c.id == relation_id))
        return None if row is None else kinds.relation_from_row(row)

    def relations_of(self, project_id: str, entity_ids: Iterable[str]) -> tuple[Relation, ...]:
        """Every relation that begins or ends at one of the entities, in the order of their ids."""
        wanted = list(entity_ids)
        rows: dict[str, Mapping[str, Any]] = {}
        for end in (kg_relations.c.source_entity_id, kg_relations.c.target_entity_id):
            for row in self._all(_of(kg_relations, project_id).where(any_of(end, wanted))):
                rows[row["id"]] = row
        return tuple(kinds.relation_from_row(rows[key]) for key in sorted(rows))

    def relations_between(self, project_id: str, source: str, target: str) -> tuple[Relation, ...]:
        """The relations from one entity to another."""
        columns = kg_relations.c
        rows = self._all(
            _of(kg_relations, project_id).where(
                columns.source_entity_id == source, columns.target_entity_id == target
            )
        )
        return tuple(map(kinds.relation_from_row, rows))

    def relations_from(self, project_id: str, sources: Iterable[str]) -> tuple[Relation, ...]:
        """Every relation that begins at one of the entities."""
        rows = self._all(
            _of(kg_relations, project_id).where(any_of(kg_relations.c.source_entity_id, sources))
        )
        return tuple(map(kinds.relation_from_row, rows))

    def relation_page(
        self, project_id: str, wanted: RelationFilter, limit: int, offset: int
    ) -> Page[Relation]:
        """A part of the relations, the one changed last first."""
        columns = kg_relations.c
        conditions = [columns.project_id == project_id]
        if wanted.relation_type is not None:
            conditions.append(columns.relation_type == wanted.relation_type)
        if wanted.entity is not None:
            conditions.append(
                or_(columns.source_entity_id == wanted.entity, columns.target_entity_id == wanted.entity)
            )
        if wanted.source is not None:
            conditions.append(columns.source_entity_id == wanted.source)
        if wanted.target is not None:
            conditions.append(columns.target_entity_id == wanted.target)
        page = self._page(kg_relations, conditions, limit, offset)
        return Page(tuple(map(kinds.relation_from_row, page.items)), page.total)

    def relation_types(self, project_id: str) -> tuple[RelationType, ...]:
        """The words for relations that the story knows: built-in ones first, then by key."""
        rows = self._all(
            _of(kg_relation_types, project_id).order_by(
                kg_relation_types.c.builtin.desc(), kg_relation_types.c.id
            )
        )
        return tuple(map(kinds.relation_type_from_row, rows))

    def rows_of(self, kind: kinds.RowKind, project_id: str) -> Sequence[Any]:
        """Every row of one kind, as it is kept."""
        return self._all(_of(kind.table, project_id))

    def _one(self, query: Any) -> Any:
        return self.connection.execute(query).mappings().one_or_none()

    def _all(self, query: Any) -> list[kinds.Row]:
        result = self.connection.execute(query)
        names = tuple(result.keys())
        return [dict(zip(names, row, strict=True)) for row in result.all()]

    def _scalar(self, query: Any) -> Any:
        return self.connection.execute(query).scalar_one()

    def _count(self, table: Table, conditions: Sequence[ColumnElement[bool]]) -> int:
        count: int = self._scalar(select(func.count()).select_from(table).where(*conditions))
        return count

    def _page(
        self, table: Table, conditions: Sequence[ColumnElement[bool]], limit: int, offset: int
    ) -> Page[Mapping[str, Any]]:
        rows = self._all(
            select(table)
            .where(*conditions)
            .order_by(table.c.updated_at.desc(), table.c.id)
            .limit(limit)
            .offset(offset)
        )
        return Page(tuple(rows), self._count(table, conditions))


def _of(table: Table, project_id: str) -> Any:
    return select(table).where(table.c.project_id == project_id)


def _mentions(keyword: str) -> ColumnElement[bool]:
    columns = kg_entities.c
    folded = name_key(keyword)
    return or_(
        columns.name_key.contains(folded, autoescape=True),
        func.lower(columns.aliases_json).contains(folded, autoescape=True),
        func.lower(columns.description).contains(folded, autoescape=True),
    )
