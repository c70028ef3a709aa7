"""The tables of conversations, which are not part of the story and not recorded in the change log."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKeyConstraint, Index, Table, Text

from fabula.store.dialect import Number
from fabula.store.tables import metadata

# What clients were last told, and why.
client_contexts = Table(
    "client_contexts",
    metadata,
    Column("project_id", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("at", Text, nullable=False),
    Column("content_json", Text, nullable=False),
    ForeignKeyConstraint(["project_id"], ["stories.project_id"]),
    Index("idx_client_contexts_at", "project_id", "at"),
)

# What contexts were made of, and what is needed to make them again; null if that was too large to keep.
context_receipts = Table(
    "context_receipts",
    metadata,
    Column("project_id", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("at", Text, nullable=False),
    Column("heading_json", Text, nullable=False),
    Column("content_json", Text, nullable=False),
    Column("input_json", Text),
    ForeignKeyConstraint(["project_id"], ["stories.project_id"]),
    Index("idx_context_receipts_at", "project_id", "at"),
)

# The timed effects of a conversation after some of its messages, by the hash of these.
conversation_states = Table(
    "conversation_states",
    metadata,
    Column("project_id", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("at", Text, nullable=False),
    Column("effects_json", Text, nullable=False),
    ForeignKeyConstraint(["project_id"], ["stories.project_id"]),
    Index("idx_conversation_states_at", "project_id", "at"),
)

# Conversations that somebody keeps.
conversations = Table(
    "conversations",
    metadata,
    Column("project_id", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("title", Text, nullable=False),
    Column("forked_from", Text),
    Column("message_count", Number, nullable=False),
    Column("messages_json", Text, nullable=False),
    Column("version", Number, nullable=False),
    Column("created_at", Text, nullable=False),
    Column("updated_at", Text, nullable=False),
    ForeignKeyConstraint(["project_id"], ["stories.project_id"]),
    Index("idx_conversations_updated", "project_id", "updated_at"),
)
