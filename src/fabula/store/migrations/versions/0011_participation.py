"""What is said of somebody's part in an event; and indexes under the names that others know."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0009"

_PERIOD = ("since_chapter", "since_scene", "until_chapter", "until_scene")


def upgrade() -> None:
    """Add the columns, all of them empty."""
    for name in ("description", "properties_json"):
        op.add_column("kg_event_roles", sa.Column(name, sa.Text))
    for name in _PERIOD:
        op.add_column("kg_event_roles", sa.Column(name, sa.Integer))
