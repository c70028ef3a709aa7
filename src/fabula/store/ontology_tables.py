"""The table of ontologies."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKeyConstraint, Table, Text

from fabula.store.dialect import Number
from fabula.store.tables import metadata

story_ontologies = Table(
    "story_ontologies",
    metadata,
    Column("project_id", Text, primary_key=True),
    Column("definition", Text, nullable=False),
    Column("version", Number, nullable=False),
    Column("created_at", Text, nullable=False),
    Column("updated_at", Text, nullable=False),
    ForeignKeyConstraint(["project_id"], ["stories.project_id"]),
)
