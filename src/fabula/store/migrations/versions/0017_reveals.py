"""Names with moments, and two entities that turn out to be one."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Add the column, and create the table."""
    op.add_column("kg_entities", sa.Column("names_json", sa.Text, nullable=False, server_default="[]"))
    op.create_table(
        "reveals",
        sa.Column("project_id", sa.Text, nullable=False),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("first_entity_id", sa.Text, nullable=False),
        sa.Column("second_entity_id", sa.Text, nullable=False),
        sa.Column("at_chapter", sa.Integer, nullable=False),
        sa.Column("at_scene", sa.Integer),
        sa.Column("known_to_json", sa.Text),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("created_at", sa.Text, nullable=False),
        sa.Column("updated_at", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("project_id", "id"),
        sa.ForeignKeyConstraint(
            ["project_id", "first_entity_id"], ["kg_entities.project_id", "kg_entities.id"]
        ),
        sa.ForeignKeyConstraint(
            ["project_id", "second_entity_id"], ["kg_entities.project_id", "kg_entities.id"]
        ),
    )
    op.create_index("idx_reveals_first", "reveals", ["project_id", "first_entity_id"])
    op.create_index("idx_reveals_second", "reveals", ["project_id", "second_entity_id"])
