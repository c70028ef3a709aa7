"""Whole stories as plain tuples, for those who compile them: there are too many rows for values."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import select

from fabula.store.reader import Reader
from fabula.store.tables import kg_entities, kg_relations, lorebook_entries, scenes


def scan_entities(reader: Reader, project_id: str) -> Iterable[Any]:
    """(id, ai_context_level, significance, since and until with their scenes) of every entity."""
    columns = kg_entities.c
    return reader.connection.execute(
        select(
            columns.id,
            columns.ai_context_level,
            columns.significance,
            columns.since_chapter,
            columns.since_scene,
            columns.until_chapter,
            columns.until_scene,
        ).where(columns.project_id == project_id)
    )


def scan_names(reader: Reader, project_id: str) -> Iterable[Any]:
    """(id, type, name, aliases_json) of every entity."""
    columns = kg_entities.c
    return reader.connection.execute(
        select(columns.id, columns.type, columns.name, columns.aliases_json).where(
            columns.project_id == project_id
        )
    )


def scan_entries(reader: Reader, project_id: str) -> Iterable[Any]:
    """(id, entity_id, entry_key, keywords_json, rules_json, ai_context_level) of every lorebook entry."""
    columns = lorebook_entries.c
    return reader.connection.execute(
        select(
            columns.id,
            columns.entity_id,
            columns.entry_key,
            columns.keywords_json,
            columns.rules_json,
            columns.ai_context_level,
        ).where(columns.project_id == project_id)
    )


def scan_prompt_texts(reader: Reader, project_id: str) -> Iterable[Any]:
    """(id, prompt_text) of every entity."""
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
    """(id, chapter, scene, title, text) of every scene."""
    columns = scenes.c
    return reader.connection.execute(
        select(columns.id, columns.chapter_index, columns.scene_index, columns.title, columns.text).where(
            columns.project_id == project_id
        )
    )
