"""Read one consistent view of the stories, as values."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, bindparam, literal, select, union_all

from fabula.model.entity import Entity, EntityState
from fabula.model.level import AiContextLevel
from fabula.model.names import name_key
from fabula.model.participation import KIND_OF_WORD
from fabula.model.relation import Relation, RelationType
from fabula.model.story import Story
from fabula.model.story_ontology import StoryOntology
from fabula.store.account_tables import story_members
from fabula.store.accounts import no_story
from fabula.store.dialect import Number, any_of
from fabula.store.gone_tables import gone_of
from fabula.store.graph_rows import entity_from_row, relation_from_row, relation_type_from_row, state_from_row
from fabula.store.migrate import has_newest_schema
from fabula.store.ontology_rows import ontology_from_row
from fabula.store.ontology_tables import story_ontologies
from fabula.store.page import Page
from fabula.store.part_readers import PartReaders
from fabula.store.querying import of_story
from fabula.store.rowkind import RowKind
from fabula.store.statement import Statement, in_story, listed, rows_by, within_story
from fabula.store.story_rows import story_from_row
from fabula.store.tables import (
    kg_entities,
    kg_entity_states,
    kg_relation_types,
    kg_relations,
    stories,
)

_STORY = in_story(stories)
_ONTOLOGY = in_story(story_ontologies)
_EDITION = Statement(select(stories.c.created_at, stories.c.revision).where(within_story(stories)))
_ENTITIES = rows_by(kg_entities.c.id)
_ENTITY = in_story(kg_entities, kg_entities.c.id == bindparam("id"))
_KNOWN = Statement(
    union_all(
        select(kg_entities.c.id, literal(1, Number).label("is_entity")).where(
            within_story(kg_entities), listed(kg_entities.c.id)
        ),
        select(kg_relation_types.c.key, literal(0, Number)).where(
            within_story(kg_relation_types), kg_relation_types.c.key == bindparam("kind")
        ),
    )
)
_NAMED = rows_by(kg_entities.c.name_key, kg_entities.c.id)
_STATES = rows_by(
    kg_entity_states.c.entity_id,
    kg_entity_states.c.since_chapter.nulls_first(),
    kg_entity_states.c.since_scene.nulls_first(),
    kg_entity_states.c.id,
)
_STATE = in_story(kg_entity_states, kg_entity_states.c.id == bindparam("id"))
_RELATIONS = rows_by(kg_relations.c.id)
_RELATIONS_FROM = rows_by(kg_relations.c.source_entity_id)
_RELATIONS_TO = rows_by(kg_relations.c.target_entity_id)
_BETWEEN = in_story(
    kg_relations,
    kg_relations.c.source_entity_id == bindparam("source"),
    kg_relations.c.target_entity_id == bindparam("target"),
)
_KNOWN_TYPES = Statement(
    select(kg_relation_types.c.key).where(within_story(kg_relation_types), listed(kg_relation_types.c.key))
)
_TYPES = Statement(
    select(kg_relation_types)
    .where(within_story(kg_relation_types))
    .order_by(kg_relation_types.c.builtin.desc(), kg_relation_types.c.id)
)


class Edition(NamedTuple):
    """A story's creation time and newest revision; recreating a story with the same id changes the former."""

    began: str
    revision: int


@dataclass(frozen=True, slots=True)
class EntityFilter:
    """The filter of a list of entities."""

    type: str | None = None
    level: AiContextLevel | None = None
    keyword: str | None = None


@dataclass(frozen=True, slots=True)
class RelationFilter:
    """The filter of a list of relations; `entity` matches either end."""

    relation_type: str | None = None
    entity: str | None = None
    source: str | None = None
    target: str | None = None


class Reader(PartReaders):
    """Reads everything inside one transaction, as anyone or as one user."""

    def __init__(self, connection: Connection, *, user_id: str | None = None) -> None:
        super().__init__(connection)
        self._user_id = user_id

    def renew(self) -> None:
        """Discard the view and start a new one."""
        self.connection.rollback()
        self.connection.begin()

    def has_newest_schema(self) -> bool:
        """Whether the database has the newest schema this version knows."""
        return has_newest_schema(self.connection)

    # Stories

    def story(self, project_id: str) -> Story:
        """Return the story; raises NotFound if there is none with this id."""
        row = self.fetch_row(_STORY, story=project_id)
        if row is None:
            raise no_story(project_id)
        return story_from_row(row)

    def story_exists(self, project_id: str) -> bool:
        """Whether there is a story with this id."""
        return self.one(select(stories.c.project_id).where(stories.c.project_id == project_id)) is not None

    def stories(self) -> tuple[Story, ...]:
        """Return all stories, or those of the reading user, the most recently changed first."""
        query = select(stories).order_by(stories.c.updated_at.desc(), stories.c.project_id)
        return tuple(map(story_from_row, self.all(self._visible(query))))

    def _visible(self, query: Select[Any]) -> Select[Any]:
        """Restrict a query on stories to those of the reading user."""
        if self._user_id is None:
            return query
        shared = story_members.c.project_id == stories.c.project_id
        return query.join(story_members, shared).where(story_members.c.user_id == self._user_id)

    def edition(self, project_id: str) -> Edition:
        """Return the edition of a story; an empty one if it does not exist."""
        rows = self.fetch(_EDITION, story=project_id)
        return Edition(*rows[0]) if rows else Edition("", 0)

    def gone_stories(self) -> dict[str, str]:
        """Return the deleted stories that a mirror may still hold, with their creation times."""
        return gone_of(self.connection)

    def ontology(self, project_id: str) -> StoryOntology | None:
        """Return the ontology the story was given, if any."""
        row = self.fetch_row(_ONTOLOGY, story=project_id)
        return None if row is None else ontology_from_row(row)

    # Entities

    def entities(self, project_id: str, ids: Iterable[str]) -> dict[str, Entity]:
        """Return the entities with these ids, by id."""
        rows = self.fetch_rows(_ENTITIES, story=project_id, listed=ids)
        return {row["id"]: entity_from_row(row) for row in rows}

    def entity(self, project_id: str, entity_id: str) -> Entity | None:
        """Return the entity with this id."""
        row = self.fetch_row(_ENTITY, story=project_id, id=entity_id)
        return None if row is None else entity_from_row(row)

    def entities_named(self, project_id: str, name_keys: Iterable[str]) -> tuple[Entity, ...]:
        """Return the entities with these folded names."""
        return tuple(map(entity_from_row, self.fetch_rows(_NAMED, story=project_id, listed=name_keys)))

    def known_among(self, project_id: str, ids: Iterable[str], kind: str) -> tuple[set[str], bool]:
        """Return which of the ids are entities of the story, and whether it knows a relation type."""
        found = self.fetch(_KNOWN, story=project_id, listed=ids, kind=kind)
        return {key for key, is_entity in found if is_entity}, any(not is_entity for _, is_entity in found)

    def entity_page(self, project_id: str, wanted: EntityFilter, limit: int, offset: int) -> Page[Entity]:
        """Return a page of the entities, the most recently changed first."""
        conditions = [kg_entities.c.project_id == project_id]
        if wanted.type is not None:
            conditions.append(kg_entities.c.type == wanted.type)
        if wanted.level is not None:
            conditions.append(kg_entities.c.ai_context_level == wanted.level.value)
        if wanted.keyword:
            conditions.append(kg_entities.c.search_fold.contains(name_key(wanted.keyword), autoescape=True))
        total = self.story(project_id).entity_count if wanted == EntityFilter() else None
        page = self.newest_first(kg_entities, conditions, limit, offset, total)
        return Page(tuple(map(entity_from_row, page.items)), page.total)

    def in_other_stories(self, project_id: str, ids: Collection[str]) -> set[str]:
        """Return which of the ids are entities of other stories visible to the reading user."""
        # The concatenation makes SQLite start from the stories; otherwise it would scan every entity.
        within = kg_entities.c.project_id == stories.c.project_id.concat("")
        query = select(kg_entities.c.id).select_from(stories).join(kg_entities, within)
        query = self._visible(query).where(stories.c.project_id != project_id, any_of(kg_entities.c.id, ids))
        return set(self.connection.execute(query).scalars())

    def states_of(self, project_id: str, entity_ids: Iterable[str]) -> tuple[EntityState, ...]:
        """Return the states of the entities, by their beginning."""
        return tuple(map(state_from_row, self.fetch_rows(_STATES, story=project_id, listed=entity_ids)))

    def state(self, project_id: str, state_id: str) -> EntityState | None:
        """Return the state with this id."""
        row = self.fetch_row(_STATE, story=project_id, id=state_id)
        return None if row is None else state_from_row(row)

    # Relations

    def relations(self, project_id: str, ids: Iterable[str]) -> dict[str, Relation]:
        """Return the relations with these ids, by id."""
        wanted = set(ids)
        rows = self.fetch_rows(_RELATIONS, story=project_id, listed=wanted)
        found = {row["id"]: relation_from_row(row) for row in rows}
        missing = wanted - found.keys()
        return {**found, **self.links.of_ids(project_id, missing)} if missing else found

    def relation(self, project_id: str, relation_id: str) -> Relation | None:
        """Return the relation with this id."""
        return self.relations(project_id, [relation_id]).get(relation_id)

    def relations_of(self, project_id: str, entity_ids: Iterable[str]) -> tuple[Relation, ...]:
        """Return all relations that start or end at one of the entities, by id."""
        wanted = list(entity_ids)
        found: dict[str, Relation] = {one.id: one for one in self.links.at(project_id, wanted)}
        for at_end in (_RELATIONS_FROM, _RELATIONS_TO):
            for row in self.fetch_rows(at_end, story=project_id, listed=wanted):
                found[row["id"]] = relation_from_row(row)
        return tuple(found[key] for key in sorted(found))

    def relations_between(
        self, project_id: str, source: str, target: str, kind: str | None = None
    ) -> tuple[Relation, ...]:
        """Return the relations between two entities, with roles in events unless `kind` excludes them."""
        rows = self.fetch_rows(_BETWEEN, story=project_id, source=source, target=target)
        found = tuple(map(relation_from_row, rows))
        if kind is not None and kind not in KIND_OF_WORD:
            return found
        return (*found, *self.links.between(project_id, source, target))

    def relations_from(self, project_id: str, sources: Iterable[str]) -> tuple[Relation, ...]:
        """Return all relations that start at one of the entities."""
        wanted = list(sources)
        rows = self.fetch_rows(_RELATIONS_FROM, story=project_id, listed=wanted)
        return (*map(relation_from_row, rows), *self.links.beginning_at(project_id, wanted))

    def relation_page(
        self, project_id: str, wanted: RelationFilter, limit: int, offset: int
    ) -> Page[Relation]:
        """Return a page of the relations, the most recently changed first."""
        columns = kg_relations.c
        conditions = [columns.project_id == project_id]
        if wanted.relation_type is not None:
            conditions.append(columns.relation_type == wanted.relation_type)
        if wanted.entity is not None:
            return self._relations_at(project_id, wanted, limit, offset)
        if wanted.source is not None:
            conditions.append(columns.source_entity_id == wanted.source)
        if wanted.target is not None:
            conditions.append(columns.target_entity_id == wanted.target)
        total = self.story(project_id).relation_count if wanted == RelationFilter() else None
        links: list[tuple[str, str]] = []
        link_count = 0
        if wanted.relation_type in (None, *KIND_OF_WORD):
            ends = (wanted.source, wanted.target)
            links, link_count = self.links.newest(project_id, wanted.relation_type, *ends, limit + offset)
        if not links:
            page = self.newest_first(kg_relations, conditions, limit, offset, total)
            return Page(tuple(map(relation_from_row, page.items)), page.total + link_count)
        others = self.newest_first(kg_relations, conditions, limit + offset, 0, total)
        both = [*links, *((row["updated_at"], row["id"]) for row in others.items)]
        # By id first: sorting is stable.
        both.sort(key=itemgetter(1))
        both.sort(key=itemgetter(0), reverse=True)
        ids = [key for _, key in both[offset : offset + limit]]
        found = self.relations(project_id, ids)
        return Page(tuple(found[key] for key in ids), others.total + link_count)

    def _relations_at(
        self, project_id: str, wanted: RelationFilter, limit: int, offset: int
    ) -> Page[Relation]:
        """Return a page of one entity's relations, sorted here because the database would scan them all."""
        found = [
            relation
            for relation in self.relations_of(project_id, [wanted.entity or ""])
            if wanted.relation_type in (None, relation.relation_type)
            and wanted.source in (None, relation.source_entity_id)
            and wanted.target in (None, relation.target_entity_id)
        ]
        # Already sorted by id, and sorting is stable.
        found.sort(key=lambda relation: relation.updated_at, reverse=True)
        return Page(tuple(found[offset : offset + limit]), len(found))

    def relation_types(self, project_id: str) -> tuple[RelationType, ...]:
        """Return the story's relation types: built-in ones first, then in order of creation."""
        return tuple(map(relation_type_from_row, self.fetch_rows(_TYPES, story=project_id)))

    def types_among(self, project_id: str, keys: Iterable[str]) -> set[str]:
        """Return which of the keys are relation types of the story."""
        return {row[0] for row in self.fetch(_KNOWN_TYPES, story=project_id, listed=keys)}

    def rows_of(self, kind: RowKind, project_id: str) -> Sequence[Any]:
        """Return all rows of one kind, as stored."""
        return self.all(of_story(kind.table, project_id))
