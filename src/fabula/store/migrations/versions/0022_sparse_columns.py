"""What few rows have is found without reading the others: names with moments, and facts that events tell."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"

_SPARSE = (
    ("idx_kg_entities_dated_names", "kg_entities", sa.text("names_json <> '[]'")),
    ("idx_kg_events_telling", "kg_events", sa.text("tells_json <> '[]'")),
)


def upgrade() -> None:
    """Add an index of the rows that have any."""
    for name, table, has_any in _SPARSE:
        op.create_index(name, table, ["project_id", "id"], sqlite_where=has_any, postgresql_where=has_any)
