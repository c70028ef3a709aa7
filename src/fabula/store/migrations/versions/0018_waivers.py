"""Which findings of checks are intended."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "check_waivers",
        sa.Column("project_id", sa.Text, nullable=False),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("rule", sa.Text, nullable=False),
        sa.Column("facts_json", sa.Text, nullable=False),
        sa.Column("here", sa.Text, nullable=False),
        sa.Column("there", sa.Text, nullable=False),
        sa.Column("here_quotation", sa.Text, nullable=False),
        sa.Column("there_quotation", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("created_at", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("project_id", "id"),
        sa.ForeignKeyConstraint(["project_id"], ["stories.project_id"]),
    )
