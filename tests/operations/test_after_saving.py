"""After a scene is saved: its new parts are read, and it is summed up, without anybody waiting."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from desk import Desk, found, is_extraction, with_model
from fabula.errors import LlmUnavailable
from fabula.jobs.ledger import MAX_ATTEMPTS
from fabula.llm.chat import ChatRequest
from fabula.memory import Memory
from fabula.operations.manuscript.after_saving import CHECKS, DELAY_S, EXTRACTION, SNAPSHOT
from fabula.operations.manuscript.manuscript import list_snapshots
from fabula.operations.stories import StoryPatch
from postgres import place_at
from still_clock import StillClock

FIRST = "林惊羽推开望归塔的门。林惊羽说：“有人吗？”"
SECOND = "苏瑶从楼上走下来。苏瑶道：“你受伤了。”"
THIRD = "赵无极站在门外，赵无极冷笑一声。"


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    clock = StillClock()
    with Memory(place_at(tmp_path / "fabula.db"), clock=clock) as memory:
        yield Desk(memory, clock)


@pytest.mark.scenario(
    "MEMORY-GOAL-EXTRACTION", "MEMORY-EXTRACT-AFTER-SAVING", "MEMORY-GOAL-SNAPSHOTS", "MEMORY-SNAPSHOT-MADE"
)
def test_a_saved_scene_is_read_and_summed_up_a_while_later(desk: Desk) -> None:
    desk.story.scene(0, 0, f"{FIRST}\n{SECOND}")
    assert {(job.kind, job.subject, job.status) for job in desk.jobs()} == {
        (EXTRACTION, "0/0", "queued"),
        (SNAPSHOT, "0/0", "queued"),
        (CHECKS, "", "queued"),
    }
    desk.clock.pass_seconds(DELAY_S - 1)
    assert desk.crew.run_due() == 0
    desk.clock.pass_seconds(1)
    assert desk.crew.run_due() == 3
    assert {job.status for job in desk.jobs()} == {"done"}
    assert {"林惊羽", "苏瑶"} <= desk.names()
    made = desk.snapshot(0, 0)
    assert made.source == "extractive"
    assert {one.name for one in made.active_characters} >= {"林惊羽", "苏瑶"}


def test_the_same_text_again_and_a_new_title_queue_nothing(desk: Desk) -> None:
    desk.story.scene(0, 0, FIRST)
    desk.settle()
    desk.story.scene(0, 0, FIRST)
    desk.story.scene(0, 0, FIRST, title="门")
    assert desk.settle() == 0
    assert len(desk.jobs()) == 3


def test_many_savings_make_one_reading_of_the_newest(desk: Desk) -> None:
    for text in (FIRST, f"{FIRST}\n{SECOND}", f"{SECOND}\n{THIRD}"):
        desk.story.scene(0, 0, text)
    assert desk.settle() == 3
    assert {"苏瑶", "赵无极"} <= desk.names()
    assert "林惊羽" not in desk.names()


@pytest.mark.parametrize(
    ("settings", "kinds"),
    [
        ({"autoExtract": False}, {SNAPSHOT, CHECKS}),
        ({"autoSnapshot": False}, {EXTRACTION, CHECKS}),
        ({"autoCheck": False}, {EXTRACTION, SNAPSHOT}),
        ({"autoExtract": False, "autoSnapshot": False, "autoCheck": False}, set()),
        ({"autoExtract": None}, {EXTRACTION, SNAPSHOT, CHECKS}),
    ],
)
def test_the_author_may_switch_either_off(desk: Desk, settings: dict[str, Any], kinds: set[str]) -> None:
    desk.set(**settings)
    desk.story.scene(0, 0, FIRST)
    assert {job.kind for job in desk.jobs()} == kinds


def test_a_setting_that_is_no_choice_is_refused(desk: Desk) -> None:
    with pytest.raises(ValueError, match="autoExtract"):
        StoryPatch(settings={"autoExtract": "yes"})


def test_only_what_is_new_is_read_and_places_are_those_of_the_whole(tmp_path: Path) -> None:
    far = "\n".join(f"第{number}夜，雨一直下，海上没有一点灯火，只有浪声。" for number in range(60))

    def answer(request: ChatRequest) -> str:
        if not is_extraction(request):
            return "摘要。"
        read = request.messages[-1].content
        return found(*(name for name in ("林惊羽", "赵无极") if name in read))

    memory, desk, chat = with_model(tmp_path, answer)
    with memory:
        desk.set(autoSnapshot=False)
        desk.story.scene(0, 0, f"{FIRST}\n{far}")
        desk.settle()
        asked = len(chat.requests)
        whole = f"{FIRST}\n{far}\n{THIRD}"
        desk.story.scene(0, 0, whole)
        desk.settle()
        (request,) = chat.requests[asked:]
        read = request.messages[-1].content
        assert THIRD in read
        assert "第59夜" in read
        assert FIRST not in read
        assert len(read) < len(whole)
        (new,) = (one for one in desk.story.proposals() if one.entity_name == "赵无极")
        assert (new.chapter, new.scene) == (0, 0)


@pytest.mark.long
def test_the_place_of_a_find_is_that_in_the_whole_scene(desk: Desk) -> None:
    far = "\n".join(f"第{number}夜，雨一直下，海上没有一点灯火，只有浪声。" for number in range(60))
    desk.story.scene(0, 0, far)
    desk.settle()
    whole = f"{far}\n{THIRD}"
    desk.story.scene(0, 0, whole)
    desk.settle()
    (new,) = (one for one in desk.story.proposals() if one.entity_name == "赵无极")
    assert new.source_start is not None
    assert whole[new.source_start : new.source_end] == new.source_text
    assert "赵无极" in new.source_text


def test_a_model_that_comes_later_reads_everything_once(tmp_path: Path) -> None:
    with Memory(place_at(tmp_path / "fabula.db"), clock=StillClock()) as memory:
        desk = Desk(memory, StillClock())
        desk.clock = memory.call().clock  # type: ignore[assignment]
        desk.story.scene(0, 0, FIRST)
        desk.settle()
    memory, desk, chat = with_model(tmp_path, lambda request: found() if is_extraction(request) else "摘要。")
    with memory:
        desk.clock.pass_seconds(3600)
        desk.story.scene(0, 0, f"{FIRST}\n{SECOND}")
        desk.settle()
        (request,) = filter(is_extraction, chat.requests)
        assert FIRST in request.messages[-1].content


def test_what_a_model_could_not_read_is_tried_again_and_the_rest_is_not(tmp_path: Path) -> None:
    long = "\n".join(f"第{number}夜，雨一直下，海上没有一点灯火，只有浪声。" for number in range(400))
    lines: list[Any] = [found("林惊羽"), LlmUnavailable("Away."), *[found()] * 20]
    memory, desk, chat = with_model(tmp_path, lines)
    with memory:
        desk.set(autoSnapshot=False, autoCheck=False)
        desk.story.scene(0, 0, f"{FIRST}\n{long}")
        desk.settle()
        (job,) = desk.jobs()
        assert (job.status, job.attempts) == ("queued", 1)
        assert desk.names() == {"林惊羽"}
        desk.settle()
        assert desk.jobs()[0].status == "done"
        first, *others = chat.requests
        assert FIRST in first.messages[-1].content
        assert not any(FIRST in request.messages[-1].content for request in others)


def test_a_scene_that_changed_meanwhile_is_read_as_it_is_now(tmp_path: Path) -> None:
    desks: list[Desk] = []

    def answer(request: ChatRequest) -> str:
        if is_extraction(request) and FIRST in request.messages[-1].content:
            desks[0].story.scene(0, 0, THIRD)
            return found("林惊羽")
        return found("赵无极") if is_extraction(request) else "摘要。"

    memory, desk, _ = with_model(tmp_path, answer)
    desks.append(desk)
    with memory:
        desk.set(autoSnapshot=False, autoCheck=False)
        desk.story.scene(0, 0, FIRST)
        desk.settle()
        desk.settle()
        assert desk.names() == {"赵无极"}
        assert [job.status for job in desk.jobs()] == ["done"]


# Snapshots


SUMMARY = (
    "林惊羽带伤回到塔中。\n---METADATA---\n"
    '{"activeCharacters": ["林惊羽"], "activeLocations": ["望归塔"], "timelinePosition": "黄昏",'
    ' "emotionalTone": "紧张", "keyEvents": [],'
    ' "characterStates": [{"name": "林惊羽", "currentState": "左臂受伤", "emotionalState": "警惕"}]}'
)


@pytest.mark.scenario("MEMORY-SNAPSHOT-MADE")
def test_a_model_sums_up_and_is_told_what_came_before(tmp_path: Path) -> None:
    memory, desk, chat = with_model(tmp_path, lambda request: found() if is_extraction(request) else SUMMARY)
    with memory:
        who = desk.story.entity.create(type="character", name="林惊羽")
        desk.story.entity.create(type="character", name="影主", ai_context_level="never")
        desk.story.scene(0, 0, FIRST)
        desk.settle()
        made = desk.snapshot(0, 0)
        assert (made.source, made.summary, made.emotional_tone) == ("model", "林惊羽带伤回到塔中。", "紧张")
        (one,) = made.active_characters
        assert (one.character_id, one.current_state, one.emotional_state) == (who.id, "左臂受伤", "警惕")
        desk.story.snapshot(0, 0, "林惊羽回来了。影主在塔顶。")
        desk.story.scene(0, 1, "林惊羽睡下了。")
        desk.settle()
        told = [r for r in chat.requests if not is_extraction(r)][-1].messages[-1].content
        assert "林惊羽回来了。" in told
        assert "影主" not in told


def test_states_go_on_until_the_text_says_otherwise(desk: Desk) -> None:
    for name in ("林惊羽", "苏瑶"):
        desk.story.entity.create(type="character", name=name)
    desk.story.scene(0, 0, "林惊羽被赵无极砍伤，倒在塔下。苏瑶哭了起来，泪流满面。")
    desk.story.scene(0, 1, "苏瑶在灯下读书。")
    desk.story.scene(0, 2, "林惊羽坐在窗前。苏瑶端来一碗药。")
    desk.story.scene(0, 3, "三天后，林惊羽伤愈，推门出去。")
    for _ in range(2):
        desk.settle()

    def state(scene: int, name: str) -> tuple[str, str]:
        (one,) = (c for c in desk.snapshot(0, scene).active_characters if c.name == name)
        return one.current_state, one.emotional_state

    assert state(0, "林惊羽")[0] == "受伤"
    assert state(0, "苏瑶")[1] == "悲伤"
    assert state(2, "林惊羽")[0] == "受伤"
    assert state(2, "苏瑶")[1] == "悲伤"
    assert state(3, "林惊羽")[0] == ""


def test_what_the_author_wrote_stays_and_what_was_made_is_made_anew(desk: Desk) -> None:
    desk.story.snapshot(0, 0, "作者自己写的。")
    desk.story.scene(0, 0, FIRST)
    desk.story.scene(0, 1, SECOND)
    desk.settle()
    assert (desk.snapshot(0, 0).summary, desk.snapshot(0, 0).source) == ("作者自己写的。", "author")
    before = desk.snapshot(0, 1)
    desk.story.scene(0, 1, THIRD)
    desk.settle()
    after = desk.snapshot(0, 1)
    assert (after.id, after.source) == (before.id, "extractive")
    assert after.summary != before.summary
    desk.story.snapshot(0, 1, "现在是我的。")
    desk.story.scene(0, 1, SECOND)
    desk.settle()
    assert desk.snapshot(0, 1).summary == "现在是我的。"


def test_a_model_that_never_answers_leaves_the_scene_to_its_own_words(tmp_path: Path) -> None:
    memory, desk, _ = with_model(tmp_path, lambda request: LlmUnavailable("Away."))
    with memory:
        desk.set(autoExtract=False)
        desk.story.scene(0, 0, FIRST)
        for _ in range(MAX_ATTEMPTS):
            desk.clock.pass_seconds(600)
            desk.crew.run_due()
        assert desk.snapshot(0, 0).source == "extractive"


def test_a_made_snapshot_can_be_undone(desk: Desk) -> None:
    desk.set(autoExtract=False)
    desk.story.scene(0, 0, FIRST)
    desk.settle()
    assert desk.snapshot(0, 0)
    revision = desk.story.history.list(limit=1).items[0].revision
    undone = desk.story.history.undo(revision=revision)
    assert undone
    assert list_snapshots(desk.memory.call(), project_id=desk.story.id) == ()


def test_undo_takes_back_what_the_author_did_and_not_what_came_of_it(desk: Desk) -> None:
    desk.story.scene(0, 0, FIRST)
    desk.settle()
    assert {step.action for step in desk.story.history.list(limit=2).items} == {
        "scene:extract",
        "snapshot:make",
    }
    undone = desk.story.history.undo()
    steps = {step.revision: step.action for step in desk.story.history.list(limit=10).items}
    assert steps[undone.reverted_revision] == "scene:put"
    assert desk.story.history.redo().restored_revision == undone.reverted_revision
