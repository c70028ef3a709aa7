"""A story's folder on disk: only what changed is written, whole or not at all; the rest is not touched."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from doors import environment
from fabula.errors import Conflict, InvalidInput
from fabula.memory import Memory
from fabula.operations.import_export.export_story import export_folder
from fabula.projections.folder import StoryFolder, folder_for
from fabula.story_memory import StoryMemory
from forked import forked_python

LIN = "entities/character/林远.yaml"


@pytest.fixture
def told(memory: Memory, story: StoryMemory) -> StoryMemory:
    lin = {"type": "character", "name": "林远", "id": "lin", "attributes": {"age": 27, "mood": "calm"}}
    story.batch.upsert(entities=[lin, {"type": "character", "name": "苏晚", "id": "su"}])
    story.relation.create(source_entity_id="lin", target_entity_id="su", relation_type="ally")
    story.scene(0, 0, "雾。\r\n没有换行")
    return story


def _held(folder: Path) -> dict[str, tuple[int, bytes]]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {
        path.relative_to(folder).as_posix(): (path.stat().st_ino, path.read_bytes())
        for path in files
        if not {".fabula", ".git"} & set(path.parts)
    }


def _grow_older(memory: Memory, story: StoryMemory, age: int) -> None:
    lin = story.entity.read(id="lin")
    patch = {"attributes": {**lin.attributes, "age": age}}
    story.entity.update(id="lin", expected_version=lin.version, patch=patch)


def test_only_changed_files_are_written(memory: Memory, told: StoryMemory, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    export_folder(memory.call(), project_id=told.id, path=folder)
    before = _held(folder)
    _grow_older(memory, told, 28)
    done = export_folder(memory.call(), project_id=told.id, path=folder)
    after = _held(folder)
    assert (done.changed, done.removed, done.same) == (1, 0, len(after) - 1)
    assert {path for path in after if after[path] != before[path]} == {LIN}
    assert after[LIN][0] != before[LIN][0]


def test_after_one_birthday_git_shows_one_line(memory: Memory, told: StoryMemory, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    export_folder(memory.call(), project_id=told.id, path=folder)

    def git(*words: str) -> str:
        identity = ("-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "core.autocrlf=true")
        done = subprocess.run(
            ["git", *identity, *words], cwd=folder, env=environment(), capture_output=True, check=True
        )
        return done.stdout.decode()

    git("init", "--quiet")
    git("add", "--all")
    git("commit", "--quiet", "--message", "one")
    assert ".fabula" not in git("ls-files")
    _grow_older(memory, told, 28)
    export_folder(memory.call(), project_id=told.id, path=folder)
    changed = [line for line in git("diff", "--unified=0").splitlines() if line[:1] in "+-"]
    assert changed[2:] == ["-  age: 27", "+  age: 28"]
    assert git("diff", "--numstat").startswith("1\t1\t")
    text = (folder / "manuscript/0000/0000.md").read_bytes()
    (folder / "manuscript/0000/0000.md").unlink()
    git("checkout", "--", "manuscript")
    assert (folder / "manuscript/0000/0000.md").read_bytes() == text == "雾。\r\n没有换行".encode()


def test_what_is_no_more_goes_and_what_is_others_stays(
    memory: Memory, told: StoryMemory, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    export_folder(memory.call(), project_id=told.id, path=folder)
    others = [folder / "README.md", folder / ".git/HEAD", folder / "entities/character/notes.txt"]
    for path in others:
        path.parent.mkdir(exist_ok=True)
        path.write_text("mine")
    told.entity.delete(id="su")
    lin = told.entity.read(id="lin")
    told.entity.update(id="lin", expected_version=lin.version, patch={"name": "林渊"})
    done = export_folder(memory.call(), project_id=told.id, path=folder)
    assert done.removed == 2
    assert (folder / "entities/character/林渊.yaml").exists()
    assert not (folder / LIN).exists()
    assert all(path.read_text() == "mine" for path in others)


def test_a_name_that_changes_only_its_case_keeps_its_file(
    memory: Memory, told: StoryMemory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told.batch.upsert(entities=[{"type": "item", "name": "Bell", "id": "bell"}])
    export_folder(memory.call(), project_id=told.id, path=tmp_path / "out")
    told.entity.update(id="bell", expected_version=1, patch={"name": "BELL"})
    removed: list[bool] = []

    def noted(folder: StoryFolder, path: str) -> None:
        # On a file system where case says nothing, this would be the new file.
        removed.append((folder.path / "entities/item/BELL.yaml").exists())
        remove(folder, path)

    remove = StoryFolder._remove
    monkeypatch.setattr(StoryFolder, "_remove", noted)
    export_folder(memory.call(), project_id=told.id, path=tmp_path / "out")
    assert removed == [False]
    assert [path.name for path in (tmp_path / "out/entities/item").iterdir()] == ["BELL.yaml"]


def test_a_folder_of_somebody_else_is_not_written_into(
    memory: Memory, told: StoryMemory, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    (folder / "entities/character").mkdir(parents=True)
    (folder / LIN).write_text("mine")
    with pytest.raises(Conflict):
        export_folder(memory.call(), project_id=told.id, path=folder)
    assert (folder / LIN).read_text() == "mine"
    assert not (folder / "story.yaml").exists()
    export_folder(memory.call(), project_id=told.id, path=folder, overwrite=True)
    assert (folder / LIN).read_text() != "mine"
    other = memory.story("别的", id="other")
    with pytest.raises(Conflict):
        export_folder(memory.call(), project_id=other.id, path=folder)
    assert (folder / LIN).exists()


def test_a_file_that_came_between_is_not_replaced(memory: Memory, told: StoryMemory, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    export_folder(memory.call(), project_id=told.id, path=folder)
    mine = folder / "entities/item/剑.yaml"
    mine.parent.mkdir()
    mine.write_text("mine")
    (folder / ".gitattributes").write_text("*.md text\n")
    told.entity.create(type="item", name="剑")
    with pytest.raises(Conflict):
        export_folder(memory.call(), project_id=told.id, path=folder)
    assert mine.read_text() == "mine"


def test_attributes_of_git_that_are_there_stay(memory: Memory, told: StoryMemory, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / ".gitattributes").write_text("*.md text\n")
    export_folder(memory.call(), project_id=told.id, path=folder)
    assert (folder / ".gitattributes").read_text() == "*.md text\n"


@pytest.mark.parametrize("place", [LIN, "entities", "entities/character", ".fabula"])
def test_links_are_refused(memory: Memory, told: StoryMemory, tmp_path: Path, place: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    link = tmp_path / "out" / place
    link.parent.mkdir(parents=True)
    link.symlink_to(elsewhere, target_is_directory=True)
    with pytest.raises((InvalidInput, Conflict)):
        export_folder(memory.call(), project_id=told.id, path=tmp_path / "out")
    assert list(elsewhere.iterdir()) == []


def test_one_writer_at_a_time(memory: Memory, told: StoryMemory, tmp_path: Path) -> None:
    with StoryFolder(tmp_path / "out").locked(), pytest.raises(Conflict):
        export_folder(memory.call(), project_id=told.id, path=tmp_path / "out")
    export_folder(memory.call(), project_id=told.id, path=tmp_path / "out")


def test_the_folder_of_a_story_is_found_whatever_it_is_called(
    memory: Memory, told: StoryMemory, tmp_path: Path
) -> None:
    first = folder_for(tmp_path, told.id, "海/港")
    assert first.path.parent == tmp_path
    export_folder(memory.call(), project_id=told.id, path=first.path)
    renamed = first.path.rename(tmp_path / "my novel")
    assert folder_for(tmp_path, told.id, "新名").path == renamed
    assert folder_for(tmp_path, "other", "my novel").path == tmp_path / "my novel (2)"


WRITER = """
import sys
from pathlib import Path
from fabula.memory import Memory
from fabula.operations.import_export.export_story import export_folder

with Memory(sys.argv[1]) as memory:
    story = memory.story("测试")
    age = 0
    while True:
        age += 1
        people = [{"type": "character", "name": f"人{n}", "attributes": {"age": age}} for n in range(40)]
        story.batch.upsert(entities=people)
        export_folder(memory.call(), project_id=story.id, path=Path(sys.argv[2]))
        print(age, flush=True)
"""


@pytest.mark.slow
def test_a_killed_writer_leaves_whole_files(tmp_path: Path) -> None:
    folder, db = tmp_path / "out", tmp_path / "fabula.db"
    for _ in range(3):
        with forked_python(WRITER, str(db), str(folder), stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            for _ in range(3):
                process.stdout.readline()
            process.kill()
        for path in folder.rglob("entities/**/*.yaml"):
            assert path.read_text().startswith("type: character\nname: 人")
            assert path.read_text().endswith("\n")
        listed = set((folder / ".fabula/files.txt").read_text().splitlines())
        assert set(_held(folder)) <= listed
    with Memory(db) as memory:
        story = memory.story("测试")
        export_folder(memory.call(), project_id=story.id, path=folder)
        export_folder(memory.call(), project_id=story.id, path=tmp_path / "fresh")
        contents = [
            {path: data for path, (_, data) in _held(f).items()} for f in (folder, tmp_path / "fresh")
        ]
        assert contents[0] == contents[1]
        assert list((folder / ".fabula/staged").iterdir()) == []
