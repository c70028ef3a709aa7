"""Threads: where each stands at every moment, and that nothing of it gets out of step."""

from __future__ import annotations

from typing import Any

import pytest

from fabula.errors import Conflict, InvalidInput, NotFound
from fabula.memory import Memory
from fabula.model.moment import Moment
from fabula.operations.history import undo
from fabula.operations.import_export.export_story import ExportFileRequest, export_file
from fabula.operations.import_export.import_folder import import_archive
from fabula.operations.manuscript.manuscript import delete_scene, read_scene
from fabula.operations.threads import StoryThread
from fabula.story_memory import StoryMemory

PLANT = "The clock had stopped at nine."
ADVANCE = "She asked who had wound it."
PAYOFF = "It was the gardener who stopped the clock."


def scene_id(memory: Memory, story: StoryMemory, chapter: int, scene: int = 0) -> str:
    return read_scene(memory.call(), project_id=story.id, chapter=chapter, scene=scene).id


@pytest.fixture
def clock(memory: Memory, story: StoryMemory) -> StoryThread:
    """A thread planted in chapter 1, advanced in 3 and paid off in 5 of seven chapters."""
    texts = {1: PLANT, 3: ADVANCE, 5: PAYOFF}
    for chapter in range(7):
        story.scene(chapter, 0, f"Rain. {texts.get(chapter, 'Nothing happened.')} Night fell.")
    plants = [{"scene_id": scene_id(memory, story, 1), "quotation": PLANT}]
    made = story.thread.create(title="The stopped clock", kind="mystery", plants=plants)
    for chapter, role, words in ((3, "advances", ADVANCE), (5, "payoffs", PAYOFF)):
        story.thread.mark(id=made.id, role=role, scene_id=scene_id(memory, story, chapter), quotation=words)
    return made


def stands(story: StoryMemory, chapter: int, **wanted: Any) -> str | None:
    listed = story.thread.list(as_of=Moment(chapter=chapter, scene=0), **wanted).items
    return listed[0].status.value if listed else None


def test_its_status_is_that_of_the_moment(story: StoryMemory, clock: StoryThread) -> None:
    assert [stands(story, chapter) for chapter in range(7)] == [
        "planned",
        "open",
        "open",
        "open",
        "open",
        "paid",
        "paid",
    ]


def test_later_plants_and_payoffs_do_not_exist_yet(story: StoryMemory, clock: StoryThread) -> None:
    (early,) = story.thread.list(as_of=Moment(chapter=2)).items
    assert ([one.quotation for one in early.plants], early.advances, early.payoffs) == ([PLANT], (), ())
    (late,) = story.thread.list().items
    assert [one.chapter for own in (late.plants, late.advances, late.payoffs) for one in own] == [1, 3, 5]
    assert all(one.start == 6 for one in (*late.plants, *late.payoffs))


def test_it_is_due_in_its_chapter_and_overdue_after_it(story: StoryMemory, clock: StoryThread) -> None:
    story.thread.update(id=clock.id, patch={"due": {"chapter": 3}})
    assert [stands(story, chapter) for chapter in (2, 3, 4, 5)] == ["open", "due", "overdue", "paid"]
    story.thread.update(id=clock.id, patch={"due_within": 1})
    (now,) = story.thread.list(as_of=Moment(chapter=2)).items
    assert (now.status, now.due, now.due_at) == ("due", None, Moment(chapter=2))
    assert [stands(story, chapter) for chapter in (0, 1, 2, 3)] == ["planned", "open", "due", "overdue"]


def test_a_partial_payoff_settles_a_part(memory: Memory, story: StoryMemory, clock: StoryThread) -> None:
    where = {"scene_id": scene_id(memory, story, 3), "quotation": "Night fell."}
    story.thread.mark(id=clock.id, role="payoffs", partial=True, **where)
    assert [stands(story, chapter) for chapter in (2, 3, 4, 5)] == [
        "open",
        "paid_in_part",
        "paid_in_part",
        "paid",
    ]


def test_a_dropped_thread_is_dropped_at_every_moment(story: StoryMemory, clock: StoryThread) -> None:
    story.thread.update(id=clock.id, patch={"dropped": True})
    assert {stands(story, chapter) for chapter in range(7)} == {"dropped"}


def test_lists_can_be_filtered(story: StoryMemory, clock: StoryThread) -> None:
    story.thread.create(title="Planned")
    assert stands(story, 2, status="unsettled") == "open"
    assert stands(story, 5, status="unsettled") is None
    assert stands(story, 5, status="planned") == "planned"


def test_marking_the_same_words_twice_marks_them_once(
    memory: Memory, story: StoryMemory, clock: StoryThread
) -> None:
    where = {"scene_id": scene_id(memory, story, 5), "quotation": PAYOFF}
    again = story.thread.mark(id=clock.id, role="payoffs", **where)
    assert len(again.payoffs) == 1
    partly = story.thread.mark(id=clock.id, role="payoffs", partial=True, **where)
    assert [one.partial for one in partly.payoffs] == [True]


def test_words_that_do_not_stand_there_are_refused(
    memory: Memory, story: StoryMemory, clock: StoryThread
) -> None:
    where = {"id": clock.id, "role": "plants", "scene_id": scene_id(memory, story, 1)}
    with pytest.raises(InvalidInput, match="does not stand"):
        story.thread.mark(**where, quotation="The clock went on.")
    with pytest.raises(NotFound):
        story.thread.create(title="Whose", people=["nobody"])
    with pytest.raises(InvalidInput):
        story.thread.create(title="Twice", due={"chapter": 1}, due_within=2)
    with pytest.raises(Conflict):
        story.thread.update(id=clock.id, patch={"title": "New", "expected_version": 1})


def test_a_point_can_be_removed(story: StoryMemory, clock: StoryThread) -> None:
    (known,) = story.thread.list().items
    after = story.thread.unmark(id=clock.id, point_id=known.payoffs[0].id)
    assert (after.payoffs, after.status) == ((), "open")
    with pytest.raises(NotFound):
        story.thread.unmark(id=clock.id, point_id=known.payoffs[0].id)


def test_it_follows_its_scenes_when_they_move(story: StoryMemory, clock: StoryThread) -> None:
    story.thread.update(id=clock.id, patch={"due": {"chapter": 4, "scene": 0}})
    story.move_chapter(1, 4)
    (now,) = story.thread.list().items
    assert ([one.chapter for one in now.plants], now.due) == ([4], Moment(chapter=3, scene=0))
    assert stands(story, 1) == "planned"


def test_a_deleted_scene_takes_its_points_and_undo_brings_them_back(
    memory: Memory, story: StoryMemory, clock: StoryThread
) -> None:
    delete_scene(memory.call(), project_id=story.id, chapter=5, scene=0)
    assert stands(story, 6) == "open"
    undo(memory.call(), project_id=story.id)
    assert stands(story, 6) == "paid"


def test_people_who_go_leave_it_and_people_who_merge_stay(story: StoryMemory, clock: StoryThread) -> None:
    one, other, third = (
        story.entity.create(type="character", name=name).id for name in ("Ann", "Bea", "Cid")
    )
    story.thread.update(id=clock.id, patch={"people": [one, other, third]})
    story.entity.merge(target_entity_id=one, source_entity_ids=[other])
    story.entity.delete(id=third)
    (now,) = story.thread.list().items
    assert now.people == (one,)


def test_a_thread_brought_back_does_not_name_what_has_gone_since(
    memory: Memory, story: StoryMemory, clock: StoryThread
) -> None:
    ann = story.entity.create(type="character", name="Ann").id
    story.thread.update(id=clock.id, patch={"people": [ann]})
    revision = story.story.read().revision
    story.thread.delete(id=clock.id)
    story.entity.delete(id=ann)
    undo(memory.call(), project_id=story.id, revision=revision + 1)
    (now,) = story.thread.list().items
    assert now.people == ()


def test_an_archive_keeps_all_of_it(memory: Memory, story: StoryMemory, clock: StoryThread) -> None:
    ann = story.entity.create(type="character", name="Ann").id
    patch = {"people": [ann], "due_within": 0, "note": "The gardener.", "ai_context_level": "manual_only"}
    story.thread.update(id=clock.id, patch=patch)
    story.thread.create(title="Planned", due={"chapter": 9}, dropped=True)
    before = story.thread.list().items
    with export_file(memory.call(), ExportFileRequest(project_id=story.id)) as file:
        data = file.read()
    copy = StoryMemory(memory, import_archive(memory.call(), data).story_id)
    later = {"project_id", "version", "created_at", "updated_at"}
    assert [one.model_dump(exclude=later) for one in copy.thread.list().items] == [
        one.model_dump(exclude=later) for one in before
    ]
