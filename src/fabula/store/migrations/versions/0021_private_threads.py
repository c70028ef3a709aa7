"""Threads may be private, like every fact."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    """Add the column; the threads so far are public."""
    op.add_column("story_threads", sa.Column("secrecy", sa.Text, nullable=False, server_default="public"))
