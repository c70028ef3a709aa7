"""Chapters, scenes and snapshots: whatever is written, what is read is what was written last."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from effort import examples
from fabula.errors import Conflict, NotFound
from fabula.memory import Memory
from fabula.operations import context
from fabula.operations.manuscript import manuscript
from fabula.operations.stories import delete_story
from fabula.story_memory import StoryMemory

SHARED_FILE = settings(
    max_examples=examples(25),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
texts = st.text(alphabet="林逸雨 \n，。aB🐉", max_size=12)
deeds = st.lists(
    st.tuples(st.sampled_from(["put", "put", "delete", "undo"]), st.integers(0, 2), st.integers(0, 2), texts),
    max_size=14,
)


def manuscript_of(memory: Memory, story_id: str) -> dict[tuple[int, int], str]:
    call = memory.call()
    return {
        (chapter.chapter, scene.scene): manuscript.read_scene(
            call, project_id=story_id, chapter=chapter.chapter, scene=scene.scene
        ).text
        for chapter in manuscript.list_chapters(call, project_id=story_id)
        for scene in chapter.scenes
    }


@SHARED_FILE
@given(deeds)
def test_scenes_are_as_a_plain_dictionary_has_them(memory: Memory, done: Any) -> None:
    story, call = memory.story("x", id=str(uuid4())), memory.call()
    model: dict[tuple[int, int], str] = {}
    past: list[dict[tuple[int, int], str]] = []
    for what, chapter, scene, text in done:
        before = dict(model)
        if what == "put":
            kept, is_new = manuscript.put_scene(
                call, project_id=story.id, chapter=chapter, scene=scene, text=text
            )
            assert (kept.text, is_new) == (text, (chapter, scene) not in model)
            model[chapter, scene] = text
        elif what == "delete" and (chapter, scene) in model:
            manuscript.delete_scene(call, project_id=story.id, chapter=chapter, scene=scene)
            del model[chapter, scene]
        elif what == "delete":
            with pytest.raises(NotFound):
                manuscript.delete_scene(call, project_id=story.id, chapter=chapter, scene=scene)
        elif past:
            story.history.undo()
            model = past.pop()
            before = model
        if model != before:
            past.append(before)
        assert manuscript_of(memory, story.id) == model
    order = [
        (c.chapter, s.scene) for c in manuscript.list_chapters(call, project_id=story.id) for s in c.scenes
    ]
    assert order == sorted(order)
    assert all(report.differing == () for report in memory.audit())
    delete_story(call, project_id=story.id)


@pytest.mark.parametrize(
    ("text", "words"),
    [("", 0), ("林逸来了。", 4), ("Lin Yi didn't come.", 5), ("林逸 met 3 people", 5), ("🐉 …", 0)],
)
def test_words_are_counted_as_readers_count_them(
    memory: Memory, story: StoryMemory, text: str, words: int
) -> None:
    scene, _ = manuscript.put_scene(memory.call(), project_id=story.id, chapter=0, scene=0, text=text)
    assert scene.word_count == words


def test_a_chapter_keeps_its_title_when_its_scenes_change(memory: Memory, story: StoryMemory) -> None:
    call = memory.call()
    manuscript.put_chapter(call, project_id=story.id, chapter=2, title="风起")
    manuscript.put_scene(call, project_id=story.id, chapter=2, scene=0, text="雨", title="夜")
    manuscript.put_scene(call, project_id=story.id, chapter=2, scene=0, text="雨停")
    [chapter] = manuscript.list_chapters(call, project_id=story.id)
    assert (chapter.title, chapter.scenes[0].title, chapter.word_count) == ("风起", "夜", 2)
    manuscript.delete_scene(call, project_id=story.id, chapter=2, scene=0)
    assert [c.title for c in manuscript.list_chapters(call, project_id=story.id)] == ["风起"]


def test_what_says_nothing_new_is_no_step(memory: Memory, story: StoryMemory) -> None:
    call = memory.call()
    manuscript.put_scene(call, project_id=story.id, chapter=0, scene=0, text="雨")
    manuscript.put_chapter(call, project_id=story.id, chapter=0, title="一")
    steps = story.history.list().total_count
    manuscript.put_scene(call, project_id=story.id, chapter=0, scene=0, text="雨")
    manuscript.put_chapter(call, project_id=story.id, chapter=0, title="一")
    assert story.history.list().total_count == steps


def test_the_second_writer_loses_nothing_and_takes_nothing_away(memory: Memory, story: StoryMemory) -> None:
    with Memory(memory.place) as other:
        seen, _ = manuscript.put_scene(memory.call(), project_id=story.id, chapter=0, scene=0, text="原")
        mine = {"text": "甲", "expected_version": seen.version}
        theirs = {"text": "乙", "expected_version": seen.version}
        won, _ = manuscript.put_scene(other.call(), project_id=story.id, chapter=0, scene=0, **mine)
        with pytest.raises(Conflict) as refused:
            manuscript.put_scene(memory.call(), project_id=story.id, chapter=0, scene=0, **theirs)
    assert refused.value.details is not None
    assert refused.value.details["latestSnapshot"] == won.model_dump(mode="json", by_alias=True)
    assert manuscript.read_scene(memory.call(), project_id=story.id, chapter=0, scene=0).text == "甲"


@pytest.mark.scenario("MEMORY-GOAL-SNAPSHOTS")
def test_a_new_snapshot_is_told_at_once_and_gone_after_undo(memory: Memory, story: StoryMemory) -> None:
    def so_far(opened: Memory) -> tuple[str, ...]:
        request = {"chapter": 1, "scene": 0, "text": ""}
        return context.assemble_context(opened.call(), project_id=story.id, **request).recent_snapshots

    with Memory(memory.place) as other:
        assert so_far(memory) == so_far(other) == ()
        for summary in ("初。", "改。"):
            request = {"chapter_index": 0, "scene_index": 0, "summary": summary}
            manuscript.put_snapshot(other.call(), project_id=story.id, **request)
            assert so_far(memory) == so_far(other) == (f"【第1章·场景1】{summary}",)
        story.history.undo()
        assert so_far(memory) == so_far(other) == ("【第1章·场景1】初。",)
