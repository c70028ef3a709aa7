"""Everything moves from one database to another: whole, compared, and however often it is interrupted."""

from __future__ import annotations

import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from doors import everything, fabula, rows
from fabula.errors import Conflict, FabulaError, InternalError, InvalidInput
from fabula.memory import Memory
from fabula.operations.accounts import add_user, create_token
from fabula.operations.stories import delete_story
from fabula.store import moving
from fabula.store.moving import move
from fabula.store.place import DatabasePlace
from fabula.store.vectors import Claim
from forked import forked_python
from postgres import blank_at, place_at
from waiting import PATIENCE


def _fill(place: DatabasePlace) -> None:
    with Memory(place) as memory:
        long = memory.story("长", id="long")
        long.event.create(summary="相遇。", roles=["沈舟"], moment={"chapter": 1})
        long.scene(0, 0, text="雾。\n" * 50)
        long.entry("雾", "常年有雾。")
        story = memory.story("短", id="short")
        lin = story.entity.create(type="character", name="林远", significance=0.1)
        story.entity.update(id=lin.id, expected_version=1, patch={"description": "𠀀\n'\"\\"})
        story.history.undo()
        memory.story("空", id="blank")
        add_user(memory.call(), name="lin")
        create_token(memory.call(), user_name="lin")
        with memory.call().store.write_vectors("short") as vectors:
            vectors.claim(Claim("m", 2, "entity", 1))


@pytest.fixture
def source(tmp_path: Path) -> DatabasePlace:
    """A filled database of the engine that the tests run on."""
    place = place_at(tmp_path / "from.db")
    _fill(place)
    return place


@pytest.fixture(params=["there", "back"])
def ends(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[DatabasePlace, DatabasePlace]]:
    """From a SQLite file to the engine of the tests, and the other way."""
    file, place = tmp_path / "file.db", blank_at(tmp_path / "to.db")
    if request.param == "back":
        file, place = place, file
    _fill(file)
    return file, place


def _contents(place: DatabasePlace) -> dict[str, list[object]]:
    found = everything(place)
    return {name: found[name] for name in found if name not in ("sqlite_stat1", "sqlite_stat4")}


@pytest.mark.long
def test_everything_arrives(ends: tuple[DatabasePlace, DatabasePlace]) -> None:
    source, target = ends
    before, told = _contents(source), list[tuple[int, int, str]]()
    moved = move(source, target, lambda *said: told.append(said))
    assert _contents(target) == before == _contents(source)
    assert sum(map(len, before.values())) == moved.row_count + 1, "and the number of the schema"
    assert [done for done, _, _ in told] == [1, 2, 3] == list(range(1, moved.story_count + 1))
    with Memory(target) as memory:
        assert all(report.differing == () for report in memory.audit())
        story = memory.story("短", id="short")
        story.history.redo()
        assert story.entity.create(type="item", name="灯").name == "灯"


KILLED = """
import os, signal, sys
from fabula.store.moving import move
from fabula.store.place import place_of

left = int(sys.argv[3])

def tell(done, total, title):
    if done == left:
        os.kill(os.getpid(), signal.SIGKILL)

move(place_of(sys.argv[1]), place_of(sys.argv[2]), tell)
"""


@pytest.mark.slow
@pytest.mark.every_engine
def test_a_move_that_was_killed_goes_on_and_what_changed_meanwhile_is_copied_again(
    source: DatabasePlace, tmp_path: Path
) -> None:
    target = place_at(tmp_path / "to.db")
    for done in (1, 2):
        with forked_python(KILLED, str(source), str(target), str(done)) as killed:
            assert killed.wait(PATIENCE) == -signal.SIGKILL
        with pytest.raises(Conflict, match="being moved into"):
            Memory(target)
    with Memory(source) as memory:
        memory.story("空", id="blank").entity.create(type="item", name="后来")
        delete_story(memory.call(), project_id="short")
    moved = move(source, target)
    assert moved.kept_count > 0
    assert _contents(target) == _contents(source)
    Memory(target).close()


def test_a_database_that_holds_something_is_not_moved_to(source: DatabasePlace, tmp_path: Path) -> None:
    target = place_at(tmp_path / "to.db")
    with Memory(target) as memory:
        memory.story("旧作")
    before = _contents(target)
    with pytest.raises(Conflict, match="not empty"):
        move(source, target)
    assert _contents(target) == before


@pytest.mark.long
def test_a_begun_move_is_not_gone_on_with_from_elsewhere(
    source: DatabasePlace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = place_at(tmp_path / "to.db")
    with monkeypatch.context() as patch:
        patch.setattr(moving._Move, "_compare", lambda *_: (_ for _ in ()).throw(InternalError("Stopped.")))
        with pytest.raises(InternalError):
            move(source, target)
    other = place_at(tmp_path / "other.db")
    Memory(other).close()
    with pytest.raises(Conflict, match="another database"):
        move(other, target)
    with pytest.raises(Conflict, match="to come from"):
        move(target, place_at(tmp_path / "third.db"))
    assert move(source, target).kept_count == 4


@pytest.mark.long
def test_what_did_not_arrive_as_it_was_is_found(source: DatabasePlace, tmp_path: Path) -> None:
    target = tmp_path / "file" / "to.db"

    def spoil(done: int, total: int, title: str) -> None:
        if done == total:
            with closing(sqlite3.connect(target)) as connection, connection:
                connection.execute("UPDATE kg_entities SET name = 'X' WHERE name = '林远'")

    with pytest.raises(InternalError, match="kg_entities"):
        move(source, target, spoil)


@pytest.mark.long
def test_what_is_written_to_the_source_meanwhile_is_not_lost_in_silence(
    source: DatabasePlace, tmp_path: Path
) -> None:
    target = place_at(tmp_path / "to.db")

    def write(done: int, total: int, title: str) -> None:
        if done == total:
            with Memory(source) as memory:
                memory.story("空", id="blank").entity.create(type="item", name="后来")

    with pytest.raises(Conflict, match="changed while"):
        move(source, target, write)
    move(source, target)
    assert _contents(target) == _contents(source)


def test_a_file_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    for source, target in ((tmp_path / "no.db", tmp_path / "to.db"), (tmp_path / "a.db", tmp_path / "a.db")):
        with pytest.raises((InvalidInput, FabulaError)):
            move(source, target)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_the_command_says_what_it_does_in_both_languages(source: DatabasePlace, tmp_path: Path) -> None:
    arguments = ("move", "--from", str(source), "--to")
    said = fabula(*arguments, f"sqlite:{tmp_path / 'one.db'}", cwd=tmp_path)
    assert (said.returncode, said.stdout.split(":")[0]) == (0, "Moved and compared"), said.stderr
    assert "3/3" in said.stderr
    said = fabula(*arguments, f"sqlite:{tmp_path / 'two.db'}", cwd=tmp_path, LANG="zh_CN.UTF-8")
    assert said.stdout.startswith("已迁移并核对：3 个故事")
    again = fabula(*arguments, f"sqlite:{tmp_path / 'two.db'}", cwd=tmp_path)
    assert again.returncode == 1
    assert "not empty" in again.stderr
    assert rows(tmp_path / "two.db", "SELECT count(*) FROM move_parts") == [0]
