"""World time: when scenes play, when facts are valid, and when they are told."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"

_FACTS = ("kg_entities", "kg_relations", "kg_entity_states", "lorebook_entries")
_VALIDITY = (
    ("valid_from_day", sa.Float),
    ("valid_from_label", sa.Text),
    ("valid_to_day", sa.Float),
    ("valid_to_label", sa.Text),
    ("told_chapter", sa.Integer),
    ("told_scene", sa.Integer),
)
_IS_DATED = sa.text("(valid_from_day IS NOT NULL OR valid_to_day IS NOT NULL OR told_chapter IS NOT NULL)")
_PLAYS = sa.text("world_day IS NOT NULL")


def upgrade() -> None:
    """Add the columns, and an index of the rows that have any of them."""
    for table in _FACTS:
        for name, kind in _VALIDITY:
            op.add_column(table, sa.Column(name, kind))
    for name, kind in (("world_day", sa.Float), ("world_end", sa.Float), ("world_label", sa.Text)):
        op.add_column("scenes", sa.Column(name, kind))
    op.create_index(
        "idx_scenes_world_time",
        "scenes",
        ["project_id", "chapter_index", "scene_index", "world_day", "world_end"],
        sqlite_where=_PLAYS,
        postgresql_where=_PLAYS,
    )
    for table in ("kg_entities", "kg_relations"):
        op.create_index(
            f"idx_{table}_world_dated",
            table,
            ["project_id", "id"],
            sqlite_where=_IS_DATED,
            postgresql_where=_IS_DATED,
        )
