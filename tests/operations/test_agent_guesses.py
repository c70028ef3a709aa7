"""What an agent that writes hears about secrets it guessed: nothing that it could not hear of a stranger."""

from __future__ import annotations

from typing import Any

import pytest

from fabula.api.mcp.tools import TOOLS
from fabula.memory import Memory
from fabula.story_memory import StoryMemory


@pytest.fixture
def story(memory: Memory) -> StoryMemory:
    story = memory.story("Ash", language="en")
    anna, ash = (story.entity.create(type="character", name=name) for name in ("Anna Grey", "Lady Ash"))
    story.entity.create(type="character", name="Cleo Reed")
    story.entity.create(type="character", name="Mortimer Vane", ai_context_level="never")
    story.scene(0, 0, "Anna Grey met Cleo Reed. Lady Ash danced.")
    story.reveal.create(entity_ids=[anna.id, ash.id], at={"chapter": 8, "scene": 0})
    return story


def told(memory: Memory, story: StoryMemory, tool: str, **arguments: Any) -> Any:
    return TOOLS[tool].operation(memory.call(), project_id=story.id, **arguments)


def proposed(memory: Memory, story: StoryMemory, **find: Any) -> dict[str, int]:
    find = {"entity_type": "character", "confidence": 0.9, **find}
    made = told(memory, story, "propose_extractions", text="x", proposals=[find])
    assert made.proposals == ()
    return {name: count for name, count in made.skipped.model_dump().items() if count}


def test_that_two_are_one_is_to_an_agent_a_refusal_like_any_other(memory: Memory, story: StoryMemory) -> None:
    alias = {"kind": "alias", "entity_name": "Lady Ash", "attributes": {"aliasOf": "Anna Grey"}}
    assert proposed(memory, story, **alias) == {"rejected": 1}


def test_that_a_secret_is_known_is_to_an_agent_a_refusal_like_any_other(
    memory: Memory, story: StoryMemory
) -> None:
    assert proposed(memory, story, kind="entity", entity_name="Mortimer Vane") == {"rejected": 1}
    assert proposed(memory, story, kind="entity", entity_name="Cleo Reed") == {"known": 1}


def test_a_thread_whose_title_names_a_secret_is_noted_and_told_in_the_words_of_the_agent(
    memory: Memory, story: StoryMemory
) -> None:
    noted = {"title": "What Mortimer Vane wants", "chapter": 0, "scene": 0, "quotation": "Lady Ash danced."}
    thread = told(memory, story, "note_thread", **noted)
    assert (thread.title, thread.points[0].quotation) == (noted["title"], noted["quotation"])
    assert [one.title for one in story.thread.list().items] == [noted["title"]]
    assert told(memory, story, "list_threads", all=True).threads == ()
