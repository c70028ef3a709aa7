"""Who knows what: stored knowings, what follows from taking part, and the questions about it."""

from __future__ import annotations

from typing import Any

import pytest

from fabula.errors import InvalidInput, NotFound
from fabula.memory import Memory
from fabula.model.fact import FactRef
from fabula.story_memory import StoryMemory


def fact(kind: str, one: Any) -> dict[str, str]:
    return {"kind": kind, "id": one.id}


def person(story: StoryMemory, name: str, **fields: Any) -> Any:
    return story.entity.create(type="character", name=name, **fields)


def known(story: StoryMemory, knower: Any, **place: int) -> dict[str, tuple[str, bool]]:
    found = story.ask("knowledge.of_knower", knower=knower.id, **place)
    return {one.label: (one.how, one.knows) for one in found.items}


def who(story: StoryMemory, kind: str, one: Any, **place: int) -> list[str]:
    found = story.ask("knowledge.of_fact", kind=kind, id=one.id, **place)
    return [knower.name for knower in found.items if knower.knows]


@pytest.fixture
def cast(story: StoryMemory) -> dict[str, Any]:
    return {name: person(story, name) for name in ("Ann", "Bob", "Cid", "Dee")}


def test_only_its_knowers_know_a_private_fact(story: StoryMemory, cast: dict[str, Any]) -> None:
    heir = person(story, "the heir", secrecy="private")
    assert who(story, "entity", heir) == ["the heir"]
    story.knowing.create(
        fact=fact("entity", heir), knower_id=cast["Ann"].id, since={"chapter": 2, "scene": 1}, how="read"
    )
    assert who(story, "entity", heir, chapter=2, scene=0) == ["the heir"]
    assert who(story, "entity", heir, chapter=2, scene=1) == ["the heir", "Ann"]
    assert known(story, cast["Ann"]) == {"the heir": ("read", True)}
    assert known(story, cast["Bob"]) == {}


def test_what_is_forgotten_is_not_known(story: StoryMemory, cast: dict[str, Any]) -> None:
    heir = person(story, "the heir", secrecy="private")
    story.knowing.create(
        fact=fact("entity", heir), knower_id=cast["Ann"].id, since={"chapter": 1}, until={"chapter": 3}
    )
    told = {chapter: bool(known(story, cast["Ann"], chapter=chapter, scene=0)) for chapter in range(5)}
    assert told == {0: False, 1: True, 2: True, 3: True, 4: False}


def test_who_takes_part_in_an_event_knows_it_and_who_was_there(
    story: StoryMemory, cast: dict[str, Any]
) -> None:
    spy = person(story, "the spy", secrecy="private")
    deal = story.event.create(
        name="the deal",
        summary="They agree.",
        roles=["Ann", "the spy", {"name": "Bob", "properties": {"since": 4}}],
        moment={"chapter": 1, "scene": 0},
        secrecy="private",
    )
    assert known(story, cast["Ann"], chapter=0, scene=0) == {}
    assert known(story, cast["Ann"], chapter=1, scene=0) == {
        "the deal": ("witnessed", True),
        "the spy": ("witnessed", True),
    }
    assert known(story, cast["Bob"], chapter=3, scene=0) == {}
    assert known(story, cast["Bob"], chapter=4, scene=0).keys() == {"the deal", "the spy"}
    assert who(story, "event", deal) == ["Ann", "the spy", "Bob"]
    assert who(story, "entity", spy, chapter=1, scene=0) == ["the spy", "Ann"]


def test_who_is_on_stage_knows_what_happens_there(story: StoryMemory, cast: dict[str, Any]) -> None:
    story.scene(1, 0, "Cid listens at the door.")
    story.snapshot(
        1, 0, "The deal.", active_characters=[{"name": "Cid"}, {"name": "x", "characterId": cast["Dee"].id}]
    )
    here = {"chapter": 1, "scene": 0}
    story.event.create(name="the deal", summary="Done.", moment=here, secrecy="private")
    story.event.create(name="another", summary="Done.", moment={"chapter": 1}, secrecy="private")
    for name in ("Cid", "Dee"):
        assert known(story, cast[name], **here) == {"the deal": ("witnessed", True)}
    assert known(story, cast["Ann"], **here) == {}


def test_the_ends_of_a_relation_and_whose_state_it_is_know(story: StoryMemory, cast: dict[str, Any]) -> None:
    tie = story.relation.create(
        source_entity_id=cast["Ann"].id,
        target_entity_id=cast["Bob"].id,
        relation_type="family",
        secrecy="private",
        since={"chapter": 2},
    )
    state = story.state.create(entity_id=cast["Cid"].id, description="Poisoned.", secrecy="private")
    assert who(story, "relation", tie, chapter=1, scene=0) == []
    assert who(story, "relation", tie, chapter=2, scene=0) == ["Ann", "Bob"]
    assert who(story, "state", state) == ["Cid"]


def test_a_derivation_can_be_refused(story: StoryMemory, cast: dict[str, Any]) -> None:
    tie = story.relation.create(
        source_entity_id=cast["Ann"].id,
        target_entity_id=cast["Bob"].id,
        relation_type="family",
        secrecy="private",
    )
    no = story.knowing.create(
        fact=fact("relation", tie), knower_id=cast["Bob"].id, knows=False, until={"chapter": 5}
    )
    assert who(story, "relation", tie, chapter=3, scene=0) == ["Ann"]
    assert who(story, "relation", tie, chapter=6, scene=0) == ["Ann", "Bob"]
    story.knowing.delete(id=no.id)
    assert who(story, "relation", tie, chapter=3, scene=0) == ["Ann", "Bob"]


def test_an_event_tells_those_who_are_present_then(story: StoryMemory, cast: dict[str, Any]) -> None:
    state = story.state.create(entity_id=cast["Cid"].id, description="Poisoned.", secrecy="private")
    story.event.create(
        name="a word in private",
        summary="Ann tells Bob.",
        roles=[
            {"name": "Ann", "role": "speaker"},
            {"name": "Bob", "role": "hearer"},
            {"name": "Dee", "role": "hearer", "properties": {"since": 9}},
        ],
        moment={"chapter": 3, "scene": 2},
        tells=[fact("state", state)],
    )
    assert who(story, "state", state, chapter=3, scene=1) == ["Cid"]
    assert who(story, "state", state, chapter=10, scene=0) == ["Cid", "Ann", "Bob"]


def test_members_know_what_their_faction_knows_while_they_belong_to_it(
    story: StoryMemory, cast: dict[str, Any]
) -> None:
    guild = story.entity.create(type="faction", name="the guild")
    vault = story.entity.create(type="location", name="the vault", secrecy="private")
    story.relation.create(
        source_entity_id=cast["Ann"].id,
        target_entity_id=guild.id,
        relation_type="belongs_to",
        since={"chapter": 1},
        until={"chapter": 3},
    )
    story.knowing.create(fact=fact("entity", vault), knower_id=guild.id, how="witnessed")
    told = {chapter: bool(known(story, cast["Ann"], chapter=chapter, scene=0)) for chapter in range(5)}
    assert told == {0: False, 1: True, 2: True, 3: True, 4: False}
    assert set(who(story, "entity", vault, chapter=2, scene=0)) == {"the guild", "Ann"}


def test_a_belief_is_no_knowledge_until_the_truth_is_learned(
    story: StoryMemory, cast: dict[str, Any]
) -> None:
    tie = story.relation.create(
        source_entity_id=cast["Ann"].id,
        target_entity_id=cast["Bob"].id,
        relation_type="family",
        secrecy="private",
    )
    belief = {"fact": fact("relation", tie), "knower_id": cast["Cid"].id, "how": "believes"}
    story.knowing.create(**belief, belief="They are strangers.", since={"chapter": 1})
    story.event.create(
        name="the letter",
        summary="Cid reads it.",
        roles=["Cid"],
        moment={"chapter": 4},
        tells=[fact("relation", tie)],
    )
    (held,) = story.ask("knowledge.of_knower", knower="Cid", chapter=2, scene=0).items
    assert (held.knows, held.belief) == (False, "They are strangers.")
    (held,) = story.ask("knowledge.of_knower", knower="Cid", chapter=4, scene=0).items
    assert (held.knows, held.belief, held.how) == (True, "", "told")


def test_a_chain_holds_only_for_those_who_saw_each_other_learn_it(
    memory: Memory, story: StoryMemory, cast: dict[str, Any]
) -> None:
    state = story.state.create(entity_id=cast["Dee"].id, description="Gone.", secrecy="private")

    def think(*names: str, chapter: int = 9) -> bool:
        asked = {"chain": names, "fact": fact("state", state), "chapter": chapter, "scene": 0}
        return bool(story.ask("knowledge.chain", **asked).knows)

    both = ["Ann", "Bob"]
    story.event.create(
        name="seen", summary="x", roles=both, moment={"chapter": 2}, tells=[fact("state", state)]
    )
    story.event.create(
        name="alone", summary="x", roles=["Cid"], moment={"chapter": 3}, tells=[fact("state", state)]
    )
    assert think("Cid")
    assert think("Ann", "Bob")
    assert think("Ann", "Bob", "Ann", "Bob", "Ann", "Bob", "Ann", "Bob")
    assert not think("Ann", "Cid")
    assert not think("Ann", "Bob", "Cid")
    assert not think("Ann", "Bob", chapter=1)
    chain = story.ask("knowledge.chain", chain=["Ann", "Bob"], fact=fact("state", state))
    assert [(one.kind, one.name) for one in chain.because] == [("event", "seen")]
    with pytest.raises(InvalidInput):
        think(*["Ann"] * 9)
    with pytest.raises(NotFound):
        think("Nobody")


def test_dramatic_irony_is_what_the_reader_knows_and_the_stage_does_not(
    story: StoryMemory, cast: dict[str, Any]
) -> None:
    story.scene(5, 0, "Bob and Cid talk.")
    story.snapshot(5, 0, "They talk.", active_characters=[{"name": "Bob"}, {"name": "Cid"}])
    state = story.state.create(
        entity_id=cast["Ann"].id, description="Ill.", secrecy="private", since={"chapter": 2}
    )
    story.state.create(entity_id=cast["Ann"].id, description="Well.", secrecy="private", since={"chapter": 8})
    story.knowing.create(fact=fact("state", state), knower_id=cast["Bob"].id)
    story.knowing.create(
        fact=fact("state", state), knower_id=cast["Cid"].id, how="believes", belief="She is travelling."
    )
    (one,) = story.ask("knowledge.irony", chapter=5, scene=0).items
    assert one.label == "Ann: Ill."
    assert [(somebody.name, somebody.belief) for somebody in one.unaware] == [("Cid", "She is travelling.")]


def test_what_one_thinks_another_knows_is_what_both_saw(story: StoryMemory, cast: dict[str, Any]) -> None:
    seen, alone, _ = (
        story.event.create(name=name, summary="Done.", roles=roles, secrecy="private")
        for name, roles in (("seen", ["Ann", "Bob"]), ("alone", ["Ann"]), ("elsewhere", ["Bob"]))
    )

    def thoughts(*names: str) -> dict[str, bool]:
        answer = story.ask("knowledge.thoughts", chain=names)
        assert answer.names == names
        return {one.label: one.knows for one in answer.items}

    assert thoughts("Ann", "Bob") == {"seen": True, "alone": False}
    assert thoughts("Ann", "Bob", "Ann") == {"seen": True, "alone": False}
    assert thoughts("Bob", "Ann") == {"seen": True, "elsewhere": False}
    assert thoughts("Ann", "Cid") == {"seen": False, "alone": False}
    story.knowing.create(fact=fact("entity", alone), knower_id=cast["Bob"].id)
    assert thoughts("Ann", "Bob") == {"seen": True, "alone": False}
    (first, _) = story.ask("knowledge.thoughts", chain=("Ann", "Bob")).items
    assert (first.because.kind, first.because.id) == ("event", seen.id)
    with pytest.raises(InvalidInput):
        thoughts("Ann")


def test_the_reader_does_not_know_what_is_named_later(story: StoryMemory, cast: dict[str, Any]) -> None:
    story.scene(5, 0, "Bob and Cid talk.")
    story.snapshot(5, 0, "They talk.", active_characters=[{"name": "Bob"}])
    story.scene(6, 0, "The Ivory Door opens.")
    door = story.entity.create(type="item", name="Ivory Door", secrecy="private")
    story.relation.create(
        source_entity_id=cast["Cid"].id,
        target_entity_id=door.id,
        relation_type="owns",
        secrecy="private",
    )
    assert story.ask("knowledge.irony", chapter=5, scene=0).items == ()
    story.scene(4, 0, "Somebody speaks of the Ivory Door.")
    labels = [one.label for one in story.ask("knowledge.irony", chapter=5, scene=0).items]
    assert labels == ["Cid · 拥有 · Ivory Door", "Ivory Door"]


def test_a_knower_is_somebody_and_a_fact_exists(story: StoryMemory, cast: dict[str, Any]) -> None:
    place = story.entity.create(type="location", name="the hall")
    with pytest.raises(InvalidInput):
        story.knowing.create(fact=fact("entity", cast["Ann"]), knower_id=place.id)
    with pytest.raises(NotFound):
        story.knowing.create(fact={"kind": "state", "id": "none"}, knower_id=cast["Ann"].id)
    with pytest.raises(InvalidInput):
        story.knowing.create(
            fact=fact("entity", place), knower_id=cast["Ann"].id, knows=False, belief="No such hall."
        )


def test_knowings_go_with_their_fact_and_their_knower_and_come_back(
    story: StoryMemory, cast: dict[str, Any]
) -> None:
    hall = story.entity.create(type="location", name="the hall", secrecy="private")
    feast = story.event.create(name="feast", summary="x", roles=["Bob"], tells=[fact("entity", hall)])
    one = story.knowing.create(fact=fact("entity", hall), knower_id=cast["Ann"].id)
    story.entity.delete(id=hall.id)
    assert story.knowing.list().items == ()
    assert story.event.read(id=feast.id).tells == ()
    story.history.undo()
    assert [again.id for again in story.knowing.list().items] == [one.id]
    assert story.event.read(id=feast.id).tells == (FactRef(kind="entity", id=hall.id),)
    story.entity.delete(id=cast["Ann"].id)
    assert story.knowing.list().items == ()
    story.history.undo()
    assert [again.id for again in story.knowing.list(knower_id=cast["Ann"].id).items] == [one.id]


def test_merging_hands_over_what_is_known_and_who_knows_it(story: StoryMemory, cast: dict[str, Any]) -> None:
    hall = story.entity.create(type="location", name="the hall", secrecy="private")
    keep = story.entity.create(type="location", name="the keep")
    feast = story.event.create(name="feast", summary="x", roles=["Dee"], tells=[fact("entity", hall)])
    story.knowing.create(fact=fact("entity", hall), knower_id=cast["Ann"].id)
    story.entity.merge(target_entity_id=keep.id, source_entity_ids=[hall.id])
    assert set(who(story, "entity", keep)) == {"Ann", "Dee"}
    assert story.event.read(id=feast.id).tells == (FactRef(kind="entity", id=keep.id),)
    story.entity.merge(target_entity_id=cast["Bob"].id, source_entity_ids=[cast["Ann"].id])
    assert set(who(story, "entity", keep)) == {"Bob", "Dee"}


def test_knowings_follow_the_scenes_they_are_dated_by(story: StoryMemory, cast: dict[str, Any]) -> None:
    for scene in range(3):
        story.scene(0, scene, f"Scene {scene}.")
    hall = story.entity.create(type="location", name="the hall", secrecy="private")
    story.knowing.create(
        fact=fact("entity", hall), knower_id=cast["Ann"].id, since={"chapter": 0, "scene": 2}
    )
    assert who(story, "entity", hall, chapter=0, scene=0) == []
    story.move_scene((0, 2), (0, 0))
    assert who(story, "entity", hall, chapter=0, scene=0) == ["Ann"]
