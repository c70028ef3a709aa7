"""The lorebook, the manuscript, snapshots, states of entities, and people with their roles."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_PERIOD = ("since_chapter", "since_scene", "until_chapter", "until_scene")


def upgrade() -> None:
    """Create the tables of the second floor."""
    for name in _PERIOD:
        op.add_column("kg_entities", sa.Column(name, sa.Integer))
    _entity_states()
    _lorebook()
    _manuscript()
    _snapshots()
    _people()


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=False)


def _number(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer, nullable=False)


def _period() -> list[sa.Column[int]]:
    return [sa.Column(name, sa.Integer) for name in _PERIOD]


def _versioned() -> list[sa.Column[int] | sa.Column[str]]:
    return [_number("version"), _text("created_at"), _text("updated_at")]


def _owned() -> list[sa.Constraint]:
    return [
        sa.PrimaryKeyConstraint("project_id", "id"),
        sa.ForeignKeyConstraint(["project_id"], ["stories.project_id"]),
    ]


def _of_entity() -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["project_id", "entity_id"], ["kg_entities.project_id", "kg_entities.id"])


def _entity_states() -> None:
    op.create_table(
        "kg_entity_states",
        _text("project_id"),
        _text("id"),
        _text("entity_id"),
        _text("description"),
        _text("attributes_json"),
        *_period(),
        *_versioned(),
        sa.PrimaryKeyConstraint("project_id", "id"),
        _of_entity(),
    )
    op.create_index("idx_kg_entity_states_entity", "kg_entity_states", ["project_id", "entity_id"])


def _lorebook() -> None:
    table = "lorebook_entries"
    op.create_table(
        table,
        _text("project_id"),
        _text("id"),
        sa.Column("entity_id", sa.Text),
        _text("user_id"),
        _text("entry_key"),
        _text("key_fold"),
        _text("search_fold"),
        _text("display_name"),
        _text("content"),
        _text("keywords_json"),
        _number("priority"),
        _number("enabled"),
        _text("insertion_position"),
        _number("token_budget"),
        _text("ai_context_level"),
        _text("rules_json"),
        *_period(),
        _text("extensions_json"),
        *_versioned(),
        *_owned(),
        _of_entity(),
    )
    op.create_index("idx_lorebook_key", table, ["project_id", "key_fold"], unique=True)
    op.create_index("idx_lorebook_entity", table, ["project_id", "entity_id"], unique=True)
    op.create_index("idx_lorebook_enabled", table, ["project_id", "enabled"])
    op.create_index("idx_lorebook_level", table, ["project_id", "ai_context_level"])
    op.create_index(f"idx_{table}_project", table, ["project_id", sa.text("updated_at DESC"), "id"])


def _manuscript() -> None:
    op.create_table(
        "chapters",
        _text("project_id"),
        _text("id"),
        _number("chapter_index"),
        _text("title"),
        *_versioned(),
        *_owned(),
    )
    op.create_index("idx_chapters_place", "chapters", ["project_id", "chapter_index"], unique=True)
    op.create_table(
        "scenes",
        _text("project_id"),
        _text("id"),
        _number("chapter_index"),
        _number("scene_index"),
        _text("title"),
        _text("text"),
        _number("word_count"),
        *_versioned(),
        *_owned(),
    )
    op.create_index("idx_scenes_place", "scenes", ["project_id", "chapter_index", "scene_index"], unique=True)


def _snapshots() -> None:
    table = "context_snapshots"
    op.create_table(
        table,
        _text("project_id"),
        _text("id"),
        sa.Column("manuscript_id", sa.Text),
        _number("chapter_index"),
        _number("scene_index"),
        _text("active_characters_json"),
        _text("active_locations_json"),
        _text("timeline_position"),
        _text("summary"),
        _text("emotional_tone"),
        _number("word_count"),
        *_versioned(),
        *_owned(),
    )
    place = ["project_id", "chapter_index", "scene_index"]
    op.create_index("idx_snapshot_chapter_scene", table, place, unique=True)


def _people() -> None:
    op.create_table(
        "users",
        _text("id"),
        _text("name"),
        _text("name_key"),
        _text("created_at"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("idx_users_name", "users", ["name_key"], unique=True)
    op.create_table(
        "user_tokens",
        _text("user_id"),
        _text("id"),
        _text("token_hash"),
        _text("label"),
        _text("created_at"),
        sa.PrimaryKeyConstraint("user_id", "id"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"]),
    )
    op.create_index("idx_user_tokens_hash", "user_tokens", ["token_hash"], unique=True)
    op.create_table(
        "story_members",
        _text("project_id"),
        _text("user_id"),
        _text("role"),
        _text("created_at"),
        sa.PrimaryKeyConstraint("project_id", "user_id"),
        sa.ForeignKeyConstraint(["project_id"], ["stories.project_id"]),
    )
    op.create_index("idx_story_members_user", "story_members", ["user_id", "project_id"])
