"""What the tests of the door for agents share."""

from __future__ import annotations

import pytest

from agents import Agent, in_process
from fabula.memory import Memory
from fabula.story_memory import StoryMemory


@pytest.fixture
def agent(memory: Memory) -> Agent:
    return Agent(in_process(memory))


@pytest.fixture
def harbour(memory: Memory) -> StoryMemory:
    """A small story with two people, a place, a bond and two scenes."""
    story = memory.story("Fogharbour", language="en", id="fog")
    li = story.entry("Jiang Li", "Keeper of the lamp.", category="character", aliases=["A-Li"])
    shen = story.entry("Shen Chao", "Captain of the Egret.", category="character")
    tower = story.entry("Homeward Tower", "The lighthouse.", category="location")
    for source, target, word in ((li, tower, "located_at"), (li, shen, "ally")):
        story.relation.create(
            source_entity_id=source.entity_id, target_entity_id=target.entity_id, relation_type=word
        )
    story.scene(0, 0, "Jiang Li lit the lamp.", title="Fog")
    story.scene(0, 1, "Shen Chao came up the stairs of the Homeward Tower.")
    return story
