"""The tables of embeddings, which are derived from the story and not recorded in the change log."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKeyConstraint, Index, LargeBinary, Table, Text

from fabula.store.dialect import Number
from fabula.store.tables import metadata

embedding_sets = Table(
    "embedding_sets",
    metadata,
    Column("project_id", Text, primary_key=True),
    Column("model", Text, nullable=False),
    Column("dimensions", Number, nullable=False),
    Column("kinds", Text, nullable=False),
    Column("aim", Number, nullable=False),
    Column("revision", Number, nullable=False),
    Column("batch", Number, nullable=False),
    Column("dropped_in", Number, nullable=False),
    ForeignKeyConstraint(["project_id"], ["stories.project_id"]),
)

embeddings = Table(
    "embeddings",
    metadata,
    Column("project_id", Text, primary_key=True),
    Column("owner_kind", Text, primary_key=True),
    Column("owner_id", Text, primary_key=True),
    Column("part", Number, primary_key=True, autoincrement=False),
    Column("text_hash", LargeBinary, nullable=False),
    Column("vector", LargeBinary, nullable=False),
    Column("batch", Number, nullable=False),
    ForeignKeyConstraint(["project_id"], ["embedding_sets.project_id"]),
    Index("idx_embeddings_batch", "project_id", "batch"),
)
