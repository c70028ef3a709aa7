"""A context from a point of view: nothing private that this person does not know, on any path."""

from __future__ import annotations

from typing import Any

import pytest

from fabula.errors import InvalidInput, NotFound
from fabula.operations.chat.model_names import chosen_story
from fabula.story_memory import StoryMemory


def fact(kind: str, one: Any) -> dict[str, str]:
    return {"kind": kind, "id": one.id}


@pytest.fixture
def cast(story: StoryMemory) -> dict[str, Any]:
    return {
        name: story.entity.create(type="character", name=name, description=f"{name} is here.")
        for name in ("Ann", "Bob", "Cid")
    }


def told(story: StoryMemory, text: str, **wishes: Any) -> str:
    found = story.context(5, 0, text, token_budget=20_000, **wishes)
    return "\n".join(one.content for one in found.messages if one.role != "user")


def reasons(story: StoryMemory, text: str, **wishes: Any) -> dict[str, str]:
    found = story.context(5, 0, text, token_budget=20_000, **wishes)
    return {item.label: item.reason for item in found.trace}


def test_a_private_entity_is_told_to_those_who_know_it(story: StoryMemory, cast: dict[str, Any]) -> None:
    heir = story.entity.create(
        type="character",
        name="Salt",
        description="Salt rules xq1.",
        secrecy="private",
        ai_context_level="always",
    )
    story.entity.update(
        id=cast["Ann"].id, expected_version=1, patch={"description": "Ann fears Salt, xq2. Ann is kind."}
    )
    story.knowing.create(fact=fact("entity", heir), knower_id=cast["Bob"].id, since={"chapter": 3})
    text = "Ann, Bob and Salt meet."
    assert "xq1" in told(story, text)
    assert "xq1" in told(story, text, pov="Bob")
    assert "xq2" in told(story, text, pov="Bob")
    for wishes in ({}, {"pinned": [heir.id]}):
        seen = told(story, text, pov="Ann", **wishes)
        assert "xq1" not in seen
        assert "xq2" not in seen
        assert "Ann is kind." in seen
        assert reasons(story, text, pov="Ann", **wishes)["Salt"] == "not_known"


def test_private_relations_states_and_their_quotations_are_not_told(
    story: StoryMemory, cast: dict[str, Any]
) -> None:
    story.scene(0, 0, "Ann looked at Bob. He was her brother, xq1. Cid saw nothing.")
    scene = story.ask("manuscript.scene.read", chapter=0, scene=0)
    tie = story.relation.create(
        source_entity_id=cast["Ann"].id,
        target_entity_id=cast["Bob"].id,
        relation_type="sibling",
        description="Born in xq2.",
        secrecy="private",
    )
    story.ask(
        "evidence.attach",
        kind="relation",
        id=tie.id,
        scene_id=scene.id,
        quotation="He was her brother, xq1.",
    )
    story.state.create(
        entity_id=cast["Ann"].id, description="Ill with xq3.", attributes={"x": "xq4"}, secrecy="private"
    )
    text = "Ann, Bob and Cid talk of brothers and illness."
    everything = told(story, text)
    assert all(mark in everything for mark in ("xq2", "xq3", "xq4"))
    for name in ("Ann", "Bob"):
        assert "xq2" in told(story, text, pov=name)
    assert "xq3" in told(story, text, pov="Ann")
    seen = told(story, text, pov="Cid")
    assert not any(mark in seen for mark in ("xq1", "xq2", "xq3", "xq4")), seen
    (passage,) = story.query.retrieve(query="What did Cid see?", pov="Cid").passages
    assert "xq1" not in passage.text
    assert "Cid saw nothing." in passage.text
    found = story.query.retrieve(query="Who is the brother of Ann?", pov="Cid").model_dump_json()
    assert not any(mark in found for mark in ("xq1", "xq2", "xq3", "xq4"))
    hits = story.search("brother", audience="model", pov="Cid").model_dump_json()
    assert "xq" not in hits


def test_a_false_belief_is_told_in_the_place_of_the_fact(story: StoryMemory, cast: dict[str, Any]) -> None:
    tie = story.relation.create(
        source_entity_id=cast["Ann"].id,
        target_entity_id=cast["Bob"].id,
        relation_type="sibling",
        description="xq1",
        secrecy="private",
    )
    state = story.state.create(entity_id=cast["Ann"].id, description="Poisoned, xq2.", secrecy="private")
    for one, kind, belief in ((tie, "relation", "They are cousins."), (state, "state", "She has a cold.")):
        story.knowing.create(fact=fact(kind, one), knower_id=cast["Cid"].id, how="believes", belief=belief)
    story.knowing.create(
        fact=fact("entity", cast["Bob"]), knower_id=cast["Cid"].id, belief="Bob is a monk.", how="believes"
    )
    text = "Ann and Bob and Cid."
    seen = told(story, text, pov="Cid")
    assert "xq" not in seen
    assert "Bob is here." not in seen
    assert all(said in seen for said in ("They are cousins.", "She has a cold.", "Bob is a monk."))
    assert "believed" in reasons(story, text, pov="Cid").values()
    assert "She has a cold." not in told(story, text, pov="Bob")


def test_who_does_not_know_that_a_state_ended_still_believes_it(
    story: StoryMemory, cast: dict[str, Any]
) -> None:
    box = story.entity.create(type="item", name="the ring", description="A ring.")
    story.state.create(
        entity_id=box.id,
        description="It lies in the basket.",
        attributes={"place": "basket"},
        until={"chapter": 2, "scene": 0},
    )
    later = story.state.create(
        entity_id=box.id,
        description="It lies in the chest.",
        attributes={"place": "chest"},
        since={"chapter": 2, "scene": 0},
        secrecy="private",
    )
    story.knowing.create(fact=fact("state", later), knower_id=cast["Ann"].id, how="witnessed")
    text = "Where is the ring?"
    assert "chest" in told(story, text, pov="Ann")
    assert "basket" not in told(story, text, pov="Ann")
    assert "basket" in told(story, text, pov="Bob")
    assert "chest" not in told(story, text, pov="Bob")


def test_an_omniscient_context_says_who_knows_what(story: StoryMemory, cast: dict[str, Any]) -> None:
    state = story.state.create(entity_id=cast["Ann"].id, description="Poisoned.", secrecy="private")
    story.knowing.create(
        fact=fact("state", state), knower_id=cast["Cid"].id, how="believes", belief="She has a cold."
    )
    story.scene(4, 0, "They eat.")
    story.snapshot(4, 0, "They eat.", active_characters=[{"name": name} for name in ("Ann", "Bob", "Cid")])
    found = story.context(5, 0, "Ann drinks.", token_budget=5_000)
    (line,) = found.who_knows
    assert "Ann: Poisoned" in line
    assert "知情：Ann；不知情：Bob；Cid以为：She has a cold." in line
    assert "knowledge" in {item.reason for item in found.trace}
    assert story.context(5, 0, "Ann drinks.", token_budget=5_000, pov="Bob").who_knows == ()


def test_a_point_of_view_is_somebody_who_is_there(story: StoryMemory, cast: dict[str, Any]) -> None:
    late = story.entity.create(type="character", name="Late", aliases=["Tardy"], since={"chapter": 8})
    hall = story.entity.create(type="location", name="Hall")
    with pytest.raises(NotFound):
        told(story, "x", pov="Nobody")
    for pov in ("Late", "Tardy", late.id, hall.name):
        with pytest.raises(InvalidInput):
            told(story, "x", pov=pov)
    assert told(story, "Ann", pov=cast["Ann"].id) == told(story, "Ann", pov="Ann")


def test_what_would_leak_is_what_the_teller_does_not_know(story: StoryMemory, cast: dict[str, Any]) -> None:
    heir = story.entity.create(type="character", name="Salt", description="Heir.", secrecy="private")
    state = story.state.create(entity_id=cast["Ann"].id, description="Ill.", secrecy="private")
    story.scene(5, 0, "Ann meets Salt.")
    found = story.ask("knowledge.leaks", chapter=5, scene=0, pov="Bob").items
    assert {(one.fact.id, one.in_text) for one in found} == {(heir.id, True), (state.id, False)}
    assert all(one.in_context for one in found)
    assert story.ask("knowledge.leaks", chapter=5, scene=0, pov="Salt").items[0].fact.id == state.id


def test_a_model_name_may_say_whose_point_of_view(story: StoryMemory, cast: dict[str, Any]) -> None:
    call = story._memory.call()
    title = call.store and story.ask("story.read").title
    chosen = chosen_story(call, f"fabula/{title}~Ann@3.1")
    assert chosen is not None
    assert (chosen.pov, chosen.chapter, chosen.scene) == ("Ann", 3, 1)
    plain = chosen_story(call, f"fabula/{title}@3")
    assert plain is not None
    assert (plain.pov, plain.chapter) == (None, 3)
