"""Who knows which fact, which facts are private, and what an event tells those who take part."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"

_PERIOD = ("since_chapter", "since_scene", "until_chapter", "until_scene")


def upgrade() -> None:
    """Create the table; all facts so far are public, and no event tells anything."""
    op.create_table(
        "knowings",
        sa.Column("project_id", sa.Text, nullable=False),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("fact_kind", sa.Text, nullable=False),
        sa.Column("fact_id", sa.Text, nullable=False),
        sa.Column("knower_id", sa.Text, nullable=False),
        sa.Column("knows", sa.Integer, nullable=False),
        sa.Column("how", sa.Text, nullable=False),
        sa.Column("belief", sa.Text, nullable=False),
        sa.Column("source_scene_id", sa.Text),
        sa.Column("source_event_id", sa.Text),
        sa.Column("source_quotation", sa.Text),
        *(sa.Column(name, sa.Integer) for name in _PERIOD),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("created_at", sa.Text, nullable=False),
        sa.Column("updated_at", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("project_id", "id"),
        sa.ForeignKeyConstraint(["project_id"], ["stories.project_id"]),
    )
    for name, column in (
        ("fact", "fact_id"),
        ("knower", "knower_id"),
        ("scene", "source_scene_id"),
        ("event", "source_event_id"),
    ):
        op.create_index(f"idx_knowings_{name}", "knowings", ["project_id", column])
    for table in ("kg_entities", "kg_relations", "kg_entity_states", "lorebook_entries"):
        op.add_column(table, sa.Column("secrecy", sa.Text, nullable=False, server_default="public"))
    op.add_column("kg_events", sa.Column("place", sa.Integer, nullable=False, server_default="0"))
    op.add_column("kg_events", sa.Column("tells_json", sa.Text, nullable=False, server_default="[]"))
