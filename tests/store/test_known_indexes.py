"""Indexes that the source documents know by name: they are there, and questions are answered by them."""

from __future__ import annotations

from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, inspect, text

from doors import rows
from fabula.memory import Memory
from fabula.model.lore import Category
from fabula.operations.lorebook.entries import list_entries
from fabula.store import migrate
from fabula.store.engines import engine_at
from fabula.story_memory import StoryMemory
from postgres import blank_at, place_at

KNOWN = {
    "lorebook_entries": {
        "idx_lorebook_story",
        "idx_lorebook_user",
        "idx_lorebook_category",
        "idx_lorebook_enabled",
    },
    "kg_events": {"idx_kg_events_level"},
    "kg_entities": {"idx_kg_events_significance", "idx_kg_events_time"},
}


@pytest.mark.scenario("MEMORY-INDEXES", "ENGRAM-INDEXES")
def test_the_indexes_of_the_sources_are_there(tmp_path: Path) -> None:
    engine = engine_at(place_at(tmp_path / "fabula.db"), writes=False)
    found = inspect(engine)
    for table, names in KNOWN.items():
        there = {index["name"]: index["column_names"] for index in found.get_indexes(table)}
        assert names <= there.keys()
        assert all(there[name][0] == "project_id" for name in names), "a story never leaves its shard"
    engine.dispose()


def plan(connection: Connection, statement: str) -> str:
    return str(connection.execute(text(f"EXPLAIN QUERY PLAN {statement}")).all())


@pytest.mark.sqlite_only(reason="asks SQLite for its plan")
@pytest.mark.scenario("MEMORY-INDEXES", "ENGRAM-INDEXES")
def test_questions_are_answered_by_them(tmp_path: Path) -> None:
    engine = engine_at(place_at(tmp_path / "fabula.db"), writes=False)
    with engine.connect() as connection:
        entries = "SELECT * FROM lorebook_entries WHERE project_id = 'p'"
        listed = plan(connection, f"{entries} ORDER BY priority DESC, key_fold, id LIMIT 20")
        assert "idx_lorebook_story" in listed
        assert "TEMP B-TREE" not in listed
        assert "idx_lorebook_user" in plan(connection, f"{entries} AND user_id = 'u'")
        assert "idx_lorebook_category" in plan(connection, f"{entries} AND category = 'item'")
        level = "SELECT * FROM kg_events WHERE project_id = 'p' AND level = 1"
        assert "idx_kg_events_level" in plan(connection, level)
        events = "SELECT id FROM kg_entities WHERE project_id = 'p' AND type = 'event'"
        assert "idx_kg_events_significance" in plan(
            connection, f"{events} AND significance > 0.9 ORDER BY significance DESC"
        )
        assert "idx_kg_events_time" in plan(
            connection, f"{events} AND since_chapter = 3 ORDER BY since_chapter"
        )
    engine.dispose()


def keys(memory: Memory, story: StoryMemory, category: str) -> list[str]:
    page = list_entries(memory.call(), project_id=story.id, category=Category(category), size=100)
    return [one.entry_key for one in page.items]


@pytest.mark.scenario("MEMORY-INDEXES")
def test_what_an_entry_is_about_follows_its_entity(memory: Memory, story: StoryMemory) -> None:
    story.entry("寒霜剑", "神兵。", category="item")
    story.entry("规矩", "听话。")
    assert (keys(memory, story, "item"), keys(memory, story, "custom")) == (["寒霜剑"], ["规矩"])
    (sword,) = story.entity.list().items
    story.entity.update(id=sword.id, expected_version=1, patch={"type": "concept"})
    assert (keys(memory, story, "item"), keys(memory, story, "concept")) == ([], ["寒霜剑"])
    story.entity.update(id=sword.id, expected_version=2, patch={"type": "unknown"})
    assert keys(memory, story, "custom") == ["寒霜剑", "规矩"], "a type that is no category shows as custom"
    for _ in range(2):
        story.history.undo()
    assert keys(memory, story, "item") == ["寒霜剑"]
    story.entity.delete(id=sword.id)
    story.history.undo()
    assert keys(memory, story, "item") == ["寒霜剑"]


@pytest.mark.scenario("MEMORY-INDEXES")
def test_old_entries_are_entered(tmp_path: Path) -> None:
    path = blank_at(tmp_path / "fabula.db")
    engine = engine_at(path, writes=True)
    config = Config()
    config.set_main_option("script_location", str(Path(migrate.__file__).parent / "migrations"))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0009")
        connection.execute(
            text("INSERT INTO stories VALUES ('s', '旧', 'zh', '{}', 0, 2, 0, '2026', '2026')")
        )
        for key, kind in (("sword", "item"), ("odd", "unknown")):
            connection.execute(
                text(
                    "INSERT INTO kg_entities (project_id, id, type, name, name_key, search_fold, "
                    "description, attributes_json, aliases_json, ai_context_level, significance, "
                    "prompt_text, version, created_at, updated_at) VALUES ('s', :key, :kind, :key, :key, "
                    "'', '', '{}', '[]', 'when_detected', 0.5, '', 1, '2026', '2026')"
                ),
                {"key": key, "kind": kind},
            )
        for key, entity in (("a", "sword"), ("b", "odd"), ("c", None)):
            connection.execute(
                text(
                    "INSERT INTO lorebook_entries (project_id, id, entity_id, user_id, entry_key, key_fold, "
                    "search_fold, display_name, content, keywords_json, priority, enabled, "
                    "insertion_position, token_budget, ai_context_level, rules_json, extensions_json, "
                    "version, created_at, updated_at) VALUES ('s', :key, :entity, 'u', :key, :key, '', :key, "
                    "'x', '[]', 0, 1, 'before_scene', 500, 'when_detected', '{}', '{}', 1, '2026', '2026')"
                ),
                {"key": key, "entity": entity},
            )
    engine.dispose()
    with Memory(path):
        assert rows(path, "SELECT category FROM lorebook_entries ORDER BY id") == ["item", "custom", "custom"]
