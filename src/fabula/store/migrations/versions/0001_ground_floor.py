"""The ground floor: stories, entities, relations, their words, and the change log."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the first tables."""
    _stories()
    _entities()
    _relation_types()
    _relations()
    _log()


def _text(name: str, **options: object) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=False, **options)  # type: ignore[arg-type]


def _number(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer, nullable=False)


def _stories() -> None:
    op.create_table(
        "stories",
        _text("project_id"),
        _text("title"),
        _text("language"),
        _text("settings_json"),
        _number("revision"),
        _number("entity_count"),
        _number("relation_count"),
        _text("created_at"),
        _text("updated_at"),
        sa.PrimaryKeyConstraint("project_id"),
    )


def _entities() -> None:
    op.create_table(
        "kg_entities",
        _text("project_id"),
        _text("id"),
        _text("type"),
        _text("name"),
        _text("name_key"),
        _text("search_fold"),
        _text("description"),
        _text("attributes_json"),
        _text("aliases_json"),
        _text("ai_context_level", server_default="when_detected"),
        sa.Column("significance", sa.Float, nullable=False),
        sa.Column("layout_x", sa.Float),
        sa.Column("layout_y", sa.Float),
        _text("prompt_text"),
        _number("version"),
        _text("created_at"),
        _text("updated_at"),
        sa.PrimaryKeyConstraint("project_id", "id"),
        sa.ForeignKeyConstraint(["project_id"], ["stories.project_id"]),
    )
    table = "kg_entities"
    op.create_index(f"idx_{table}_project", table, ["project_id", sa.text("updated_at DESC"), "id"])
    op.create_index(f"idx_{table}_project_type", table, ["project_id", "type", "name_key"], unique=True)
    op.create_index(f"idx_{table}_project_name", table, ["project_id", "name_key"])
    op.create_index(f"idx_{table}_project_level", table, ["project_id", "ai_context_level"])


def _relation_types() -> None:
    op.create_table(
        "kg_relation_types",
        _text("project_id"),
        _text("id"),
        _text("key"),
        _text("label"),
        _text("labels_json"),
        _number("builtin"),
        _text("created_at"),
        sa.PrimaryKeyConstraint("project_id", "id"),
        sa.ForeignKeyConstraint(["project_id"], ["stories.project_id"]),
    )
    op.create_index("idx_kg_relation_types_key", "kg_relation_types", ["project_id", "key"], unique=True)


def _relations() -> None:
    op.create_table(
        "kg_relations",
        _text("project_id"),
        _text("id"),
        _text("source_entity_id"),
        _text("target_entity_id"),
        _text("relation_type"),
        _text("description"),
        _text("properties_json"),
        sa.Column("since_chapter", sa.Integer),
        sa.Column("since_scene", sa.Integer),
        sa.Column("until_chapter", sa.Integer),
        sa.Column("until_scene", sa.Integer),
        _number("version"),
        _text("created_at"),
        _text("updated_at"),
        sa.PrimaryKeyConstraint("project_id", "id"),
        sa.ForeignKeyConstraint(
            ["project_id", "source_entity_id"], ["kg_entities.project_id", "kg_entities.id"]
        ),
        sa.ForeignKeyConstraint(
            ["project_id", "target_entity_id"], ["kg_entities.project_id", "kg_entities.id"]
        ),
        sa.CheckConstraint("source_entity_id != target_entity_id", name="ck_kg_relations_no_self_loop"),
    )
    table = "kg_relations"
    op.create_index(f"idx_{table}_project", table, ["project_id", sa.text("updated_at DESC"), "id"])
    op.create_index(f"idx_{table}_source", table, ["project_id", "source_entity_id", "target_entity_id"])
    op.create_index(f"idx_{table}_target", table, ["project_id", "target_entity_id"])


def _log() -> None:
    op.create_table(
        "story_steps",
        _text("project_id"),
        _number("revision"),
        _text("at"),
        _text("actor"),
        _text("action"),
        sa.Column("reverts", sa.Integer),
        sa.Column("reverted_by", sa.Integer),
        _number("change_count"),
        sa.PrimaryKeyConstraint("project_id", "revision"),
        sa.ForeignKeyConstraint(["project_id"], ["stories.project_id"]),
    )
    op.create_table(
        "story_changes",
        _text("project_id"),
        _number("revision"),
        _number("seq"),
        _text("kind"),
        _text("row_id"),
        sa.Column("before_json", sa.Text),
        sa.Column("after_json", sa.Text),
        sa.PrimaryKeyConstraint("project_id", "revision", "seq"),
        sqlite_with_rowid=False,
    )
    op.create_index("idx_story_changes_row", "story_changes", ["project_id", "row_id", "revision"])
