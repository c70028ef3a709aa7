"""The table of threads: promises to the reader."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKeyConstraint, Table, Text

from fabula.store.dialect import Number
from fabula.store.tables import metadata

story_threads = Table(
    "story_threads",
    metadata,
    Column("project_id", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("title", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("note", Text, nullable=False),
    Column("people_json", Text, nullable=False),
    Column("points_json", Text, nullable=False),
    Column("due_chapter", Number),
    Column("due_scene", Number),
    Column("due_within", Number),
    Column("dropped", Number, nullable=False),
    Column("ai_context_level", Text, nullable=False),
    Column("secrecy", Text, nullable=False, server_default="public"),
    Column("version", Number, nullable=False),
    Column("created_at", Text, nullable=False),
    Column("updated_at", Text, nullable=False),
    ForeignKeyConstraint(["project_id"], ["stories.project_id"]),
)
