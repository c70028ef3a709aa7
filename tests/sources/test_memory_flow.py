"""MEMORY 3.2: from the text at hand to what a model is told, over REST."""

from __future__ import annotations

from typing import Any

import pytest

from doors import Server
from fabula.tokens import counter

TOKENS = counter("o200k_base")


class Desk:
    """A story that is being written."""

    def __init__(self, server: Server, story: str) -> None:
        self.server, self.story = server, story

    def call(self, method: str, path: str, status: int = 200, **more: Any) -> Any:
        response = self.server.client.request(method, f"/api/v2/stories/{self.story}/{path}", **more)
        assert response.status_code == status, response.text
        return response.json()

    def entry(self, key: str, content: str, **fields: Any) -> None:
        self.call("POST", "lorebook", 201, json={"entryKey": key, "content": content, **fields})

    def context(self, text: str, chapter: int = 0, **wish: Any) -> dict[str, Any]:
        body = {"chapter": chapter, "scene": 0, "text": text, **wish}
        made: dict[str, Any] = self.call("POST", "context/assemble", json=body)
        return made


@pytest.fixture
def desk(server: Server, told: str) -> Desk:
    return Desk(server, told)


@pytest.mark.scenario("MEMORY-GOAL-LASTING")
def test_what_was_written_down_once_is_told_in_every_later_chapter(desk: Desk) -> None:
    desk.entry("林逸", "左臂在第三章受过伤。", category="character")
    for chapter in (0, 7, 400):
        told = desk.context("林逸醒来。", chapter)["messages"]
        assert any("左臂在第三章受过伤。" in message["content"] for message in told)


@pytest.mark.scenario("MEMORY-FLOW-ENTRIES", "MEMORY-GOAL-BUDGET")
def test_entries_come_by_priority_and_each_keeps_to_its_own_budget(desk: Desk) -> None:
    long = "他每天清晨练剑，从不间断。" * 30
    desk.entry("配角", "小人物。", priority=1)
    desk.entry("主角", long, priority=20, tokenBudget=40)
    desk.entry("门派", "五大宗门之一。", priority=10)
    found = desk.context("主角带着配角回到门派。")["beforeSceneEntries"]
    assert [entry["entryKey"] for entry in found] == ["主角", "门派", "配角"]
    assert long.startswith(found[0]["content"])
    assert TOKENS.count(found[0]["content"]) <= 40
    assert "门派" not in desk.context("主角来了。")["messages"][0]["content"]


@pytest.mark.scenario("MEMORY-FLOW-POSITIONS", "MEMORY-FLOW-MESSAGES")
def test_entries_stand_where_they_ask_to_and_the_text_is_the_users(desk: Desk) -> None:
    for place in ("system_prompt", "before_scene", "after_scene"):
        desk.entry(f"词{place}", f"此处{place}。", insertionPosition=place)
    text = "词system_prompt，词before_scene，词after_scene。"
    context = desk.context(text)
    for part, place in (("systemPrompt", "system_prompt"), ("beforeScene", "before_scene")):
        assert [one["entryKey"] for one in context[f"{part}Entries"]] == [f"词{place}"]
    assert [one["entryKey"] for one in context["afterSceneEntries"]] == ["词after_scene"]
    spoken = [(message["role"], message["content"]) for message in context["messages"]]
    assert [content for role, content in spoken if role == "user"] == [text]
    whole = "\n".join(content for _, content in spoken)
    places = [whole.index(f"此处{place}。") for place in ("system_prompt", "before_scene")]
    assert places == sorted(places)
    assert places[-1] < whole.index(text) < whole.index("此处after_scene。")
    assert context["estimatedTokens"] <= context["totalBudget"]


@pytest.mark.scenario("MEMORY-FLOW-SNAPSHOTS", "MEMORY-SNAPSHOT-RECENT")
def test_the_last_three_scenes_before_this_one_are_told(desk: Desk) -> None:
    for chapter in range(7):
        body = {"chapterIndex": chapter, "sceneIndex": 0, "summary": f"第{chapter}件事。"}
        desk.call("POST", "snapshots", 201, json=body)
    # In words for people and models, chapters and scenes count from 1.
    assert desk.context("雨停了。", 5)["recentSnapshots"] == [
        f"【第{chapter + 1}章·场景1】第{chapter}件事。" for chapter in (4, 3, 2)
    ]


@pytest.mark.scenario("MEMORY-FLOW-RELATIONS")
def test_relations_of_those_who_are_found_are_told_in_sentences(desk: Desk) -> None:
    for name in ("林逸", "苏瑶", "玄清真人", "路人"):
        desk.server.entity(desk.story, name)
    for source, word, target in (
        ("林逸", "KNOWS", "苏瑶"),
        ("玄清真人", "MENTORS", "林逸"),
        ("路人", "KNOWS", "苏瑶"),
    ):
        body = {"source": source, "target": target, "type": word}
        desk.call("POST", "graph/relationships", 201, json=body)
    context = desk.context("林逸来了。")
    told = context["graphRelationships"]
    assert [name for name in ("林逸", "苏瑶", "玄清真人") if name not in told] == []
    assert told.endswith("。")
    assert told in context["messages"][0]["content"]
