"""Read whole stories for export: entities, places, and revisions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from sqlalchemy import select

from fabula.model.lore import LoreEntry
from fabula.model.proposal import Proposal
from fabula.store.dialect import any_of
from fabula.store.kinds import KINDS
from fabula.store.lore_rows import entry_from_row
from fabula.store.proposal_rows import proposal_from_row
from fabula.store.proposal_tables import entity_extractions
from fabula.store.querying import of_story
from fabula.store.reader import Edition, Reader
from fabula.store.tables import (
    chapters,
    context_snapshots,
    kg_entities,
    lorebook_entries,
    scenes,
    stories,
)

# A story without rows of these kinds is empty; relation types exist from the beginning.
_CONTENTS = tuple(name for name in KINDS if name not in ("story", "relation_type"))


def editions(reader: Reader, ids: Iterable[str] | None = None) -> dict[str, Edition]:
    """Return the editions of these stories, or of all, that exist."""
    query = select(stories.c.project_id, stories.c.created_at, stories.c.revision)
    if ids is not None:
        query = query.where(any_of(stories.c.project_id, ids))
    return {key: Edition(began, revision) for key, began, revision in reader.connection.execute(query)}


def identities(reader: Reader, project_id: str, ids: Iterable[str] | None = None) -> Iterable[Any]:
    """Return (id, type, name) of these entities, or of all sorted by type and name."""
    columns = kg_entities.c
    query = select(columns.id, columns.type, columns.name).where(columns.project_id == project_id)
    if ids is not None:
        # Not sorted: the database would scan all entities rather than sort a few.
        return reader.connection.execute(query.where(any_of(columns.id, ids)))
    return reader.connection.execute(query.order_by(columns.type, columns.name_key))


def custom_entries(reader: Reader, project_id: str) -> Iterator[LoreEntry]:
    """Return the entries without an entity, sorted by book and key."""
    query = of_story(lorebook_entries, project_id).where(lorebook_entries.c.entity_id.is_(None))
    return map(
        entry_from_row, reader.all(query.order_by(lorebook_entries.c.book_id, lorebook_entries.c.key_fold))
    )


def places(reader: Reader, project_id: str) -> list[tuple[int, int]]:
    """Return all places with a scene or a snapshot, in story order."""
    found: set[tuple[int, int]] = set()
    for table in (scenes, context_snapshots):
        query = select(table.c.chapter_index, table.c.scene_index).where(table.c.project_id == project_id)
        found |= {(chapter, scene) for chapter, scene in reader.connection.execute(query)}
    return sorted(found)


def titled_chapters(reader: Reader, project_id: str) -> list[int]:
    """Return the chapters with fields of their own."""
    query = select(chapters.c.chapter_index).where(chapters.c.project_id == project_id)
    return sorted(reader.connection.execute(query).scalars())


def proposal_chapters(reader: Reader, project_id: str) -> list[int | None]:
    """Return the chapters with proposals; None stands for proposals without a place."""
    column = entity_extractions.c.chapter_index
    query = select(column).where(entity_extractions.c.project_id == project_id).distinct()
    return sorted(reader.connection.execute(query).scalars(), key=lambda number: (number is None, number))


def proposals_from(reader: Reader, project_id: str, chapter: int | None) -> list[Proposal]:
    """Return the proposals from a chapter."""
    column = entity_extractions.c.chapter_index
    here = column.is_(None) if chapter is None else column == chapter
    return list(map(proposal_from_row, reader.all(of_story(entity_extractions, project_id).where(here))))


def is_empty(reader: Reader, project_id: str) -> bool:
    """Whether the story has no content."""
    tables = (KINDS[name].table for name in _CONTENTS)
    return all(
        reader.connection.execute(
            select(table.c.project_id).where(table.c.project_id == project_id).limit(1)
        ).first()
        is None
        for table in tables
    )
