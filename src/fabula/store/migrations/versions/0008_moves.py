"""How far a move from another database is."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "move_parts",
        sa.Column("project_id", sa.Text, nullable=False),
        sa.Column("part", sa.Text, nullable=False),
        sa.Column("row_count", sa.Integer, nullable=False),
        sa.Column("checksum", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("project_id", "part"),
    )
