"""The folder of a story follows it: what follows is what a whole export would write."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from hypothesis import given, settings

from any_story import STEPS, Teller
from effort import examples
from every_step import SOMETHING_OF_EVERYTHING, Step
from fabula.memory import Memory
from fabula.projections.folder import StoryFolder, Written
from fabula.projections.projection import catch_up
from fabula.projections.story_files import all_files
from fabula.projections.story_folders import StoryFolders
from fabula.story_memory import StoryMemory
from postgres import place_at


def _held(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file() and ".fabula" not in path.parts)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def _whole(memory: Memory, story: StoryMemory) -> dict[str, bytes]:
    with memory.call().store.read() as reader:
        return {path: data for path, data in all_files(reader, story.id) if data is not None}


def _follow(memory: Memory, story: StoryMemory, folder: StoryFolder) -> Written | None:
    folders = StoryFolders(memory.call().store, lambda story_id, title: folder)
    catch_up(memory.call().store, folders, story.id)
    return folders.last


def follows(memory: Memory, story: StoryMemory, folder: Path, steps: list[Step], *, at_once: int = 1) -> None:
    """Tell a story, a few steps at once, and hold what follows against the whole."""
    teller, shadow = Teller(memory, story), StoryFolder(folder)
    _follow(memory, story, shadow)
    for place in range(0, len(steps), at_once):
        part = steps[place : place + at_once]
        teller.tell(part)
        _follow(memory, story, shadow)
        assert _held(folder) == _whole(memory, story), part
    assert _follow(memory, story, shadow) is None


@pytest.mark.long
def test_what_follows_is_the_whole(memory: Memory, story: StoryMemory, tmp_path: Path) -> None:
    rest: list[Step] = [
        ("rename", {"who": 0, "name": "新名"}),
        ("merge", {"who": 1, "other": 2}),
        ("remove", {"who": 1}),
        ("undo", {}),
        ("unscene", {"chapter": 0, "scene": 1}),
    ]
    follows(memory, story, tmp_path / "out", [*SOMETHING_OF_EVERYTHING, *rest], at_once=5)


@pytest.mark.slow
@settings(max_examples=examples(25))
@given(steps=STEPS)
def test_what_follows_is_the_whole_whatever_happens(
    tmp_path_factory: pytest.TempPathFactory, steps: list[Step]
) -> None:
    folder = tmp_path_factory.mktemp("any")
    with Memory(place_at(folder / "fabula.db")) as memory:
        follows(memory, memory.story("任意"), folder / "out", steps)


def test_a_change_in_a_story_of_many_touches_few_files(
    memory: Memory, story: StoryMemory, tmp_path: Path
) -> None:
    story.batch.upsert(entities=[{"type": "item", "name": f"物{n}", "id": f"i{n}"} for n in range(200)])
    folder = StoryFolder(tmp_path / "out")
    assert _follow(memory, story, folder) == Written(changed=203, removed=0, same=0)
    story.relation.create(source_entity_id="i3", target_entity_id="i4", relation_type="ally")
    assert _follow(memory, story, folder) == Written(changed=1, removed=0, same=0)
    story.entity.update(id="i4", expected_version=1, patch={"name": "剑"})
    assert _follow(memory, story, folder) == Written(changed=2, removed=1, same=0)


def test_the_house_writes_what_changed_before_it_closes(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with Memory(place_at(tmp_path / "fabula.db"), export_dir=out) as memory:
        story = memory.story("海港")
        story.entity.create(type="character", name="林远")
        expected = _whole(memory, story)
    assert _held(out / "海港") == expected
    with Memory(place_at(tmp_path / "fabula.db"), export_dir=out) as memory:
        memory.story("海港").entity.create(type="character", name="苏晚")
        expected = _whole(memory, memory.story("海港"))
    assert _held(out / "海港") == expected


def test_a_folder_that_cannot_be_written_harms_nobody(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "out").write_text("a file where the folder should be")
    house = Memory(place_at(tmp_path / "fabula.db"), export_dir=tmp_path / "out")
    with caplog.at_level(logging.WARNING, "fabula.follower"), house as memory:
        story = memory.story("海港")
        story.entity.create(type="character", name="林远")
        assert story.entity.list().total_count == 1
    assert [record.message for record in caplog.records] == ["not followed"]


def test_a_story_made_again_under_its_id_takes_the_folder_over(memory: Memory, tmp_path: Path) -> None:
    folder = StoryFolder(tmp_path / "out")
    for name in ("林远", "苏晚"):
        story = memory.story("海", id="the-story")
        story.entity.create(type="character", name=name)
        _follow(memory, story, folder)
        assert [path.stem for path in (tmp_path / "out/entities/character").iterdir()] == [name]
        memory.call().store.delete_story("the-story")
