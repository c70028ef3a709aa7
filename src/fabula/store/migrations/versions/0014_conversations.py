"""What clients were told, the timed effects of their conversations, and the conversations that are kept."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "client_contexts",
        sa.Column("project_id", sa.Text, nullable=False),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("content_json", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("project_id", "id"),
        sa.ForeignKeyConstraint(["project_id"], ["stories.project_id"]),
    )
    op.create_index("idx_client_contexts_at", "client_contexts", ["project_id", "at"])
    op.create_table(
        "conversation_states",
        sa.Column("project_id", sa.Text, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("effects_json", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("project_id", "key"),
        sa.ForeignKeyConstraint(["project_id"], ["stories.project_id"]),
    )
    op.create_index("idx_conversation_states_at", "conversation_states", ["project_id", "at"])
    op.create_table(
        "conversations",
        sa.Column("project_id", sa.Text, nullable=False),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("forked_from", sa.Text),
        sa.Column("message_count", sa.Integer, nullable=False),
        sa.Column("messages_json", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("created_at", sa.Text, nullable=False),
        sa.Column("updated_at", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("project_id", "id"),
        sa.ForeignKeyConstraint(["project_id"], ["stories.project_id"]),
    )
    op.create_index("idx_conversations_updated", "conversations", ["project_id", "updated_at"])
