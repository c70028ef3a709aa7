"""Databases of a Fabula that lost its way: whoever opens them now finds everything going on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from doors import everything, rows
from fabula.memory import Memory
from fabula.operations.manuscript.manuscript import list_snapshots
from fabula.operations.manuscript.novel_import import ImportNovelRequest, NovelStory, import_novel
from fabula.operations.stories import read_story
from fabula.store.place import DatabasePlace
from old_databases.novel import PEOPLE, novel
from old_databases.opening import old_database

STUCK = "卡住的队列"
ENTRIES = "SELECT id, entry_key, content, keywords_json, version FROM lorebook_entries ORDER BY 1"
READ = ("读完的", "读完后被忘记的")
# Where somebody had stopped for good, and where a process had only died.
GIVEN_UP = ("未读就取消的", "读到一半取消的", "提议之后取消的", "五次被杀的", "取消后被忘记的")
INTERRUPTED = ("读到一半被杀的", "提议之后被杀的")


@pytest.fixture
def stuck(tmp_path: Path) -> DatabasePlace:
    return old_database("stuck_queue", tmp_path)


@pytest.fixture
def unread(tmp_path: Path) -> Iterator[Memory]:
    with Memory(old_database("unread_novels", tmp_path)) as memory:
        yield memory


def again(memory: Memory, title: str) -> NovelStory:
    return import_novel(memory.call(), ImportNovelRequest(text=novel(title), title=title))


def assert_read(memory: Memory, story_id: str) -> None:
    """Everybody is there, once, and every scene is summed up."""
    found = [one.name for one in memory.story("", id=story_id).entity.list(limit=100).items]
    assert sorted(found) == sorted(PEOPLE)
    assert len(list_snapshots(memory.call(), project_id=story_id)) == 6


def test_the_old_database_shows_the_fault(stuck: DatabasePlace) -> None:
    left = "SELECT count(*) FROM job_parts JOIN jobs ON jobs.id = job_parts.job_id WHERE status = 'cancelled'"
    assert rows(stuck, left) == [1]
    assert rows(stuck, "SELECT count(*) FROM jobs WHERE finished_at IS NOT NULL") == [100]
    assert rows(stuck, "SELECT attempts FROM jobs WHERE status = 'processing' ORDER BY 1") == [1, 7, 7, 7]


def test_a_stuck_queue_goes_on(stuck: DatabasePlace) -> None:
    with Memory(stuck) as memory:
        assert memory.call().jobs.crew.run_due() == 4
        assert rows(stuck, "SELECT count(*) FROM jobs WHERE finished_at IS NULL") == [0]
        assert rows(stuck, "SELECT count(*) FROM jobs WHERE status = 'failed'") == [0]
        assert rows(stuck, "SELECT count(*) FROM job_parts") == [0]
        assert_queue_goes_on(memory, again(memory, STUCK))
        assert not any(report.differing for report in memory.audit())


def assert_queue_goes_on(memory: Memory, story: NovelStory) -> None:
    """The cancelled reading, which began it all, can be asked for again."""
    assert story.task_id is not None
    memory.call().jobs.crew.run_due()
    assert_read(memory, story.story_id)


@pytest.mark.parametrize("title", READ)
def test_a_novel_that_was_read_is_read(unread: Memory, title: str) -> None:
    story = again(unread, title)
    assert (story.is_new, story.task_id) == (False, None)
    assert_read(unread, story.story_id)


@pytest.mark.parametrize("title", GIVEN_UP)
def test_a_reading_that_was_given_up_is_begun_again_when_asked_for(unread: Memory, title: str) -> None:
    call = unread.call()
    call.jobs.crew.run_due()
    story = again(unread, title)
    assert story.task_id is not None, "it is not taken for read"
    assert again(unread, title).task_id == story.task_id
    assert call.jobs.crew.run_due() == 1
    assert call.jobs.job(story.task_id).status == "done"
    assert_read(unread, story.story_id)
    assert again(unread, title).task_id is None
    assert not any(report.differing for report in unread.audit())


@pytest.mark.parametrize("title", INTERRUPTED)
def test_a_reading_whose_process_died_goes_on_by_itself(unread: Memory, title: str) -> None:
    unread.call().jobs.crew.run_due()
    story = again(unread, title)
    assert story.task_id is None
    assert_read(unread, story.story_id)


def test_nothing_that_was_cancelled_is_begun_by_itself(unread: Memory) -> None:
    assert unread.call().jobs.crew.run_due() == len(INTERRUPTED)
    for title in GIVEN_UP:
        story = next(story for story in unread.stories() if story.title == title)
        assert len(list_snapshots(unread.call(), project_id=story.id)) == 0


def test_opening_changes_nothing_of_the_stories(tmp_path: Path) -> None:
    place = old_database("unread_novels", tmp_path)
    before, entries = everything(place), rows(place, ENTRIES)
    with Memory(place) as memory:
        read_story(memory.call(), project_id=memory.stories()[0].id)
    after = everything(place)
    changed = {table for table in after if after[table] != before.get(table)}
    # Some tables have more columns; the others are new.
    own = {"lorebook_entries", "entity_extractions", "fact_evidence", "lorebooks"}
    own |= {"kg_entities", "kg_relations", "scenes", "knowings", "reveals", "story_threads", "check_waivers"}
    own |= {"conversations", "conversation_states", "client_contexts", "context_receipts", "job_hints"}
    # Facts and scenes have columns for world time.
    own |= {"kg_entities", "kg_relations", "scenes"}
    # That evidence was made from what was approved is a step of the stories.
    log = {"stories", "story_steps", "story_changes"}
    assert changed == {"alembic_version", "novel_readings", "job_parts", *own, *log}
    assert rows(place, ENTRIES) == entries
