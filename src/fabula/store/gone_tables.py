"""The table of deleted stories that a mirror may still hold."""

from __future__ import annotations

from sqlalchemy import Column, Connection, Table, Text, delete, insert, select

from fabula.store.tables import metadata

gone_stories = Table(
    "gone_stories",
    metadata,
    Column("project_id", Text, primary_key=True),
    Column("began", Text, nullable=False),
)


def note_gone(connection: Connection, project_id: str, began: str) -> None:
    """Record that a story was deleted, for those who keep derived data elsewhere."""
    connection.execute(insert(gone_stories), {"project_id": project_id, "began": began})


def gone_of(connection: Connection) -> dict[str, str]:
    """Return the deleted stories, with their creation times."""
    return {row.project_id: row.began for row in connection.execute(select(gone_stories))}


def forget_gone(connection: Connection, project_id: str, began: str) -> None:
    """Delete the record of a deleted story once nothing of it is left anywhere."""
    own = gone_stories.c
    connection.execute(delete(gone_stories).where(own.project_id == project_id, own.began == began))
