"""A whole novel: stored, read, approved where it is sure; stopped and begun again without a difference."""

from __future__ import annotations

import signal
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from doors import fabula, popen, rows
from fabula import formats
from fabula.errors import InvalidInput, NotFound
from fabula.memory import Memory
from fabula.model.moment import Moment
from fabula.operations.manuscript import novel_reading
from fabula.operations.manuscript.manuscript import delete_scene, list_chapters, list_snapshots, read_scene
from fabula.operations.manuscript.novel_import import KIND, ImportNovelRequest, import_novel
from fabula.operations.manuscript.novel_reading import mention_counts
from fabula.operations.manuscript.scene_extraction import read_scene_anew
from fabula.store.log import READ_NOVEL, SUM_UP_NOVEL
from novels import PEOPLE, found, imported, novel, outcome
from postgres import place_at
from still_clock import StillClock
from waiting import PATIENCE, eventually


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Memory]:
    with Memory(place_at(tmp_path / "fabula.db"), clock=StillClock()) as memory:
        yield memory


@pytest.mark.long
def test_a_novel_becomes_a_story_one_can_open(house: Memory) -> None:
    story = imported(house, novel(20))
    assert (story.is_new, story.chapter_count, story.scene_count) == (True, 20, 20)
    chapters = list_chapters(house.call(), project_id=story.story_id)
    assert [one.title for one in chapters][:2] == ["第1章 无题", "第2章 无题"]
    people = found(house, story.story_id)
    assert set(PEOPLE) <= set(people)
    assert {people[name].type for name in PEOPLE} == {"character"}
    snapshots = list_snapshots(house.call(), project_id=story.story_id)
    assert len(snapshots) == 20
    told = {one.name for snapshot in snapshots for one in snapshot.active_characters}
    assert set(PEOPLE) <= told <= set(people)
    counts = {name: times for name, _, times, _ in mention_counts(house.call(), story.story_id)}
    assert counts["苏瑶"] == novel(20).count("苏瑶")


@pytest.mark.long
def test_nobody_is_part_of_the_story_before_they_appear(house: Memory) -> None:
    text = novel(20)
    story = imported(house, text)
    people = found(house, story.story_id)
    first = {name: place for name, _, _, place in mention_counts(house.call(), story.story_id)}
    for name in PEOPLE:
        chapter, scene = first[name]
        assert people[name].since == Moment(chapter=chapter, scene=scene)
    early = house.story("雾", id=story.story_id).context(1, 0, "赵无极来了。")
    assert "赵无极" not in str([entry.entry_key for entry in early.before_scene_entries])


@pytest.mark.long
def test_the_source_of_a_find_stands_in_its_scene(house: Memory) -> None:
    story = imported(house, novel(20), approve=None)
    proposals = house.story("雾", id=story.story_id).proposals()
    assert {one.entity_name for one in proposals} >= set(PEOPLE)
    for one in proposals:
        assert one.chapter is not None
        assert one.scene is not None
        scene = read_scene(house.call(), project_id=story.story_id, chapter=one.chapter, scene=one.scene)
        assert one.source_start is not None
        assert scene.text[one.source_start : one.source_end] == one.source_text


@pytest.mark.long
def test_without_approval_everything_waits(house: Memory) -> None:
    story = imported(house, novel(12), approve=1.0)
    assert found(house, story.story_id) == {}
    assert house.story("雾", id=story.story_id).proposals()


@pytest.mark.long
def test_the_reading_is_undone_in_one_step(house: Memory) -> None:
    story = imported(house, novel(12))
    told = house.story("雾", id=story.story_id)
    steps = {step.action: step.revision for step in told.history.list(limit=10).items}
    told.history.undo(revision=steps[SUM_UP_NOVEL])
    told.history.undo(revision=steps[READ_NOVEL])
    assert found(house, story.story_id) == {}
    assert told.proposals(reviewed=None) == ()
    assert len(list_chapters(house.call(), project_id=story.story_id)) == 12
    assert not any(report.differing for report in house.audit())


@pytest.mark.long
def test_undo_takes_back_what_the_author_did_and_not_what_was_read_meanwhile(house: Memory) -> None:
    story = imported(house, novel(12))
    told = house.story("雾", id=story.story_id)
    steps = told.history.list(limit=3).items
    assert [step.action for step in steps] == [SUM_UP_NOVEL, READ_NOVEL, "novel:import"]
    made = told.entity.create(type="item", name="灯塔上的旧铜铃")
    assert told.history.undo().reverted_revision == steps[0].revision + 1
    with pytest.raises(NotFound):
        told.entity.read(id=made.id)
    assert told.history.undo().reverted_revision == steps[2].revision


@pytest.mark.long
def test_the_same_again_makes_nothing_twice(house: Memory) -> None:
    text = novel(12)
    first = imported(house, text)
    before = house.stories()[0]
    again = imported(house, text)
    assert (again.story_id, again.is_new, again.task_id) == (first.story_id, False, None)
    assert house.stories() == (before,)
    assert imported(house, text, title="另一部").story_id != first.story_id


@pytest.mark.long
@pytest.mark.parametrize("stop_at", [0.3, 0.8])
def test_a_reading_that_was_stopped_ends_as_if_it_had_not_been(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stop_at: float
) -> None:
    monkeypatch.setattr(novel_reading, "BLOCK", 2_000)
    text = novel(16)
    with Memory(place_at(tmp_path / "whole.db"), clock=StillClock()) as memory:
        whole = outcome(memory, imported(memory, text).story_id)
    with Memory(place_at(tmp_path / "parts.db"), clock=StillClock()) as memory:
        call = memory.call()
        story = import_novel(call, ImportNovelRequest(text=text, title="雾"))

        def stop(progress: float, message: str) -> None:
            if progress >= stop_at:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            call.jobs.crew.run(call.jobs.claimed(call, KIND, story.story_id, "", ""), stop)
        assert import_novel(call, ImportNovelRequest(text=text, title="雾")).task_id is not None
        assert call.jobs.crew.run_due() == 1
        parts = outcome(memory, story.story_id)
    assert parts == whole


@pytest.mark.long
def test_what_was_read_with_the_novel_is_not_read_again(house: Memory) -> None:
    story = imported(house, novel(8))
    waiting = len(house.story("雾", id=story.story_id).proposals())
    for chapter in range(8):
        assert read_scene_anew(house.call(), story.story_id, chapter, 0, "local") == 0
    assert len(house.story("雾", id=story.story_id).proposals()) == waiting
    text = (
        read_scene(house.call(), project_id=story.story_id, chapter=3, scene=0).text
        + "\n楚红袖说道：“是我。”楚红袖走了。"
    )
    house.story("雾", id=story.story_id).scene(3, 0, text)
    assert read_scene_anew(house.call(), story.story_id, 3, 0, "local") > 0


def test_no_text_is_no_novel(house: Memory) -> None:
    with pytest.raises(InvalidInput):
        import_novel(house.call(), ImportNovelRequest(text=" \n\n "))


def test_what_is_larger_than_any_novel_leaves_no_story(
    house: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(formats.novel_outline, "MOST_CHAPTERS", 9)
    with pytest.raises(InvalidInput, match="more than 9 chapters"):
        import_novel(house.call(), ImportNovelRequest(text=novel(10)))
    assert house.stories() == ()
    assert import_novel(house.call(), ImportNovelRequest(text=novel(9))).chapter_count == 9


def test_a_novel_without_a_scene_left_is_read_at_once(house: Memory) -> None:
    call = house.call()
    story = import_novel(call, ImportNovelRequest(text=novel(2), title="雾"))
    for chapter in (1, 0):
        delete_scene(call, project_id=story.story_id, chapter=chapter, scene=0)
    assert call.jobs.crew.run_due() == 1
    assert call.jobs.job(str(story.task_id)).status == "done"
    assert import_novel(call, ImportNovelRequest(text=novel(2), title="雾")).task_id is None


@pytest.mark.slow
@pytest.mark.sqlite_only(reason="looks into the file while another process writes it")
def test_a_killed_import_goes_on_where_it_was(tmp_path: Path) -> None:
    text = novel(1_050)
    (tmp_path / "novel.txt").write_text(text, "utf-8")
    db = tmp_path / "fabula.db"
    command = ["import", str(tmp_path / "novel.txt"), "--title", "雾", "--db", str(db)]

    def has_read_a_part() -> bool:
        with suppress(sqlite3.Error):
            return rows(db, "SELECT count(*) FROM job_parts") != [0]
        return False

    with popen(command, tmp_path, {}) as process:
        eventually(has_read_a_part)
        process.send_signal(signal.SIGKILL)
        process.wait(PATIENCE)
    assert rows(db, "SELECT status FROM jobs") == ["processing"]
    done = fabula(*command, cwd=tmp_path)
    assert done.returncode == 0
    assert "going on" in done.stdout
    assert rows(db, "SELECT status, attempts FROM jobs") == [("done", 1)]
    assert rows(db, "SELECT count(*) FROM stories") == [1]
    assert rows(db, "SELECT count(*) FROM scenes") == [1_050]
    assert rows(db, "SELECT count(*) FROM job_parts") == [0]
    names = rows(db, "SELECT name FROM kg_entities")
    assert set(PEOPLE) <= set(names)
    assert len(names) == len(set(names))
