"""What texts mean, as vectors."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "embedding_sets",
        _text("project_id"),
        _text("model"),
        _number("dimensions"),
        _text("kinds"),
        _number("aim"),
        _number("revision"),
        _number("batch"),
        _number("dropped_in"),
        sa.PrimaryKeyConstraint("project_id"),
        sa.ForeignKeyConstraint(["project_id"], ["stories.project_id"]),
    )
    op.create_table(
        "embeddings",
        _text("project_id"),
        _text("owner_kind"),
        _text("owner_id"),
        _number("part"),
        sa.Column("text_hash", sa.LargeBinary, nullable=False),
        sa.Column("vector", sa.LargeBinary, nullable=False),
        _number("batch"),
        sa.PrimaryKeyConstraint("project_id", "owner_kind", "owner_id", "part"),
        sa.ForeignKeyConstraint(["project_id"], ["embedding_sets.project_id"]),
    )
    op.create_index("idx_embeddings_batch", "embeddings", ["project_id", "batch"])


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=False)


def _number(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer, nullable=False)
