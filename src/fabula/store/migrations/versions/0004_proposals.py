"""What extraction proposes, waiting for the author."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Create the tables."""
    table = "entity_extractions"
    op.create_table(
        table,
        _text("project_id"),
        _text("id"),
        sa.Column("manuscript_id", sa.Text),
        sa.Column("chapter_index", sa.Integer),
        sa.Column("scene_index", sa.Integer),
        _text("kind"),
        _text("entity_name"),
        _text("name_key"),
        _text("entity_type"),
        _text("attributes_json"),
        _text("aliases_json"),
        _text("source_text"),
        sa.Column("source_start", sa.Integer),
        sa.Column("source_end", sa.Integer),
        sa.Column("confidence", sa.Float, nullable=False),
        sa.Column("same_as", sa.Text),
        _text("extractor"),
        _text("suggestion"),
        sa.Column("reviewed", sa.Integer, nullable=False),
        _text("review_action"),
        sa.Column("linked_lorebook_id", sa.Text),
        sa.Column("linked_entity_id", sa.Text),
        sa.Column("version", sa.Integer, nullable=False),
        _text("created_at"),
        _text("updated_at"),
        sa.PrimaryKeyConstraint("project_id", "id"),
        sa.ForeignKeyConstraint(["project_id"], ["stories.project_id"]),
    )
    op.create_index("idx_extraction_manuscript", table, ["project_id", "manuscript_id"])
    op.create_index("idx_extraction_type", table, ["project_id", "entity_type"])
    op.create_index("idx_extraction_review", table, ["project_id", "reviewed"])
    op.create_index("idx_extraction_name", table, ["project_id", "name_key"])
    op.create_index(
        "idx_extraction_story",
        table,
        ["project_id", sa.text("created_at DESC"), sa.text("confidence DESC"), "id"],
    )


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=False)
