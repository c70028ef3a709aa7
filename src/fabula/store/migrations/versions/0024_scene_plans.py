"""Scenes have a point of view, notes, and a length to reach."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"

_HAS_POV = sa.text("pov_id IS NOT NULL")


def upgrade() -> None:
    """Add the columns; nothing is planned for the scenes so far."""
    for name, kind in (("pov_id", sa.Text), ("notes", sa.Text), ("word_goal", sa.Integer)):
        op.add_column("scenes", sa.Column(name, kind))
    op.create_index(
        "idx_scenes_pov",
        "scenes",
        ["project_id", "pov_id"],
        sqlite_where=_HAS_POV,
        postgresql_where=_HAS_POV,
    )
