"""Databases of every schema so far: backed up, migrated and asked; a newer one is refused and left alone."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine

from fabula.config import load
from fabula.errors import Conflict
from fabula.memory import Memory
from fabula.store import migrate
from fabula.store.backup import restore_backup
from fabula.store.whole_file import schema
from old_databases.opening import old_database

SCRIPTS = Path(migrate.__file__).parent / "migrations"
SCHEMAS = sorted(path.name[:4] for path in (SCRIPTS / "versions").glob("[0-9]*.py"))

pytestmark = pytest.mark.sqlite_only(reason="a server's database is its owner's to back up")


def opened(place: Path) -> Memory:
    """Open a database as the program does."""
    return Memory.configured(load({"FABULA_DB": str(place), "FABULA_EMBEDDING_MODEL": "none"}))


def of_schema(version: str, place: Path) -> Path:
    """Make an empty database of a schema."""
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS))
    engine = create_engine(f"sqlite:///{place}")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, version)
    engine.dispose()
    return place


@pytest.mark.slow
@pytest.mark.parametrize("version", SCHEMAS)
def test_a_database_of_any_schema_is_migrated_and_asked(version: str, tmp_path: Path) -> None:
    place = of_schema(version, tmp_path / "old.db")
    with opened(place) as memory:
        story = memory.story("Old", language="en")
        story.entry("Ada", "Ada keeps the lamp.", category="character")
        assert "Ada keeps the lamp." in str(story.context(0, 0, "Ada waits.").messages)
    assert schema(place) == migrate.HEAD
    backups = [path.name for path in (tmp_path / "backups").glob("*")]
    is_older = version != migrate.HEAD
    assert backups == ([f"old-{version}-before-{migrate.HEAD}.backup"] if is_older else [])


@pytest.mark.long
def test_what_was_there_before_a_migration_can_be_restored(tmp_path: Path) -> None:
    place = old_database("stuck_queue", tmp_path)
    assert isinstance(place, Path)
    before = schema(place)
    with opened(place) as memory:
        titles = [story.title for story in memory.stories()]
    (backup,) = (tmp_path / "backups").glob("*.backup")
    restored = tmp_path / "restored.db"
    restore_backup(backup, restored, seen=lambda done: None)
    assert schema(restored) == before
    with opened(restored) as memory:
        assert [story.title for story in memory.stories()] == titles


def test_a_newer_database_is_refused_in_a_sentence_and_left_alone(tmp_path: Path) -> None:
    place = tmp_path / "newer.db"
    with opened(place):
        pass
    with closing(sqlite3.connect(place)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    with pytest.raises(Conflict, match="schema 9999, which this version of Fabula does not know") as refused:
        opened(place)
    assert "newer" in (refused.value.suggestion or "")
    assert schema(place) == "9999"
    assert not (tmp_path / "backups").exists()
