"""Which stories were deleted, for the mirrors that still hold them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "gone_stories",
        sa.Column("project_id", sa.Text, nullable=False),
        sa.Column("began", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("project_id"),
    )
