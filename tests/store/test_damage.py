"""A file that was damaged says so, with the way back; a disk that is full leaves everything whole."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from fabula.errors import DatabaseDamaged, DatabaseMoved, DatabaseRefused
from fabula.memory import Memory
from fabula.store import engines

pytestmark = pytest.mark.sqlite_only(reason="the file itself is damaged")

PAGE = 4096


def spoil(path: Path, at: int, length: int = 64) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(b"\xa5" * length)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with Memory(tmp_path / "fabula.db") as memory:
        story = memory.story("雾港", id="story")
        people = [{"type": "character", "name": f"人{n}", "description": "灯塔" * 99} for n in range(200)]
        story.batch.upsert(entities=people, relations=[])
        memory.backup(tmp_path / "safe.backup")
    return tmp_path / "fabula.db"


@pytest.mark.parametrize("at", [0, 18, 100])
def test_a_damaged_beginning_is_told_when_the_file_is_opened(path: Path, at: int) -> None:
    spoil(path, at)
    with pytest.raises(DatabaseDamaged) as refused:
        Memory(path)
    assert str(path) in refused.value.message
    assert f"fabula restore {path.parent / 'safe.backup'}" in (refused.value.suggestion or "")


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    other = tmp_path / "letter.txt"
    other.write_text("Dear reader, " * 400)
    with pytest.raises(DatabaseDamaged) as refused:
        Memory(other)
    assert "no backup of it is known" in (refused.value.suggestion or "")
    assert other.read_text() == "Dear reader, " * 400


def test_damage_further_in_is_found_by_looking_and_told_without_paths(path: Path) -> None:
    with closing(sqlite3.connect(path)) as file:
        (first_page,) = file.execute(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'kg_entities'"
        ).fetchone()
    spoil(path, (first_page - 1) * PAGE)
    with Memory(path) as memory:
        assert memory.complaints(thorough=False)
        with pytest.raises(DatabaseDamaged) as refused:
            memory.audit()
    assert str(path.parent) not in str(refused.value.as_dict())


def test_a_file_that_is_taken_away_takes_nothing_along(path: Path) -> None:
    elsewhere = path.with_name("elsewhere.db")
    with Memory(path) as memory:
        story = memory.story("雾港", id="story")
        before = story.entity.list().total_count
        path.rename(elsewhere)
        for _ in range(2):
            with pytest.raises(DatabaseMoved):
                story.entity.create(type="item", name="灯")
            with pytest.raises(DatabaseMoved):
                story.entity.list()
        path.write_bytes(b"")  # another in its place is no better
        with pytest.raises(DatabaseMoved):
            story.entity.create(type="item", name="灯")
        elsewhere.rename(path)
        assert story.entity.create(type="item", name="灯").name == "灯"
        assert story.entity.list().total_count == before + 1


@pytest.mark.long
@pytest.mark.parametrize("endings", [("-wal",), ("-shm",), ("-wal", "-shm")])
def test_files_beside_that_are_deleted_take_nothing_along(path: Path, endings: Sequence[str]) -> None:
    with Memory(path) as memory:
        story = memory.story("雾港", id="story")
        lamp = story.entity.create(type="item", name="灯")
        for ending in endings:
            path.with_name(path.name + ending).unlink()
        with pytest.raises(DatabaseMoved):
            story.entity.create(type="item", name="伞")
        with pytest.raises(DatabaseMoved):
            story.entity.list()
        # As it lies there if nobody comes to close it.
        alone = path.with_name("alone.db")
        shutil.copy(path, alone)
    for file in (alone, path):
        with Memory(file) as memory:
            assert not memory.complaints(thorough=True)
            assert memory.story("雾港", id="story").entity.read(id=lamp.id).name == "灯"


def test_a_file_that_may_only_be_read_is_not_opened(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "_PRAGMAS", (*engines._PRAGMAS, "query_only = on"))
    with pytest.raises(DatabaseRefused, match="readonly") as refused:
        Memory(path)
    assert "its file" in (refused.value.suggestion or "")
