"""Read reveals, and convert them to rows and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import orjson
from sqlalchemy import bindparam, or_, select

from fabula.model.reveal import Reveal
from fabula.store.querying import Querying
from fabula.store.reveal_tables import reveals
from fabula.store.rowkind import Row, json_text, moment_of
from fabula.store.statement import Statement, in_story, listed, within_story

_COLUMNS = reveals.c
_ONE = in_story(reveals, _COLUMNS.id == bindparam("id"))
_ALL = Statement(
    select(reveals)
    .where(within_story(reveals))
    .order_by(_COLUMNS.at_chapter, _COLUMNS.at_scene, _COLUMNS.created_at, _COLUMNS.id)
)
_OF_ENTITIES = in_story(reveals, or_(listed(_COLUMNS.first_entity_id), listed(_COLUMNS.second_entity_id)))


def reveal_row(reveal: Reveal) -> Row:
    """Convert a reveal to a row."""
    return {
        "project_id": reveal.project_id,
        "id": reveal.id,
        "first_entity_id": reveal.entity_ids[0],
        "second_entity_id": reveal.entity_ids[1],
        "at_chapter": reveal.at.chapter,
        "at_scene": reveal.at.scene,
        "known_to_json": None if reveal.known_to is None else json_text(reveal.known_to),
        "version": reveal.version,
        "created_at": reveal.created_at,
        "updated_at": reveal.updated_at,
    }


def reveal_from_row(row: Mapping[str, Any]) -> Reveal:
    """Convert a row to a reveal."""
    known_to = row["known_to_json"]
    return Reveal.trusted(
        id=row["id"],
        project_id=row["project_id"],
        entity_ids=(row["first_entity_id"], row["second_entity_id"]),
        at=moment_of(row["at_chapter"], row["at_scene"]),
        known_to=None if known_to is None else tuple(orjson.loads(known_to)),
        version=row["version"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )


class RevealReader(Querying):
    """Reads the reveals of all stories."""

    def reveal(self, project_id: str, reveal_id: str) -> Reveal | None:
        """Return the reveal with this id."""
        row = self.fetch_row(_ONE, story=project_id, id=reveal_id)
        return None if row is None else reveal_from_row(row)

    def all_of(self, project_id: str) -> tuple[Reveal, ...]:
        """Return the reveals of a story in the order of their moments."""
        return tuple(map(reveal_from_row, self.fetch_rows(_ALL, story=project_id)))

    def of_entities(self, project_id: str, ids: Iterable[str]) -> tuple[Reveal, ...]:
        """Return the reveals that join one of these entities with another."""
        rows = self.fetch_rows(_OF_ENTITIES, story=project_id, listed=list(ids))
        return tuple(map(reveal_from_row, rows))
