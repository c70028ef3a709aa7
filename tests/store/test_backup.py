"""A backup is the database as of one moment, although others write; what is damaged is not restored."""

from __future__ import annotations

import hashlib
import json
import re
import signal
import sqlite3
import threading
import zipfile
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from doors import everything, rows
from fabula.errors import Conflict, FabulaError, InvalidInput
from fabula.memory import Memory, restore_memory
from fabula.store.backup import DATABASE, MANIFEST, keep_newest
from fabula.store.damage import newest_backup
from fabula.store.whole_file import counts
from fabula.story_memory import StoryMemory
from forked import forked_python
from postgres import blank_at
from waiting import PATIENCE

LOG = "SELECT * FROM story_changes WHERE project_id = ? AND revision <= ? ORDER BY revision, seq"


def filled(memory: Memory) -> StoryMemory:
    story = memory.story("雾港", id="story")
    people = [{"type": "character", "name": f"人{n}", "description": "灯塔" * 40} for n in range(30)]
    story.batch.upsert(entities=people, relations=[])
    return story


@pytest.fixture
def backup(memory: Memory, tmp_path: Path) -> Path:
    filled(memory)
    path, _ = memory.backup(tmp_path / "one.backup")
    return path


def test_what_is_restored_is_what_was_there(memory: Memory, backup: Path, tmp_path: Path) -> None:
    before = everything(memory.place)
    memory.answer("knowledge:entity:create", {"projectId": "story", "type": "item", "name": "后来"})
    restored = tmp_path / "other" / "restored.db"
    manifest = restore_memory(backup, restored)
    assert everything(restored) == before
    assert manifest.revisions == {"story": memory.stories()[0].revision - 1}
    with Memory(restored) as other:
        assert other.audit()[0].differing == ()
        other.answer("knowledge:entity:create", {"projectId": "story", "type": "item", "name": "新生"})
    assert sorted(path.name for path in restored.parent.iterdir()) == ["restored.db"]


@pytest.mark.slow
def test_a_backup_made_while_others_write_is_a_moment_of_the_log(memory: Memory, tmp_path: Path) -> None:
    filled(memory)
    over, failed = threading.Event(), list[Exception]()

    def write(name: str) -> None:
        number = 0
        with Memory(memory.place) as other:
            story = StoryMemory(other, "story")
            while not over.is_set():
                number += 1
                try:
                    made = story.entity.create(type="item", name=f"{name}{number}", description="潮" * 500)
                    if number % 3 == 0:
                        story.entity.delete(id=made.id)
                except Exception as error:
                    failed.append(error)
                    return

    writers = [threading.Thread(target=write, args=(name,)) for name in "甲乙"]
    for writer in writers:
        writer.start()
    made = [memory.backup(tmp_path / f"{number}.backup") for number in range(5)]
    over.set()
    for writer in writers:
        writer.join()
    assert failed == []
    positions = [manifest.revisions["story"] for _, manifest in made]
    assert positions == sorted(set(positions)), "others wrote meanwhile"
    for path, manifest in made:
        restored = path.with_suffix(".db")
        restore_memory(path, restored)
        position = manifest.revisions["story"]
        assert rows(restored, LOG, "story", 1 << 60) == rows(memory.place, LOG, "story", position)
        with Memory(restored) as other:
            assert other.complaints() == ()
            assert other.audit()[0].differing == ()
            assert other.stories()[0].revision == position


@pytest.mark.long
def test_a_damaged_backup_is_refused_or_harmless(memory: Memory, backup: Path, tmp_path: Path) -> None:
    """Whichever byte is wrong: what is restored is what was there, or nothing is."""
    before, whole, chance = everything(memory.place), backup.read_bytes(), Random(1)
    damaged, refused = tmp_path / "damaged.backup", 0
    for number in range(60):
        place = chance.randrange(len(whole))
        flipped = bytes([whole[place] ^ (1 << chance.randrange(8))])
        damaged.write_bytes(whole[:place] + flipped + whole[place + 1 :])
        target = tmp_path / f"{number}.db"
        try:
            restore_memory(damaged, target)
        except FabulaError:
            refused += 1
            assert not target.exists()
        else:
            assert everything(target) == before
    assert refused > 30
    assert not list(tmp_path.glob(".fabula-*"))


@pytest.mark.parametrize("share", [0.0, 0.3, 0.99])
def test_a_backup_that_was_cut_off_is_refused(backup: Path, tmp_path: Path, share: float) -> None:
    whole = backup.read_bytes()
    backup.write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(InvalidInput):
        restore_memory(backup, tmp_path / "restored.db")
    assert not (tmp_path / "restored.db").exists()


def test_other_content_under_the_same_manifest_is_refused(backup: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(backup) as archive:
        manifest, database = archive.read(MANIFEST), archive.read(DATABASE)
    other = tmp_path / "other.backup"
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr(MANIFEST, manifest)
        archive.writestr(DATABASE, database.replace("人7".encode(), "人8".encode()))
    with pytest.raises(InvalidInput) as refused:
        restore_memory(other, tmp_path / "restored.db")
    assert refused.value.details == {"reason": "damaged"}


def repacked(backup: Path, tmp_path: Path, *changes: str, **told: Any) -> Path:
    """The backup as somebody would forge it: statements run on its database, a manifest that fits."""
    folder = tmp_path / "forged"
    folder.mkdir()
    with zipfile.ZipFile(backup) as archive:
        archive.extractall(folder)
    with closing(sqlite3.connect(folder / DATABASE)) as database:
        for change in changes:
            database.execute(change)
        database.commit()
    content, manifest = (folder / DATABASE).read_bytes(), json.loads((folder / MANIFEST).read_text("utf-8"))
    truth = {
        "size": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
        "rows": counts(folder / DATABASE),
    }
    (folder / MANIFEST).write_text(json.dumps({**manifest, **truth, **told}), "utf-8")
    with zipfile.ZipFile(tmp_path / "forged.backup", "w") as archive:
        for name in (MANIFEST, DATABASE):
            archive.write(folder / name, name)
    return tmp_path / "forged.backup"


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        (["CREATE TRIGGER t AFTER INSERT ON stories BEGIN DELETE FROM story_changes; END"], {}),
        (["CREATE VIEW v AS SELECT * FROM tokens"], {}),
        (["DROP TABLE alembic_version"], {}),
        (["DELETE FROM alembic_version"], {}),
        (["UPDATE stories SET revision = 7"], {}),
        ([], {"schemaVersion": "0001"}),
        ([], {"size": 1 << 60}),
    ],
    ids=["trigger", "view", "no schema", "empty schema", "other revisions", "other schema", "no room"],
)
def test_a_forged_backup_is_refused_and_leaves_nothing(
    backup: Path, tmp_path: Path, changes: list[str], told: dict[str, Any]
) -> None:
    with pytest.raises(InvalidInput):
        restore_memory(repacked(backup, tmp_path, *changes, **told), tmp_path / "new" / "restored.db")
    assert list((tmp_path / "new").iterdir()) == []


def test_a_backup_that_was_packed_anew_is_restored(memory: Memory, backup: Path, tmp_path: Path) -> None:
    restore_memory(repacked(backup, tmp_path), tmp_path / "restored.db")
    assert everything(tmp_path / "restored.db") == everything(memory.place)


def test_what_is_no_file_is_named(backup: Path, tmp_path: Path) -> None:
    for place in (tmp_path / "restored.db", blank_at(tmp_path / "other.db")):
        with pytest.raises(InvalidInput, match=f"^{re.escape(str(tmp_path))}: "):
            restore_memory(tmp_path, place)


KILLED = """
import os, signal, sys
from pathlib import Path
from fabula.memory import Memory
with Memory(Path(sys.argv[1])) as memory:
    memory.backup(Path(sys.argv[2]), seen=lambda done: done >= 1 and os.kill(os.getpid(), signal.SIGKILL))
"""


@pytest.mark.slow
@pytest.mark.sqlite_only(reason="another process opens the file")
def test_a_backup_that_is_killed_at_its_very_end_has_no_name(memory: Memory, tmp_path: Path) -> None:
    filled(memory)
    folder = tmp_path / "safe"
    folder.mkdir()
    with forked_python(KILLED, str(memory.place), str(folder)) as killed:
        assert killed.wait(PATIENCE) == -signal.SIGKILL
    assert [path for path in folder.iterdir() if path.suffix == ".backup"] == []
    made, _ = memory.backup(folder)
    restore_memory(made, tmp_path / "restored.db")


def test_from_one_engine_to_the_other_and_back(memory: Memory, backup: Path, tmp_path: Path) -> None:
    restore_memory(backup, tmp_path / "file.db")
    with Memory(tmp_path / "file.db") as file:
        again, _ = file.backup(tmp_path / "again.backup")
    place = blank_at(tmp_path / "other.db")
    restore_memory(again, place)
    assert everything(place) == everything(memory.place)


def test_the_newest_are_kept_and_nothing_else_is_removed(memory: Memory, tmp_path: Path) -> None:
    filled(memory)
    folder = tmp_path / "safe"
    folder.mkdir()
    names = [f"fabula-2020010{day}T033000Z.backup" for day in range(1, 6)]
    later, others = "fabula-29990101T000000Z.backup", ["fabula-before-the-move.backup", "notes.txt"]
    for name in (*names, later, *others):
        (folder / name).touch()
    made, _ = memory.backup(folder)
    gone = keep_newest(made, 3)
    assert {path.name for path in gone} == set(names[:-1])
    assert {path.name for path in folder.iterdir()} == {made.name, later, names[-1], *others}
    keep_newest(made, 1)
    assert {path.name for path in folder.iterdir()} == {made.name, *others}


def test_a_backup_of_a_newer_version_is_refused(backup: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(backup) as archive:
        manifest, database = archive.read(MANIFEST), archive.read(DATABASE)
    newer = tmp_path / "newer.backup"
    with zipfile.ZipFile(newer, "w") as archive:
        archive.writestr(MANIFEST, manifest.replace(b'"schemaVersion": "0', b'"schemaVersion": "9'))
        archive.writestr(DATABASE, database)
    with pytest.raises(Conflict):
        restore_memory(newer, tmp_path / "restored.db")


@pytest.mark.parametrize("taken", ["restored.db", "restored.db-wal", "restored.db-journal"])
def test_nothing_is_restored_over_something(backup: Path, tmp_path: Path, taken: str) -> None:
    (tmp_path / taken).write_bytes(b"mine")
    with pytest.raises(Conflict) as refused:
        restore_memory(backup, tmp_path / "restored.db")
    assert refused.value.details == {"path": str(tmp_path / taken)}
    assert (tmp_path / taken).read_bytes() == b"mine"


def test_a_backup_is_not_overwritten_unasked(memory: Memory, backup: Path) -> None:
    before = backup.read_bytes()
    with pytest.raises(InvalidInput):
        memory.backup(backup)
    assert backup.read_bytes() == before
    memory.backup(backup, overwrite=True)
    assert backup.read_bytes() != before


def test_a_backup_is_restored_into_the_same_kind_of_place(
    memory: Memory, backup: Path, tmp_path: Path
) -> None:
    place = blank_at(tmp_path / "other.db")
    restore_memory(backup, place)
    assert everything(place) == everything(memory.place)
    with Memory(place) as other:
        assert other.audit()[0].differing == ()
        other.answer("knowledge:entity:create", {"projectId": "story", "type": "item", "name": "新生"})
    with pytest.raises(Conflict):
        restore_memory(backup, place)


@pytest.mark.sqlite_only(reason="a server has no folder beside it")
def test_a_folder_gets_a_file_of_the_moment_which_is_remembered(memory: Memory, tmp_path: Path) -> None:
    assert newest_backup(memory.place) is None
    first, _ = memory.backup()
    assert first.parent == tmp_path / "backups"
    assert newest_backup(memory.place) == first
    second, _ = memory.backup(tmp_path)
    assert newest_backup(memory.place) == second
    second.unlink()
    assert newest_backup(memory.place) is None


def test_a_backup_is_for_its_owner_alone(backup: Path) -> None:
    assert backup.stat().st_mode & 0o077 == 0
