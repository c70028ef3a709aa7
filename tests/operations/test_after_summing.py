"""After a scene was summed up: what came to pass is proposed, and what is made knows where it came from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from desk import Desk, found, is_extraction, with_model
from fabula.llm.chat import ChatRequest
from fabula.llm.scripted import ScriptedChatModel
from fabula.memory import Memory
from fabula.operations.proposals.review import review_extraction
from fabula.operations.proposals.values import ReviewDecision
from postgres import place_at
from still_clock import StillClock

FIRST = "林惊羽推开望归塔的门。林惊羽说：“有人吗？”"
SECOND = "苏瑶从楼上走下来。苏瑶道：“你受伤了。”"
SCENE = "林惊羽在望归塔里受了重伤。苏瑶守在他身旁。"
TOLD = {
    "activeCharacters": ["林惊羽", "苏瑶"],
    "activeLocations": ["望归塔", "塔顶"],
    "timelinePosition": "第三天黄昏",
    "keyEvents": ["林惊羽在望归塔受重伤", "天下大乱"],
}


def summing(*answers: dict[str, Any]) -> Any:
    """A model that finds nothing, and sums up with these answers, the last of them again and again."""
    left = list(answers)

    def script(request: ChatRequest) -> str:
        if is_extraction(request):
            return found()
        said = left.pop(0) if len(left) > 1 else left[0]
        return f"一段摘要。\n---METADATA---\n{json.dumps(said, ensure_ascii=False)}"

    return script


@pytest.mark.scenario("MEMORY-KEY-EVENTS")
def test_the_key_events_of_a_summary_are_proposed(tmp_path: Path) -> None:
    memory, desk, _ = with_model(tmp_path, summing(TOLD))
    with memory:
        scene = desk.story.scene(3, 1, SCENE)
        desk.settle()
        (event,) = desk.story.proposals()
        assert (event.kind, event.entity_name) == ("event", "林惊羽在望归塔受重伤")
        assert (event.chapter, event.scene, event.manuscript_id) == (3, 1, scene.id)
        assert event.attributes["roles"] == [{"name": "林惊羽"}]
        assert "天下大乱" not in desk.names(), "nobody of the scene has a part in it"
        review_extraction(
            memory.call(),
            project_id=desk.story.id,
            extraction_id=event.id,
            decision=ReviewDecision(action="approved"),
        )
        (kept,) = desk.story.event.list().items
        assert (kept.summary, kept.time_anchor) == ("林惊羽在望归塔受重伤", "第三天黄昏")
        assert (kept.moment.chapter, kept.moment.scene) == (3, 1)
        assert [one.name for one in kept.roles] == ["林惊羽"]
        assert [one.name for one in kept.locations] == ["望归塔"]


@pytest.mark.scenario("MEMORY-KEY-EVENTS")
def test_a_new_summary_takes_back_what_it_no_longer_says(tmp_path: Path) -> None:
    other = {**TOLD, "keyEvents": ["苏瑶守护林惊羽"]}
    memory, desk, _ = with_model(tmp_path, summing(TOLD, other))
    with memory:
        desk.story.scene(0, 0, SCENE)
        desk.settle()
        (event,) = desk.story.proposals()
        desk.story.scene(0, 0, SCENE + "夜深了。")
        desk.settle()
        assert desk.names() == {"苏瑶守护林惊羽"}
        (again,) = desk.story.proposals()
        reject = ReviewDecision(action="rejected")
        review_extraction(memory.call(), project_id=desk.story.id, extraction_id=again.id, decision=reject)
        desk.story.scene(0, 0, SCENE + "夜更深了。")
        desk.settle()
        assert [one.review_action for one in desk.story.proposals()] == [], "what was rejected stays so"
        assert event.id != again.id


@pytest.mark.scenario("MEMORY-MANUSCRIPT-ID")
@pytest.mark.parametrize("has_model", [False, True])
def test_what_comes_of_a_saving_names_the_scene_it_came_from(tmp_path: Path, has_model: bool) -> None:
    clock = StillClock()
    model = ScriptedChatModel(lambda request: found("林惊羽") if is_extraction(request) else "摘要。")
    with Memory(place_at(tmp_path / "fabula.db"), clock=clock, chat=model if has_model else None) as memory:
        desk = Desk(memory, clock)
        scene = desk.story.scene(0, 0, FIRST)
        desk.settle()
        assert {one.manuscript_id for one in desk.story.proposals()} == {scene.id}
        assert desk.snapshot(0, 0).manuscript_id == scene.id
        desk.story.scene(0, 0, FIRST + SECOND)
        desk.settle()
        assert {one.manuscript_id for one in desk.story.proposals()} == {scene.id}
        assert desk.snapshot(0, 0).manuscript_id == scene.id


@pytest.mark.scenario("MEMORY-LOCATION-TEXT")
def test_a_made_snapshot_says_what_the_places_are(tmp_path: Path) -> None:
    memory, desk, _ = with_model(tmp_path, summing(TOLD))
    with memory:
        tower = desk.story.entity.create(
            type="location", name="望归塔", description="海边的灯塔。\n守塔人世代相传。"
        )
        desk.story.scene(0, 0, SCENE + "塔顶的灯亮了。")
        desk.settle()
        first, second = desk.snapshot(0, 0).active_locations
        assert (first.location_id, first.name, first.description) == (tower.id, "望归塔", "海边的灯塔。")
        assert (second.location_id, second.name, second.description) == (None, "塔顶", "")
