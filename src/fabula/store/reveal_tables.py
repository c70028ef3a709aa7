"""The table of reveals: which two entities turn out to be one, and when."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKeyConstraint, Index, Table, Text

from fabula.store.dialect import Number
from fabula.store.tables import metadata

reveals = Table(
    "reveals",
    metadata,
    Column("project_id", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("first_entity_id", Text, nullable=False),
    Column("second_entity_id", Text, nullable=False),
    Column("at_chapter", Number, nullable=False),
    Column("at_scene", Number),
    # Null where everybody learns it.
    Column("known_to_json", Text),
    Column("version", Number, nullable=False),
    Column("created_at", Text, nullable=False),
    Column("updated_at", Text, nullable=False),
    ForeignKeyConstraint(["project_id", "first_entity_id"], ["kg_entities.project_id", "kg_entities.id"]),
    ForeignKeyConstraint(["project_id", "second_entity_id"], ["kg_entities.project_id", "kg_entities.id"]),
    Index("idx_reveals_first", "project_id", "first_entity_id"),
    Index("idx_reveals_second", "project_id", "second_entity_id"),
)
