"""What is said of somebody's part in an event; what an entry is about; indexes that others know by name."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"

_PERIOD = ("since_chapter", "since_scene", "until_chapter", "until_scene")
_CATEGORIES = ("character", "location", "item", "event", "concept", "faction")


def upgrade() -> None:
    """Add columns and indexes, and enter what every entry is about."""
    for name in ("description", "properties_json"):
        op.add_column("kg_event_roles", sa.Column(name, sa.Text))
    for name in _PERIOD:
        op.add_column("kg_event_roles", sa.Column(name, sa.Integer))
    op.create_index("idx_kg_events_level", "kg_events", ["project_id", "level"])
    is_event = sa.text("type = 'event'")
    for name, columns in (("significance", ["significance"]), ("time", ["since_chapter", "since_scene"])):
        op.create_index(
            f"idx_kg_events_{name}",
            "kg_entities",
            ["project_id", *columns],
            sqlite_where=is_event,
            postgresql_where=is_event,
        )
    _lorebook()


def _lorebook() -> None:
    table = "lorebook_entries"
    op.add_column(table, sa.Column("category", sa.Text))
    listed = ", ".join(f"'{category}'" for category in _CATEGORIES)
    op.execute(
        f"UPDATE {table} SET category = COALESCE((SELECT kg_entities.type FROM kg_entities "
        f"WHERE kg_entities.project_id = {table}.project_id AND kg_entities.id = {table}.entity_id "
        f"AND kg_entities.type IN ({listed})), 'custom')"
    )
    op.create_index("idx_lorebook_story", table, ["project_id", sa.text("priority DESC"), "key_fold", "id"])
    op.create_index("idx_lorebook_user", table, ["project_id", "user_id"])
    op.create_index("idx_lorebook_category", table, ["project_id", "category"])
