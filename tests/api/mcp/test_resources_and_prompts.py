"""Resources by address, and prompts in the language of the story."""

from __future__ import annotations

import json
from typing import Any

import pytest
from mcp.shared.exceptions import MCPError

from agents import Agent
from fabula.api.mcp.resources import PAGE
from fabula.memory import Memory
from fabula.operations.stories import create_story
from fabula.story_memory import StoryMemory


def read(agent: Agent, uri: str) -> Any:
    async def asked(client: Any) -> Any:
        return (await client.read_resource(uri)).contents[0]

    return agent.ask(asked)


def prompt(agent: Agent, name: str, **arguments: str) -> str:
    async def asked(client: Any) -> str:
        (message,) = (await client.get_prompt(name, arguments)).messages
        return str(message.content.text)

    return agent.ask(asked)


def test_a_story_an_entity_and_a_scene_have_addresses(agent: Agent, harbour: StoryMemory) -> None:
    story = read(agent, "fabula://stories/fog")
    assert (json.loads(story.text)["title"], story.mime_type) == ("Fogharbour", "application/json")
    entity = read(agent, "fabula://stories/fog/entities/Jiang%20Li")
    assert json.loads(entity.text) == agent.call("get_entity", entity="Jiang Li")
    scene = read(agent, "fabula://stories/Fogharbour/chapters/0/scenes/0")
    assert (scene.text, scene.mime_type) == ("Jiang Li lit the lamp.", "text/plain")


def test_stories_are_listed_page_by_page(agent: Agent, memory: Memory) -> None:
    for number in range(PAGE + 1):
        create_story(memory.call(), title=f"Story {number}", id=f"a/b {number}")

    async def asked(client: Any) -> list[list[str]]:
        first = await client.list_resources()
        second = await client.list_resources(cursor=first.next_cursor)
        assert second.next_cursor is None
        return [[str(one.uri) for one in part.resources] for part in (first, second)]

    first, second = agent.ask(asked)
    assert (len(first), second) == (PAGE, ["fabula://stories/a%2Fb%200"])
    assert json.loads(read(agent, second[0]).text)["title"] == "Story 0"


@pytest.mark.parametrize(
    ("uri", "code"),
    [
        ("fabula://stories/nowhere", "NOT_FOUND"),
        ("fabula://stories/fog/entities/Nobody", "NOT_FOUND"),
        ("fabula://stories/fog/chapters/9/scenes/9", "NOT_FOUND"),
        ("fabula://stories/fog/chapters/9999999999/scenes/0", "VALIDATION_ERROR"),
        ("fabula://elsewhere", "NOT_FOUND"),
        ("file:///etc/passwd", "NOT_FOUND"),
    ],
)
def test_an_address_of_nothing_is_refused_as_everywhere(
    agent: Agent, harbour: StoryMemory, uri: str, code: str
) -> None:
    with pytest.raises(MCPError) as refused:
        read(agent, uri)
    assert refused.value.error.data["code"] == code
    assert refused.value.error.data["suggestion"] in refused.value.error.message


def test_prompts_speak_the_language_of_the_story(agent: Agent, memory: Memory, harbour: StoryMemory) -> None:
    chinese = memory.story("雾港", language="zh", id="wu")
    chinese.entry("江离", "守灯人。", category="character")
    chinese.scene(0, 0, "江离点亮了灯。")
    for name, english, han in (
        ("extract_entities", "Already known", "故事里已有"),
        ("summarize_scene", "You sum up scenes", "写场景摘要"),
        ("write_next_scene", "Now write scene 0 of chapter 0", "现在写第 0 章第 0 场"),
    ):
        assert english in prompt(agent, name, chapter="0", scene="0", story="fog")
        assert han in prompt(agent, name, chapter="0", scene="0", story="雾港")


def test_extraction_lists_the_known_and_takes_a_text_or_a_saved_scene(
    agent: Agent, harbour: StoryMemory
) -> None:
    saved = prompt(agent, "extract_entities", chapter="0", scene="0")
    assert "Jiang Li | character | A-Li" in saved
    assert "Jiang Li lit the lamp." in saved
    assert "propose_extractions, chapter=0, scene=0" in saved
    assert "Shen Chao | character" in prompt(agent, "extract_entities", text="Shen Chao slept.")


def test_the_next_scene_is_the_one_after_the_last_with_its_context(
    agent: Agent, harbour: StoryMemory
) -> None:
    asked = prompt(agent, "write_next_scene", instructions="Let it rain.")
    assert "Now write scene 2 of chapter 0" in asked
    assert "Let it rain." in asked
    harbour.entry("House style", "Past tense.", category="custom", ai_context_level="always")
    assert "Past tense." in prompt(agent, "write_next_scene")


@pytest.mark.parametrize(
    ("name", "arguments", "code"),
    [
        ("summarize_scene", {}, "VALIDATION_ERROR"),
        ("summarize_scene", {"chapter": "9", "scene": "0"}, "NOT_FOUND"),
        ("write_next_scene", {"chapter": "soon"}, "VALIDATION_ERROR"),
        ("extract_entities", {"story": "nowhere"}, "NOT_FOUND"),
    ],
)
def test_a_prompt_that_cannot_be_had_says_why(
    agent: Agent, harbour: StoryMemory, name: str, arguments: dict[str, str], code: str
) -> None:
    with pytest.raises(MCPError) as refused:
        prompt(agent, name, **arguments)
    assert refused.value.error.data["code"] == code


def test_an_unknown_tool_or_prompt_is_answered_with_those_there_are(agent: Agent) -> None:
    async def tool(client: Any) -> None:
        await client.call_tool("write_novel", {})

    with pytest.raises(MCPError, match="save_scene"):
        agent.ask(tool)
    with pytest.raises(MCPError, match="summarize_scene"):
        prompt(agent, "write_novel")
