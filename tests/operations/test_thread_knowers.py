"""A private thread is heard of only by those who know it: who is said to, and who was there."""

from __future__ import annotations

from typing import Any

import pytest

from fabula.context.audience import ModelView
from fabula.context.candidates.threads import heard_threads
from fabula.context.point_of_view import seen_by
from fabula.memory import Memory
from fabula.model.moment import instant_of
from fabula.operations.context import assemble_context
from fabula.operations.knowledge.questions import knowers_of
from fabula.operations.manuscript.manuscript import read_scene
from fabula.story_memory import StoryMemory

PLANT = "Vera hid the letter under the stone"


@pytest.fixture
def novel(memory: Memory) -> StoryMemory:
    story = memory.story("Novel", language="en")
    for name in ("Vera", "Pavel", "Olga"):
        story.entity.create(type="character", name=name)
    story.scene(0, 0, f"{PLANT}. “Tell nobody,” said Pavel to Vera.")
    story.scene(1, 0, "Olga met Pavel and Vera at the gate.")
    return story


def plant(memory: Memory, story: StoryMemory, **fields: Any) -> Any:
    scene = read_scene(memory.call(), project_id=story.id, chapter=0, scene=0)
    point = {"scene_id": scene.id, "quotation": PLANT}
    return story.thread.create(title="The hidden letter", plants=[point], **fields)


def who(story: StoryMemory, name: str) -> str:
    return next(one.id for one in story.entity.list().items if one.name == name)


def heard(memory: Memory, story: StoryMemory, pov: str | None) -> list[str]:
    call, now = memory.call(), instant_of(1, 0)
    with call.store.read() as reader, call.indexes.lease(reader, story.id) as index:
        view = ModelView(reader, index, now, pov=seen_by(reader, index, pov, now))
        return [one.title for one in heard_threads(view, now)]


def context(memory: Memory, story: StoryMemory, pov: str | None) -> str:
    made = assemble_context(
        memory.call(),
        project_id=story.id,
        chapter=1,
        scene=0,
        text="Olga, Vera and Pavel talk.",
        token_budget=20_000,
        pov=pov,
    )
    return str(made.model_dump(mode="json"))


def test_who_was_there_knows_of_it_and_others_do_not(memory: Memory, novel: StoryMemory) -> None:
    plant(memory, novel, secrecy="private")
    assert heard(memory, novel, None) == ["The hidden letter"]
    assert heard(memory, novel, "Vera") == ["The hidden letter"]
    assert heard(memory, novel, "Olga") == []
    assert "hidden letter" in context(memory, novel, "Vera")
    told = context(memory, novel, "Olga")
    assert "hidden letter" not in told
    assert "under the stone" not in told


def test_a_public_one_is_heard_of_by_everybody(memory: Memory, novel: StoryMemory) -> None:
    thread = plant(memory, novel)
    assert thread.secrecy == "public"
    assert heard(memory, novel, "Olga") == ["The hidden letter"]
    novel.thread.update(id=thread.id, patch={"secrecy": "private"})
    assert heard(memory, novel, "Olga") == []
    novel.history.undo(revision=novel.history.list().items[0].revision)
    assert heard(memory, novel, "Olga") == ["The hidden letter"]


def test_somebody_may_be_told_of_it_or_believe_something_else(memory: Memory, novel: StoryMemory) -> None:
    thread = plant(memory, novel, secrecy="private")
    fact = {"kind": "thread", "id": thread.id}
    told = novel.knowing.create(fact=fact, knower_id=who(novel, "Olga"), since={"chapter": 1})
    assert heard(memory, novel, "Olga") == ["The hidden letter"]
    knowers = knowers_of(memory.call(), project_id=novel.id, kind="thread", id=thread.id)
    assert (knowers.label, knowers.secrecy) == ("The hidden letter", "private")
    assert {one.name for one in knowers.items} >= {"Olga", "Vera"}
    assert "hidden letter" in context(memory, novel, None)
    novel.knowing.delete(id=told.id)
    novel.knowing.create(fact=fact, knower_id=who(novel, "Olga"), belief="Vera burnt it.")
    assert heard(memory, novel, "Olga") == []
    assert "Vera burnt it." in context(memory, novel, "Olga")
    novel.thread.delete(id=thread.id)
    assert novel.knowing.list().total_count == 0


def test_merging_hands_over_who_knows_of_it(memory: Memory, novel: StoryMemory) -> None:
    thread = plant(memory, novel, secrecy="private")
    other = novel.entity.create(type="character", name="Olenka")
    novel.knowing.create(fact={"kind": "thread", "id": thread.id}, knower_id=other.id)
    assert heard(memory, novel, "Olga") == []
    novel.entity.merge(target_entity_id=who(novel, "Olga"), source_entity_ids=[other.id])
    assert heard(memory, novel, "Olga") == ["The hidden letter"]
