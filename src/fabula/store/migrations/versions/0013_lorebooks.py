"""Lorebooks beside the story's own, and the book of every entry; keys are unique within a book."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Create the table, and put every entry into its story's own book."""
    op.create_table(
        "lorebooks",
        sa.Column("project_id", sa.Text, nullable=False),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("activation", sa.Text, nullable=False),
        sa.Column("enabled", sa.Integer, nullable=False),
        sa.Column("settings_json", sa.Text, nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("extensions_json", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("created_at", sa.Text, nullable=False),
        sa.Column("updated_at", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("project_id", "id"),
        sa.ForeignKeyConstraint(["project_id"], ["stories.project_id"]),
    )
    table = "lorebook_entries"
    op.add_column(table, sa.Column("book_id", sa.Text, nullable=False, server_default="own"))
    op.add_column(table, sa.Column("place", sa.Integer, nullable=False, server_default="0"))
    op.drop_index("idx_lorebook_key", table)
    op.create_index("idx_lorebook_key", table, ["project_id", "book_id", "key_fold"], unique=True)
