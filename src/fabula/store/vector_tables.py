"""The tables of vectors: made from the story, kept beside it, not under the change log."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKeyConstraint, Index, Integer, LargeBinary, Table, Text

from fabula.store.tables import metadata

embedding_sets = Table(
    "embedding_sets",
    metadata,
    Column("project_id", Text, primary_key=True),
    Column("model", Text, nullable=False),
    Column("dimensions", Integer, nullable=False),
    Column("kinds", Text, nullable=False),
    Column("aim", Integer, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("batch", Integer, nullable=False),
    Column("dropped_in", Integer, nullable=False),
    ForeignKeyConstraint(["project_id"], ["stories.project_id"]),
)

embeddings = Table(
    "embeddings",
    metadata,
    Column("project_id", Text, primary_key=True),
    Column("owner_kind", Text, primary_key=True),
    Column("owner_id", Text, primary_key=True),
    Column("part", Integer, primary_key=True, autoincrement=False),
    Column("text_hash", LargeBinary, nullable=False),
    Column("vector", LargeBinary, nullable=False),
    Column("batch", Integer, nullable=False),
    ForeignKeyConstraint(["project_id"], ["embedding_sets.project_id"]),
    Index("idx_embeddings_batch", "project_id", "batch"),
)
