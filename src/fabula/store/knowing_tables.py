"""The table of knowings: who knows which fact."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKeyConstraint, Index, Table, Text

from fabula.store.dialect import Number
from fabula.store.tables import metadata, period

knowings = Table(
    "knowings",
    metadata,
    Column("project_id", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("fact_kind", Text, nullable=False),
    Column("fact_id", Text, nullable=False),
    Column("knower_id", Text, nullable=False),
    Column("knows", Number, nullable=False),
    Column("how", Text, nullable=False),
    Column("belief", Text, nullable=False),
    Column("source_scene_id", Text),
    Column("source_event_id", Text),
    Column("source_quotation", Text),
    *period(),
    Column("version", Number, nullable=False),
    Column("created_at", Text, nullable=False),
    Column("updated_at", Text, nullable=False),
    ForeignKeyConstraint(["project_id"], ["stories.project_id"]),
    Index("idx_knowings_fact", "project_id", "fact_id"),
    Index("idx_knowings_knower", "project_id", "knower_id"),
    Index("idx_knowings_scene", "project_id", "source_scene_id"),
    Index("idx_knowings_event", "project_id", "source_event_id"),
)
