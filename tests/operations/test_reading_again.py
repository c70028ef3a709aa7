"""Reading a scene again never overwrites what an author wrote or corrected, in whatever order it happens."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from itertools import permutations

import pytest

from fabula.errors import FabulaError
from fabula.memory import Memory
from fabula.story_memory import StoryMemory

SCENE = "林惊羽的师父玄清站在崖边。玄清今年六十岁。林惊羽没有说话。林惊羽看着玄清。"
Deed = Callable[[StoryMemory], None]


def reads(story: StoryMemory) -> None:
    story.extract(SCENE, extractor="local", chapter=0, scene=0)
    for found in story.proposals():
        with suppress(FabulaError):
            story.review(found.id, "approved")


def writes(story: StoryMemory) -> None:
    (one,) = [entity for entity in story.entity.list().items if entity.name == "玄清"]
    patch = {"description": "作者写的。", "attributes": {**one.attributes, "年龄": "七十岁"}}
    story.entity.update(id=one.id, expected_version=one.version, patch=patch)


def relates(story: StoryMemory) -> None:
    for relation in story.relation.list().items:
        story.relation.update(id=relation.id, patch={"description": "作者改的。"})


@pytest.mark.parametrize("deeds", sorted(set(permutations((0, 1, 2, 0)))))
def test_what_an_author_wrote_stands(memory: Memory, story: StoryMemory, deeds: tuple[int, ...]) -> None:
    story.scene(0, 0, SCENE)
    story.entity.create(type="character", name="玄清")
    pupil = story.entity.create(type="character", name="林惊羽").id
    master = next(one.id for one in story.entity.list().items if one.name == "玄清")
    story.relation.create(source_entity_id=master, target_entity_id=pupil, relation_type="mentors")
    for deed in deeds:
        (reads, writes, relates)[deed](story)
    one = story.entity.read(id=master)
    assert (one.description, one.attributes["年龄"]) == ("作者写的。", "七十岁")
    told = {tie.description for tie in story.relation.list().items if tie.relation_type == "mentors"}
    assert told == {"作者改的。"}
