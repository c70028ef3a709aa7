"""Simplified and traditional Chinese fold together when the story says so, and only then."""

from __future__ import annotations

from fabula.memory import Memory
from fabula.operations.stories import StoryPatch, update_story
from fabula.story_memory import StoryMemory


def found(story: StoryMemory) -> list[str]:
    return [item.name for item in story.query.relevant(excerpt="林远推开了门。").items]


def test_a_story_chooses_whether_the_scripts_are_one(memory: Memory, story: StoryMemory) -> None:
    story.entity.create(type="character", name="林遠")
    assert found(story) == []
    update_story(memory.call(), project_id=story.id, patch=StoryPatch(settings={"foldTraditional": True}))
    assert found(story) == ["林遠"]
    story.history.undo()
    assert found(story) == []
