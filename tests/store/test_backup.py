"""A backup is the database as of one moment, although others write; what is damaged is not restored."""

from __future__ import annotations

import threading
import zipfile
from pathlib import Path
from random import Random

import pytest

from doors import everything, rows
from fabula.errors import Conflict, FabulaError, InvalidInput
from fabula.memory import Memory, restore_memory
from fabula.store.backup import DATABASE, MANIFEST
from fabula.store.damage import newest_backup
from fabula.story_memory import StoryMemory
from postgres import blank_at

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
