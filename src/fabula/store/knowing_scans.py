"""Read what knowledge is derived from, as plain rows for the compiled index."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson
from sqlalchemy import or_, select

from fabula.store.event_tables import kg_events
from fabula.store.evidence_tables import fact_evidence
from fabula.store.kinds import ENTITY, ENTRY, RELATION, STATE, THREAD
from fabula.store.knowing_tables import knowings
from fabula.store.querying import of_story
from fabula.store.reader import Reader
from fabula.store.rowkind import Row, RowKind
from fabula.store.tables import context_snapshots

_PRIVATE = "private"
# The columns of private facts that matter to who knows them.
_SHOWN: dict[RowKind, tuple[str, ...]] = {
    ENTITY: ("type",),
    ENTRY: ("entity_id",),
    RELATION: ("source_entity_id", "target_entity_id"),
    STATE: ("entity_id",),
}
_COMMON = ("id", "secrecy", "since_chapter", "since_scene", "until_chapter", "until_scene")


def scan_knowings(reader: Reader, project_id: str) -> Iterator[Row]:
    """Yield the rows of all knowings, the oldest first."""
    columns = knowings.c
    query = of_story(knowings, project_id).order_by(columns.created_at, columns.id)
    return _rows(reader, query)


def scan_private(reader: Reader, project_id: str) -> Iterator[tuple[RowKind, Row]]:
    """Yield the private facts with their kinds."""
    for kind, shown in _SHOWN.items():
        columns = kind.table.c
        query = select(*(columns[name] for name in (*_COMMON, *shown))).where(
            columns.project_id == project_id, columns.secrecy == _PRIVATE
        )
        for row in _rows(reader, query):
            yield kind, row
    for row in _private_threads(reader, project_id):
        yield THREAD, row


def scan_tellings(reader: Reader, project_id: str) -> Iterator[Row]:
    """Yield the events that tell something or have a place in their scene."""
    columns = kg_events.c
    query = select(columns.id, columns.place, columns.tells_json).where(
        columns.project_id == project_id, or_(columns.place != 0, columns.tells_json != "[]")
    )
    return _rows(reader, query)


def scan_stages(reader: Reader, project_id: str) -> Iterator[Row]:
    """Yield who is on stage in each scene that has a snapshot."""
    columns = context_snapshots.c
    query = select(
        columns.id, columns.chapter_index, columns.scene_index, columns.active_characters_json
    ).where(columns.project_id == project_id)
    return _rows(reader, query)


def scan_quotations(reader: Reader, project_id: str) -> Iterator[Row]:
    """Yield which quotation of which scene shows which fact, the oldest first, then private threads."""
    columns = fact_evidence.c
    shown = (columns.id, columns.fact_kind, columns.fact_id, columns.scene_id, columns.quotation)
    query = (
        select(*shown, columns.occurrence)
        .where(columns.project_id == project_id)
        .order_by(columns.created_at, columns.id)
    )
    yield from _rows(reader, query)
    for thread in _private_threads(reader, project_id):
        for points in orjson.loads(thread["points_json"]).values():
            for point in points:
                yield {**point, "fact_kind": THREAD.name, "fact_id": thread["id"]}


def _private_threads(reader: Reader, project_id: str) -> Iterator[Row]:
    columns = THREAD.table.c
    query = select(columns.id, columns.secrecy, columns.points_json).where(
        columns.project_id == project_id, columns.secrecy == _PRIVATE
    )
    return _rows(reader, query)


def _rows(reader: Reader, query: Any) -> Iterator[Row]:
    result = reader.connection.execute(query)
    names = tuple(result.keys())
    return (dict(zip(names, row, strict=True)) for row in result)
