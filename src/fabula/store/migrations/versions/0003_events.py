"""Events with their roles, relations whose target is not there yet, and other names to look them up by."""

from __future__ import annotations

import json

import sqlalchemy as sa
from alembic import op

from fabula.model.names import name_key

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Create the tables, and enter the aliases that there are."""
    _events()
    _roles()
    _pending_relations()
    _aliases()


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=False)


def _number(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer, nullable=False)


def _of_entity(column: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["project_id", column], ["kg_entities.project_id", "kg_entities.id"])


def _events() -> None:
    op.create_table(
        "kg_events",
        _text("project_id"),
        _text("id"),
        _text("event"),
        _text("time_anchor"),
        _text("logic_json"),
        _text("causality"),
        _number("level"),
        _text("search_fold"),
        sa.PrimaryKeyConstraint("project_id", "id"),
        _of_entity("id"),
    )


def _roles() -> None:
    table = "kg_event_roles"
    op.create_table(
        table,
        _text("project_id"),
        _text("id"),
        _text("event_id"),
        _text("kind"),
        sa.Column("entity_id", sa.Text),
        _text("name"),
        sa.Column("name_key", sa.Text),
        _text("role"),
        _number("ordinal"),
        sa.PrimaryKeyConstraint("project_id", "id"),
        _of_entity("event_id"),
        _of_entity("entity_id"),
    )
    op.create_index("idx_kg_event_roles_event", table, ["project_id", "event_id"])
    op.create_index("idx_kg_event_roles_entity", table, ["project_id", "entity_id"])
    op.create_index("idx_kg_event_roles_name", table, ["project_id", "name_key"])


def _pending_relations() -> None:
    table = "kg_pending_relations"
    op.create_table(
        table,
        _text("project_id"),
        _text("id"),
        _text("source_entity_id"),
        _text("target_name"),
        _text("name_key"),
        _text("relation_type"),
        _text("description"),
        *(
            sa.Column(f"{end}_{part}", sa.Integer)
            for end in ("since", "until")
            for part in ("chapter", "scene")
        ),
        sa.PrimaryKeyConstraint("project_id", "id"),
        _of_entity("source_entity_id"),
    )
    op.create_index("idx_kg_pending_relations_source", table, ["project_id", "source_entity_id"])
    op.create_index("idx_kg_pending_relations_name", table, ["project_id", "name_key"])


def _aliases() -> None:
    aliases = op.create_table(
        "kg_entity_aliases",
        _text("project_id"),
        _text("name_key"),
        _text("entity_id"),
        sa.PrimaryKeyConstraint("project_id", "name_key", "entity_id"),
        sqlite_with_rowid=False,
    )
    known = op.get_bind().execute(
        sa.text("SELECT project_id, id, aliases_json FROM kg_entities WHERE aliases_json != '[]'")
    )
    keys = {
        (project_id, name_key(alias), entity_id)
        for project_id, entity_id, written in known
        for alias in json.loads(written)
    }
    if keys:
        names = ("project_id", "name_key", "entity_id")
        op.bulk_insert(aliases, [dict(zip(names, key, strict=True)) for key in sorted(keys)])
