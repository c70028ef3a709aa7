"""The rows of a story as they were at an earlier revision, read from today's rows and the change log."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from sqlalchemy import Table

from fabula.store.account_tables import story_members
from fabula.store.change import Change
from fabula.store.conversation_tables import (
    client_contexts,
    context_receipts,
    conversation_states,
    conversations,
)
from fabula.store.engines import engine_at
from fabula.store.gone_tables import gone_stories
from fabula.store.job_tables import job_hints, job_parts, jobs, novel_readings, scene_readings
from fabula.store.kinds import KINDS, STORY
from fabula.store.migrate import migrate
from fabula.store.move_tables import move_parts
from fabula.store.querying import of_story
from fabula.store.reader import Reader
from fabula.store.rowkind import Row, RowKind
from fabula.store.tables import metadata, stories, story_changes, story_steps
from fabula.store.vector_tables import embedding_sets, embeddings
from fabula.store.whole_file import flatten

# Tables that say nothing of what is true in a story.
LEFT_BEHIND = frozenset(
    {
        client_contexts,
        context_receipts,
        conversation_states,
        conversations,
        gone_stories,
        job_hints,
        job_parts,
        jobs,
        move_parts,
        novel_readings,
        scene_readings,
        story_members,
    }
)
_KIND_IN = {kind.table: kind for kind in KINDS.values()}


@lru_cache(1)
def blank_database() -> bytes:
    """Return the file of a database without stories: to make one takes longer than to fill it."""
    with TemporaryDirectory(prefix="fabula-") as folder:
        place = Path(folder) / "fabula.db"
        engine = engine_at(place, writes=True)
        try:
            migrate(engine)
        finally:
            engine.dispose()
        flatten(place)
        return place.read_bytes()


class PastStory(NamedTuple):
    """The rows of a story by table, referenced ones first, and how they differ from today's."""

    rows: tuple[tuple[Table, list[Row]], ...]
    changes: tuple[Change, ...]


def story_as_of(reader: Reader, project_id: str, revision: int, *, with_vectors: bool = True) -> PastStory:
    """Return the rows of a story as of a revision; what the log does not record is as it is today."""
    was: dict[str, dict[str, Row | None]] = {name: {} for name in KINDS}
    for name, row_id, before, _ in reader.log.images_since(project_id, revision, KINDS):
        if row_id not in was[name]:
            was[name][row_id] = KINDS[name].remembered(before)
    rows, changes = [], []
    left_behind = LEFT_BEHIND if with_vectors else LEFT_BEHIND | {embedding_sets, embeddings}
    for table in metadata.sorted_tables:
        if "project_id" not in table.c or table in left_behind:
            continue
        query = of_story(table, project_id)
        if table in (story_steps, story_changes):
            # Old names of secrets are in the log.
            query = query.where(table.c.revision <= revision)
        now, kind = reader.all(query), _KIND_IN.get(table)
        if kind is not None and was[kind.name]:
            now, turned = _turned_back(kind, project_id, now, was[kind.name])
            changes += turned
        rows.append((table, _as_then(table, now, revision)))
    return PastStory(tuple(rows), tuple(changes))


def _as_then(table: Table, rows: list[Row], revision: int) -> list[Row]:
    """Return the rows of a story, its steps or its embeddings without what they say of later steps."""
    if table is stories:
        return [{**row, "revision": revision} for row in rows]
    if table is embedding_sets:
        return [{**row, "aim": 0, "revision": 0} for row in rows]
    if table is story_steps:
        return [{**row, "reverted_by": None} if (row["reverted_by"] or 0) > revision else row for row in rows]
    return rows


def _turned_back(
    kind: RowKind, project_id: str, now: list[Row], was: dict[str, Row | None]
) -> tuple[list[Row], list[Change]]:
    current = {row[kind.id_column]: row for row in now}
    kept = [row for key, row in current.items() if key not in was]
    changes = []
    for row_id, image in was.items():
        there = current.get(row_id)
        if image is not None:
            # Counts and times of the story itself are not recorded, and nobody is told of them.
            kept.append({**(there if kind is STORY and there else {}), **kind.row(project_id, image)})
        changes.append(Change(kind, row_id, None if there is None else kind.image(there), image))
    return kept, changes


def versions_at(reader: Reader, project_id: str, revision: int, ids: Collection[str]) -> dict[str, int]:
    """Return the versions that rows with these ids had at a revision, without those changed since."""
    found: dict[str, int] = {}
    for kind in KINDS.values():
        if "version" in kind.columns and kind.id_column != "project_id":
            rows = reader.fetch_rows(kind.select_by_id, story=project_id, listed=ids)
            found.update((row[kind.id_column], row["version"]) for row in rows)
    if reader.edition(project_id).revision > revision:
        for _, row_id in reader.log.touched_since(project_id, revision, KINDS):
            found.pop(row_id, None)
    return found
