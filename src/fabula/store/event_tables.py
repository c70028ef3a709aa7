"""The tables of events, unresolved relations, and aliases."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKeyConstraint, Index, Table, Text, text

from fabula.store.dialect import Number
from fabula.store.tables import metadata, period

_ENTITY = ["kg_entities.project_id", "kg_entities.id"]

kg_events = Table(
    "kg_events",
    metadata,
    Column("project_id", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("event", Text, nullable=False),
    Column("time_anchor", Text, nullable=False),
    Column("logic_json", Text, nullable=False),
    Column("causality", Text, nullable=False),
    Column("level", Number, nullable=False),
    # The place of an event among those of its scene.
    Column("place", Number, nullable=False, server_default="0"),
    Column("tells_json", Text, nullable=False, server_default="[]"),
    Column("search_fold", Text, nullable=False),
    ForeignKeyConstraint(["project_id", "id"], _ENTITY),
    Index("idx_kg_events_level", "project_id", "level"),
)

# Few events tell facts; every deletion asks for them.
TELLS_FACTS = text("tells_json <> '[]'")
Index(
    "idx_kg_events_telling",
    kg_events.c.project_id,
    kg_events.c.id,
    sqlite_where=TELLS_FACTS,
    postgresql_where=TELLS_FACTS,
)

# `name_key` is set only while the role is unresolved: it is the name it is waiting for.
kg_event_roles = Table(
    "kg_event_roles",
    metadata,
    Column("project_id", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("event_id", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("entity_id", Text),
    Column("name", Text, nullable=False),
    Column("name_key", Text),
    Column("role", Text, nullable=False),
    Column("ordinal", Number, nullable=False),
    # Null if not given, as in log entries older than the column.
    Column("description", Text),
    Column("properties_json", Text),
    *period(),
    ForeignKeyConstraint(["project_id", "event_id"], _ENTITY),
    ForeignKeyConstraint(["project_id", "entity_id"], _ENTITY),
    Index("idx_kg_event_roles_event", "project_id", "event_id"),
    Index("idx_kg_event_roles_entity", "project_id", "entity_id"),
    Index("idx_kg_event_roles_name", "project_id", "name_key"),
)

kg_pending_relations = Table(
    "kg_pending_relations",
    metadata,
    Column("project_id", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("source_entity_id", Text, nullable=False),
    Column("target_name", Text, nullable=False),
    Column("name_key", Text, nullable=False),
    Column("relation_type", Text, nullable=False),
    Column("description", Text, nullable=False),
    *period(),
    ForeignKeyConstraint(["project_id", "source_entity_id"], _ENTITY),
    Index("idx_kg_pending_relations_source", "project_id", "source_entity_id"),
    Index("idx_kg_pending_relations_name", "project_id", "name_key"),
)

# Derived from the entities' aliases, so not recorded in the log.
kg_entity_aliases = Table(
    "kg_entity_aliases",
    metadata,
    Column("project_id", Text, primary_key=True),
    Column("name_key", Text, primary_key=True),
    Column("entity_id", Text, primary_key=True),
    sqlite_with_rowid=False,
)
