"""The tables of users, their tokens, and their roles in stories."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKeyConstraint, Index, Table, Text

from fabula.store.tables import metadata

users = Table(
    "users",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("name_key", Text, nullable=False),
    Column("created_at", Text, nullable=False),
    Index("idx_users_name", "name_key", unique=True),
)

user_tokens = Table(
    "user_tokens",
    metadata,
    Column("user_id", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("token_hash", Text, nullable=False),
    Column("label", Text, nullable=False),
    Column("created_at", Text, nullable=False),
    ForeignKeyConstraint(["user_id"], ["users.id"]),
    Index("idx_user_tokens_hash", "token_hash", unique=True),
)

story_members = Table(
    "story_members",
    metadata,
    Column("project_id", Text, primary_key=True),
    Column("user_id", Text, primary_key=True),
    Column("role", Text, nullable=False),
    Column("created_at", Text, nullable=False),
    ForeignKeyConstraint(["project_id"], ["stories.project_id"]),
    Index("idx_story_members_user", "user_id", "project_id"),
)
