"""The table of stories that were deleted and of which a mirror may still hold something."""

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
    """Note that a story is gone, for those who keep something made from it elsewhere."""
    connection.execute(insert(gone_stories), {"project_id": project_id, "began": began})


def gone_of(connection: Connection) -> dict[str, str]:
    """The stories that are gone, with the time they began."""
    return {row.project_id: row.began for row in connection.execute(select(gone_stories))}


def forget_gone(connection: Connection, project_id: str, began: str) -> None:
    """Forget that a story is gone: nothing of it is left anywhere."""
    own = gone_stories.c
    connection.execute(delete(gone_stories).where(own.project_id == project_id, own.began == began))
