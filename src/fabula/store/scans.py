"""Read whole stories as plain tuples for the compiled index: there are too many rows for values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import orjson
from sqlalchemy import and_, or_, select, text

from fabula.model.entity import Entity
from fabula.model.level import AiContextLevel, may_be_told
from fabula.model.relation import Relation
from fabula.store.dialect import any_of
from fabula.store.event_tables import kg_event_roles
from fabula.store.graph_rows import entity_from_row, other_names, relation_from_row
from fabula.store.querying import of_story
from fabula.store.reader import Reader
from fabula.store.rowkind import Row, RowKind
from fabula.store.tables import (
    HAS_DATED_NAMES,
    IS_WORLD_DATED,
    kg_entities,
    kg_relations,
    lorebook_entries,
    scenes,
)

AT_A_TIME = 1_000

Plain = list[tuple[Any, ...]]


def every_entity(reader: Reader, project_id: str) -> Iterator[Entity]:
    """Yield all entities as values, by id."""
    return map(entity_from_row, _rows(reader, of_story(kg_entities, project_id).order_by(kg_entities.c.id)))


def every_relation(reader: Reader, project_id: str) -> Iterator[Relation]:
    """Yield all relations as values, by id."""
    query = of_story(kg_relations, project_id).order_by(kg_relations.c.id)
    return map(relation_from_row, _rows(reader, query))


def _rows(reader: Reader, query: Any) -> Iterator[Row]:
    """Yield the rows of a query in batches."""
    with reader.connection.execute(query, execution_options={"yield_per": AT_A_TIME}) as result:
        names = tuple(result.keys())
        for row in result:
            yield dict(zip(names, row, strict=True))


def scan_entities(reader: Reader, project_id: str) -> Iterable[Any]:
    """Return (id, level, significance, secrecy, since and until with their scenes) of every entity."""
    columns = kg_entities.c
    return reader.connection.execute(
        select(
            columns.id,
            columns.ai_context_level,
            columns.significance,
            columns.secrecy,
            columns.since_chapter,
            columns.since_scene,
            columns.until_chapter,
            columns.until_scene,
        ).where(columns.project_id == project_id)
    )


def scan_names(reader: Reader, project_id: str) -> Iterator[tuple[str, str, str, list[str]]]:
    """Yield (id, type, name, aliases with the names that have moments) of every entity."""
    columns = kg_entities.c
    rows = reader.connection.execute(
        select(columns.id, columns.type, columns.name, columns.aliases_json, columns.names_json).where(
            columns.project_id == project_id
        )
    )
    for entity_id, kind, name, aliases_json, names_json in rows:
        yield entity_id, kind, name, other_names(name, aliases_json, names_json)


def scan_dated_names(reader: Reader, project_id: str) -> Iterable[Any]:
    """Return (id, names_json) of every entity that has names with moments."""
    columns = kg_entities.c
    return reader.connection.execute(
        select(columns.id, columns.names_json).where(columns.project_id == project_id, HAS_DATED_NAMES)
    )


def scan_titles(reader: Reader, project_id: str) -> Iterable[Any]:
    """Return (id, aliases_json, names_json, name, type, since_chapter, since_scene) of every entity."""
    columns = kg_entities.c
    shown = columns.name, columns.type, columns.since_chapter, columns.since_scene
    query = select(columns.id, columns.aliases_json, columns.names_json, *shown).where(
        columns.project_id == project_id
    )
    return reader.connection.execute(query)


def scan_entries(reader: Reader, project_id: str) -> Iterable[Any]:
    """Return (id, entity_id, key, keywords_json, rules_json, level, book_id, secrecy) of every entry."""
    columns = lorebook_entries.c
    return reader.connection.execute(
        select(
            columns.id,
            columns.entity_id,
            columns.entry_key,
            columns.keywords_json,
            columns.rules_json,
            columns.ai_context_level,
            columns.book_id,
            columns.secrecy,
        ).where(columns.project_id == project_id)
    )


def scan_custom_entries(reader: Reader, project_id: str) -> Iterable[Any]:
    """Return (id, priority, search_fold) of every entry without an entity."""
    columns = lorebook_entries.c
    return reader.connection.execute(
        select(columns.id, columns.priority, columns.search_fold).where(
            columns.project_id == project_id, columns.entity_id.is_(None)
        )
    )


def scan_hidden_words(reader: Reader, project_id: str) -> Iterable[tuple[str, ...]]:
    """Yield every name, alias and keyword of what the author hides from models, at any moment."""
    entity, entry = kg_entities.c, lorebook_entries.c
    hidden = [level.value for level in AiContextLevel if not may_be_told(level, named=False)]
    entities = select(entity.id, entity.name, entity.aliases_json, entity.names_json).where(
        entity.project_id == project_id, entity.ai_context_level.in_(hidden)
    )
    ids = []
    for entity_id, name, aliases, names in reader.connection.execute(entities):
        ids.append(entity_id)
        yield name, *other_names(name, aliases, names)
    entries = select(entry.entry_key, entry.keywords_json).where(
        entry.project_id == project_id,
        or_(
            and_(entry.entity_id.is_(None), entry.ai_context_level.in_(hidden)),
            any_of(entry.entity_id, ids),
        ),
    )
    for key, keywords in reader.connection.execute(entries):
        yield key, *orjson.loads(keywords)


def scan_prompt_texts(reader: Reader, project_id: str) -> Iterable[Any]:
    """Return (id, prompt_text) of every entity."""
    columns = kg_entities.c
    return reader.connection.execute(
        select(columns.id, columns.prompt_text).where(columns.project_id == project_id)
    )


def scan_relations(reader: Reader, project_id: str) -> Iterable[Any]:
    """(id, source, target, type, description, properties_json, since and until with their scenes) of each."""
    columns = kg_relations.c
    return reader.connection.execute(
        select(
            columns.id,
            columns.source_entity_id,
            columns.target_entity_id,
            columns.relation_type,
            columns.description,
            columns.properties_json,
            columns.since_chapter,
            columns.since_scene,
            columns.until_chapter,
            columns.until_scene,
        ).where(columns.project_id == project_id)
    )


def scan_scenes(reader: Reader, project_id: str) -> Iterable[Any]:
    """Return (id, chapter, scene, title, text) of every scene."""
    columns = scenes.c
    return reader.connection.execute(
        select(columns.id, columns.chapter_index, columns.scene_index, columns.title, columns.text).where(
            columns.project_id == project_id
        )
    )


def scan_scene_places(reader: Reader, project_id: str) -> Iterable[Any]:
    """Return (chapter, scene) of every scene."""
    columns = scenes.c
    query = select(columns.chapter_index, columns.scene_index).where(columns.project_id == project_id)
    return reader.connection.execute(query)


def scan_scene_times(reader: Reader, project_id: str) -> Iterable[Any]:
    """Return (chapter, scene, day, end) of every scene with a world time."""
    columns = scenes.c
    when = columns.chapter_index, columns.scene_index, columns.world_day, columns.world_end
    query = select(*when).where(columns.project_id == project_id, columns.world_day.is_not(None))
    return reader.connection.execute(query)


def scan_world_dated(reader: Reader, project_id: str, kind: RowKind) -> Iterable[Any]:
    """Return (id, first day, last day, told chapter and scene) of the rows that have any of these."""
    columns = kind.table.c
    when = columns.valid_from_day, columns.valid_to_day, columns.told_chapter, columns.told_scene
    query = select(columns.id, *when).where(columns.project_id == project_id, text(IS_WORLD_DATED))
    return reader.connection.execute(query)


def scan_places(reader: Reader, project_id: str) -> Plain:
    """Return (id, type, name, layout_x, layout_y) of every entity, by id."""
    columns = kg_entities.c
    return _plain(
        reader,
        select(columns.id, columns.type, columns.name, columns.layout_x, columns.layout_y)
        .where(columns.project_id == project_id)
        .order_by(columns.id),
    )


def scan_arrows(reader: Reader, project_id: str) -> Plain:
    """Return (id, source, target, type) of every relation, by id."""
    columns = kg_relations.c
    return _plain(
        reader,
        select(columns.id, columns.source_entity_id, columns.target_entity_id, columns.relation_type)
        .where(columns.project_id == project_id)
        .order_by(columns.id),
    )


def scan_periods(reader: Reader, project_id: str) -> Plain:
    """Return (id, since and until with their scenes) of every entity, relation and role with a period."""
    found: Plain = []
    for table in (kg_entities, kg_relations, kg_event_roles):
        columns = table.c
        period = columns.since_chapter, columns.since_scene, columns.until_chapter, columns.until_scene
        query = select(columns.id, *period).where(
            columns.project_id == project_id,
            or_(columns.since_chapter.is_not(None), columns.until_chapter.is_not(None)),
        )
        found += _plain(reader, query)
    return found


def _plain(reader: Reader, query: Any) -> Plain:
    """Return rows as the driver gives them: a hundred thousand need no column names."""
    cursor = reader.connection.execute(query).cursor
    assert cursor is not None
    return list(cursor.fetchall())
