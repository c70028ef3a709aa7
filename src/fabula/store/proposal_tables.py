"""The table of proposals, pending and reviewed."""

from __future__ import annotations

from sqlalchemy import Column, Float, ForeignKeyConstraint, Index, Table, Text

from fabula.store.dialect import Number
from fabula.store.tables import metadata

entity_extractions = Table(
    "entity_extractions",
    metadata,
    Column("project_id", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("manuscript_id", Text),
    Column("chapter_index", Number),
    Column("scene_index", Number),
    Column("kind", Text, nullable=False),
    Column("entity_name", Text, nullable=False),
    Column("name_key", Text, nullable=False),
    Column("entity_type", Text, nullable=False),
    Column("attributes_json", Text, nullable=False),
    Column("aliases_json", Text, nullable=False),
    Column("source_text", Text, nullable=False),
    Column("source_start", Number),
    Column("source_end", Number),
    Column("confidence", Float, nullable=False),
    Column("same_as", Text),
    Column("extractor", Text, nullable=False),
    Column("suggestion", Text, nullable=False),
    Column("reviewed", Number, nullable=False),
    Column("review_action", Text, nullable=False),
    Column("linked_lorebook_id", Text),
    Column("linked_entity_id", Text),
    Column("version", Number, nullable=False),
    Column("created_at", Text, nullable=False),
    Column("updated_at", Text, nullable=False),
    # Null for proposals without facts, as in log entries older than the column.
    Column("facts_json", Text),
    ForeignKeyConstraint(["project_id"], ["stories.project_id"]),
    Index("idx_extraction_manuscript", "project_id", "manuscript_id"),
    Index("idx_extraction_type", "project_id", "entity_type"),
    Index("idx_extraction_review", "project_id", "reviewed"),
    Index("idx_extraction_name", "project_id", "name_key"),
)

# The queue is read newest first, then by descending confidence: exactly this order.
Index(
    "idx_extraction_story",
    entity_extractions.c.project_id,
    entity_extractions.c.created_at.desc(),
    entity_extractions.c.confidence.desc(),
    entity_extractions.c.id,
)
