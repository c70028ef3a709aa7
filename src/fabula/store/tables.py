"""The tables. Every key starts with `project_id`, so that a story never leaves its shard."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    CheckConstraint,
    Column,
    Float,
    ForeignKeyConstraint,
    Index,
    MetaData,
    Table,
    Text,
    text,
)

from fabula.model.book import OWN_BOOK
from fabula.store.dialect import Number

metadata = MetaData()


def _own() -> tuple[Column[str], Column[str]]:
    """Return the key columns of every row in a story."""
    return Column("project_id", Text, primary_key=True), Column("id", Text, primary_key=True)


def period() -> tuple[Column[int], ...]:
    """Return the columns of a period of validity."""
    names = ("since_chapter", "since_scene", "until_chapter", "until_scene")
    return tuple(Column(name, Number) for name in names)


def validity() -> tuple[Column[Any], ...]:
    """Return the columns of a validity in world time, and of the moment at which a fact is told."""
    return (
        Column("valid_from_day", Float),
        Column("valid_from_label", Text),
        Column("valid_to_day", Float),
        Column("valid_to_label", Text),
        Column("told_chapter", Number),
        Column("told_scene", Number),
    )


def _versioned() -> tuple[Column[int], Column[str], Column[str]]:
    """Return the columns of version and times."""
    return (
        Column("version", Number, nullable=False),
        Column("created_at", Text, nullable=False),
        Column("updated_at", Text, nullable=False),
    )


stories = Table(
    "stories",
    metadata,
    Column("project_id", Text, primary_key=True),
    Column("title", Text, nullable=False),
    Column("language", Text, nullable=False),
    Column("settings_json", Text, nullable=False),
    Column("revision", Number, nullable=False),
    Column("entity_count", Number, nullable=False),
    Column("relation_count", Number, nullable=False),
    Column("created_at", Text, nullable=False),
    Column("updated_at", Text, nullable=False),
)

kg_entities = Table(
    "kg_entities",
    metadata,
    *_own(),
    Column("type", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("name_key", Text, nullable=False),
    Column("search_fold", Text, nullable=False),
    Column("description", Text, nullable=False),
    Column("attributes_json", Text, nullable=False),
    Column("aliases_json", Text, nullable=False),
    Column("names_json", Text, nullable=False, server_default="[]"),
    Column("ai_context_level", Text, nullable=False, server_default="when_detected"),
    Column("secrecy", Text, nullable=False, server_default="public"),
    Column("significance", Float, nullable=False),
    Column("layout_x", Float),
    Column("layout_y", Float),
    Column("prompt_text", Text, nullable=False),
    *_versioned(),
    *period(),
    *validity(),
    ForeignKeyConstraint(["project_id"], ["stories.project_id"]),
    Index("idx_kg_entities_project_type", "project_id", "type", "name_key", unique=True),
    Index("idx_kg_entities_project_name", "project_id", "name_key"),
    Index("idx_kg_entities_project_level", "project_id", "ai_context_level"),
)
# Only events are searched by significance and by moment.
_IS_EVENT = text("type = 'event'")
for _name, _columns in (("significance", ("significance",)), ("time", ("since_chapter", "since_scene"))):
    Index(
        f"idx_kg_events_{_name}",
        kg_entities.c.project_id,
        *(kg_entities.c[column] for column in _columns),
        sqlite_where=_IS_EVENT,
        postgresql_where=_IS_EVENT,
    )

# Few entities have names with moments; every deletion asks for them.
HAS_DATED_NAMES = text("names_json <> '[]'")
Index(
    "idx_kg_entities_dated_names",
    kg_entities.c.project_id,
    kg_entities.c.id,
    sqlite_where=HAS_DATED_NAMES,
    postgresql_where=HAS_DATED_NAMES,
)

kg_relation_types = Table(
    "kg_relation_types",
    metadata,
    *_own(),
    Column("key", Text, nullable=False),
    Column("label", Text, nullable=False),
    Column("labels_json", Text, nullable=False),
    Column("builtin", Number, nullable=False),
    Column("created_at", Text, nullable=False),
    ForeignKeyConstraint(["project_id"], ["stories.project_id"]),
    Index("idx_kg_relation_types_key", "project_id", "key", unique=True),
)

kg_relations = Table(
    "kg_relations",
    metadata,
    *_own(),
    Column("source_entity_id", Text, nullable=False),
    Column("target_entity_id", Text, nullable=False),
    Column("relation_type", Text, nullable=False),
    Column("description", Text, nullable=False),
    Column("properties_json", Text, nullable=False),
    Column("secrecy", Text, nullable=False, server_default="public"),
    *period(),
    *_versioned(),
    *validity(),
    ForeignKeyConstraint(["project_id", "source_entity_id"], ["kg_entities.project_id", "kg_entities.id"]),
    ForeignKeyConstraint(["project_id", "target_entity_id"], ["kg_entities.project_id", "kg_entities.id"]),
    CheckConstraint("source_entity_id != target_entity_id", name="ck_kg_relations_no_self_loop"),
    Index("idx_kg_relations_source", "project_id", "source_entity_id", "target_entity_id"),
    Index("idx_kg_relations_target", "project_id", "target_entity_id"),
)

kg_entity_states = Table(
    "kg_entity_states",
    metadata,
    *_own(),
    Column("entity_id", Text, nullable=False),
    Column("description", Text, nullable=False),
    Column("attributes_json", Text, nullable=False),
    Column("secrecy", Text, nullable=False, server_default="public"),
    *period(),
    *_versioned(),
    *validity(),
    ForeignKeyConstraint(["project_id", "entity_id"], ["kg_entities.project_id", "kg_entities.id"]),
    Index("idx_kg_entity_states_entity", "project_id", "entity_id"),
)

lorebooks = Table(
    "lorebooks",
    metadata,
    *_own(),
    Column("name", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("activation", Text, nullable=False),
    Column("enabled", Number, nullable=False),
    Column("settings_json", Text, nullable=False),
    Column("position", Number, nullable=False),
    Column("extensions_json", Text, nullable=False),
    *_versioned(),
    ForeignKeyConstraint(["project_id"], ["stories.project_id"]),
)

lorebook_entries = Table(
    "lorebook_entries",
    metadata,
    *_own(),
    Column("entity_id", Text),
    Column("user_id", Text, nullable=False),
    Column("book_id", Text, nullable=False, server_default=OWN_BOOK),
    # Where it stands in its book.
    Column("place", Number, nullable=False, server_default="0"),
    Column("entry_key", Text, nullable=False),
    Column("key_fold", Text, nullable=False),
    Column("search_fold", Text, nullable=False),
    Column("display_name", Text, nullable=False),
    Column("content", Text, nullable=False),
    Column("keywords_json", Text, nullable=False),
    Column("priority", Number, nullable=False),
    Column("enabled", Number, nullable=False),
    Column("insertion_position", Text, nullable=False),
    Column("token_budget", Number, nullable=False),
    Column("ai_context_level", Text, nullable=False),
    Column("secrecy", Text, nullable=False, server_default="public"),
    Column("rules_json", Text, nullable=False),
    *period(),
    Column("extensions_json", Text, nullable=False),
    # Derived from the type of the entity, so not recorded in the log.
    Column("category", Text),
    *_versioned(),
    *validity(),
    ForeignKeyConstraint(["project_id"], ["stories.project_id"]),
    ForeignKeyConstraint(["project_id", "entity_id"], ["kg_entities.project_id", "kg_entities.id"]),
    Index("idx_lorebook_key", "project_id", "book_id", "key_fold", unique=True),
    Index("idx_lorebook_entity", "project_id", "entity_id", unique=True),
    Index("idx_lorebook_user", "project_id", "user_id"),
    Index("idx_lorebook_category", "project_id", "category"),
    Index("idx_lorebook_enabled", "project_id", "enabled"),
    Index("idx_lorebook_level", "project_id", "ai_context_level"),
)

chapters = Table(
    "chapters",
    metadata,
    *_own(),
    Column("chapter_index", Number, nullable=False),
    Column("title", Text, nullable=False),
    *_versioned(),
    ForeignKeyConstraint(["project_id"], ["stories.project_id"]),
    Index("idx_chapters_place", "project_id", "chapter_index", unique=True),
)

scenes = Table(
    "scenes",
    metadata,
    *_own(),
    Column("chapter_index", Number, nullable=False),
    Column("scene_index", Number, nullable=False),
    Column("title", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("word_count", Number, nullable=False),
    *_versioned(),
    Column("world_day", Float),
    Column("world_end", Float),
    Column("world_label", Text),
    Column("pov_id", Text),
    Column("notes", Text),
    Column("word_goal", Number),
    ForeignKeyConstraint(["project_id"], ["stories.project_id"]),
    Index("idx_scenes_place", "project_id", "chapter_index", "scene_index", unique=True),
)

context_snapshots = Table(
    "context_snapshots",
    metadata,
    *_own(),
    Column("manuscript_id", Text),
    Column("chapter_index", Number, nullable=False),
    Column("scene_index", Number, nullable=False),
    Column("active_characters_json", Text, nullable=False),
    Column("active_locations_json", Text, nullable=False),
    Column("timeline_position", Text, nullable=False),
    Column("summary", Text, nullable=False),
    Column("emotional_tone", Text, nullable=False),
    Column("word_count", Number, nullable=False),
    *_versioned(),
    # Null for the author's own, as in log entries older than the column.
    Column("source", Text),
    ForeignKeyConstraint(["project_id"], ["stories.project_id"]),
    Index("idx_snapshot_chapter_scene", "project_id", "chapter_index", "scene_index", unique=True),
)

story_steps = Table(
    "story_steps",
    metadata,
    Column("project_id", Text, primary_key=True),
    Column("revision", Number, primary_key=True, autoincrement=False),
    Column("at", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("reverts", Number),
    Column("reverted_by", Number),
    Column("change_count", Number, nullable=False),
    ForeignKeyConstraint(["project_id"], ["stories.project_id"]),
)

story_changes = Table(
    "story_changes",
    metadata,
    Column("project_id", Text, primary_key=True),
    Column("revision", Number, primary_key=True, autoincrement=False),
    Column("seq", Number, primary_key=True, autoincrement=False),
    Column("kind", Text, nullable=False),
    Column("row_id", Text, nullable=False),
    Column("before_json", Text),
    Column("after_json", Text),
    Index("idx_story_changes_row", "project_id", "row_id", "revision"),
    sqlite_with_rowid=False,
)

# What is dated by world time is found without reading anything else, so that most stories pay nothing for it.
_PLAYS = text("world_day IS NOT NULL")
_HAS_POV = text("pov_id IS NOT NULL")
Index(
    "idx_scenes_world_time",
    scenes.c.project_id,
    scenes.c.chapter_index,
    scenes.c.scene_index,
    scenes.c.world_day,
    scenes.c.world_end,
    sqlite_where=_PLAYS,
    postgresql_where=_PLAYS,
)
Index(
    "idx_scenes_pov",
    scenes.c.project_id,
    scenes.c.pov_id,
    sqlite_where=_HAS_POV,
    postgresql_where=_HAS_POV,
)
IS_WORLD_DATED = "(valid_from_day IS NOT NULL OR valid_to_day IS NOT NULL OR told_chapter IS NOT NULL)"
for _table in (kg_entities, kg_relations):
    Index(
        f"idx_{_table.name}_world_dated",
        _table.c.project_id,
        _table.c.id,
        sqlite_where=text(IS_WORLD_DATED),
        postgresql_where=text(IS_WORLD_DATED),
    )

# A lorebook is read by priority, then by key: exactly this order.
Index(
    "idx_lorebook_story",
    lorebook_entries.c.project_id,
    lorebook_entries.c.priority.desc(),
    lorebook_entries.c.key_fold,
    lorebook_entries.c.id,
)
# Other lists are read newest first, ties by id.
for _table in (kg_entities, kg_relations, lorebook_entries):
    Index(f"idx_{_table.name}_project", _table.c.project_id, _table.c.updated_at.desc(), _table.c.id)
