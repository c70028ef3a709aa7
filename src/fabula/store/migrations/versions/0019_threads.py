"""Threads, and which part of a fact a quotation says."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    """Create the table, and add the column."""
    op.create_table(
        "story_threads",
        sa.Column("project_id", sa.Text, nullable=False),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("people_json", sa.Text, nullable=False),
        sa.Column("points_json", sa.Text, nullable=False),
        sa.Column("due_chapter", sa.Integer),
        sa.Column("due_scene", sa.Integer),
        sa.Column("due_within", sa.Integer),
        sa.Column("dropped", sa.Integer, nullable=False),
        sa.Column("ai_context_level", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("created_at", sa.Text, nullable=False),
        sa.Column("updated_at", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("project_id", "id"),
        sa.ForeignKeyConstraint(["project_id"], ["stories.project_id"]),
    )
    op.add_column("fact_evidence", sa.Column("attests_json", sa.Text))
