"""A story from before there were events: its aliases are looked up like new ones."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import text

from doors import rows
from fabula.memory import Memory
from fabula.store import migrate
from fabula.store.engines import engine_at
from postgres import blank_at

OLD = [
    "INSERT INTO stories VALUES ('s', '旧', 'zh', '{}', 0, 1, 0, '2026', '2026')",
    """INSERT INTO kg_entities (project_id, id, type, name, name_key, search_fold, description,
       attributes_json, aliases_json, significance, prompt_text, version, created_at, updated_at)
       VALUES ('s', 'lin', 'character', '林远', '林远', '林远', '',
       '{}', '["阿远", "ＡＹＵＡＮ"]', 0.5, '', 1, '2026', '2026')""",
]


def test_old_aliases_are_entered(tmp_path: Path) -> None:
    path = blank_at(tmp_path / "fabula.db")
    engine = engine_at(path, writes=True)
    config = Config()
    config.set_main_option("script_location", str(Path(migrate.__file__).parent / "migrations"))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0002")
        for statement in OLD:
            connection.execute(text(statement))
    engine.dispose()
    with Memory(path) as memory:
        assert rows(path, "SELECT name_key FROM kg_entity_aliases ORDER BY 1") == ["ayuan", "阿远"]
        event = memory.story("旧", id="s").event.create(summary="回来了。", roles=["阿远", "Ayuan"])
        assert [(role.entity_id, role.name) for role in event.roles] == [("lin", "林远")]
