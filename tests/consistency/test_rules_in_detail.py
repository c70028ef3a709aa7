"""What the rules about times, places, knowledge and names leave alone, and what models hear of them."""

from __future__ import annotations

from typing import Any

import pytest

from consistency_story import told
from fabula.memory import Memory
from fabula.story_memory import StoryMemory

STAYS = {"language": "en", "people": ["Anna"], "places": ["Moscow", "Rome", "Kremlin"]}


def rules_of(story: StoryMemory) -> list[str]:
    return [one.rule for one in story.checks.run().findings]


@pytest.mark.parametrize(
    ("days", "is_found"),
    [
        ([{"day": 3}, {"day": 3}], False),  # any hours of that day
        ([{"day": 3.5}, {"day": 3.5}], True),
        ([{"day": 3, "end": 5}, {"day": 6}], False),
        ([{"day": 3.25, "end": 3.5}, {"day": 3.75}], False),
        ([None, {"day": 4}], False),
    ],
)
def test_somebody_is_in_two_places_only_if_the_times_certainly_overlap(
    memory: Memory, days: list[Any], is_found: bool
) -> None:
    scenes = ["Anna was in Moscow.", "Anna was in Rome."]
    story = told(memory, {**STAYS, "scenes": scenes, "days": days})
    assert rules_of(story) == (["two-places"] if is_found else [])


def test_a_place_inside_another_is_no_other_place(memory: Memory) -> None:
    days = [{"day": 3, "end": 6}, {"day": 4}]
    scenes = ["Anna was in Moscow.", "Anna was in the Kremlin."]
    inside = [["Kremlin", "located_in", "Moscow"]]
    story = told(memory, {**STAYS, "scenes": scenes, "days": days, "relations": inside})
    assert rules_of(story) == []


def test_a_snapshot_says_where_somebody_is_unless_it_was_read_from_the_text(memory: Memory) -> None:
    days = [{"day": 3, "end": 6}, {"day": 4}]
    story = told(memory, {**STAYS, "scenes": ["Anna was in Moscow.", "Anna laughed."], "days": days})
    cast = {"active_characters": [{"name": "Anna"}]}
    story.snapshot(1, 0, "A party.", **cast, active_locations=[{"name": "Rome"}])
    (found,) = story.checks.run().findings
    assert found.message == "“Anna” is in “Rome” and in “Moscow” at the same time."
    assert (found.here.chapter, found.here.quotation) == (1, "Anna: Rome")
    story.snapshot(1, 0, "A party.", **cast, active_locations=[{"name": "Rome"}, {"name": "Moscow"}])
    assert rules_of(story) == []


def test_who_is_younger_in_a_flashback_is_not_reported(memory: Memory) -> None:
    scenes = ["Anna was forty years old.", "Anna was ten years old."]
    days = [{"day": 0}, {"day": -10957}]
    story = told(memory, {"language": "en", "people": ["Anna"], "scenes": scenes, "days": days})
    assert rules_of(story) == []


def test_names_that_are_easily_confused_are_a_note_unless_the_story_says_otherwise(memory: Memory) -> None:
    story = told(memory, {"language": "en", "people": ["Marian", "Marion"], "scenes": ["Nothing."]})
    assert [one.severity for one in story.checks.run().findings] == ["info"]
    story.ask("story.update", patch={"settings": {"checks": {"name": "error"}}})
    assert [one.severity for one in story.checks.run().findings] == ["error"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The blue eyes of Anna gave nothing away.", ["trait"]),
        ("The grey eyes of Anna gave nothing away.", []),
        ("Anna’s eyes had always been blue.", ["trait"]),
        ("There was something in Anna’s eyes, blue and restless, that pleased nobody.", ["trait"]),
        ("Nature had given Anna blue eyes.", ["trait"]),
        ("Nature had given Anna grey eyes.", []),
        ("Blue-eyed Anna and the blue-eyed Anna are no names.", ["trait"]),
        ("He saw blue eyes, and Anna saw them, too.", []),
        ("The blue eyes of Anna’s cat shone.", []),
    ],
)
def test_traits_are_read_in_many_shapes(memory: Memory, text: str, found: list[str]) -> None:
    story = told(
        memory, {"language": "en", "people": ["Anna", "Boris"], "scenes": ["Anna had grey eyes.", text]}
    )
    assert [one.rule for one in story.checks.run().findings] == found


@pytest.mark.parametrize(
    ("death", "later", "found"),
    [
        ("Death took Anna in the spring.", "Anna opened the letter.", ["dead-acts"]),
        ("Anna was struck dead by lightning.", "Anna laughed when they came.", ["dead-acts"]),
        ("They laid Anna in the grave.", "Slowly Anna shut the book.", ["dead-acts"]),
        ("Anna choked on a bone and died.", "Anna, pale as ever, rose.", ["dead-acts"]),
        ("Cholera carried off Anna.", "They met Anna at the corner.", ["dead-acts"]),
        ("“Anna is dead,” said Boris.", "Anna was writing a letter.", ["dead-acts"]),
        ("“Is Anna dead?” said Boris.", "Anna was writing a letter.", []),
        ("Anna was shot through the heart.", "It was here that Anna had lit the lamp.", []),
        ("Anna was dead tired.", "Anna yawned.", []),
        ("Anna never woke again.", "He was a child when Anna laughed.", []),
        ("Anna never woke again.", "In a letter Anna wrote of it.", []),
        ("Death nearly took Anna in the spring.", "Anna opened the letter.", []),
        ("They almost laid Anna in the grave.", "Anna opened the letter.", []),
    ],
)
def test_deaths_and_deeds_are_read_in_many_shapes(
    memory: Memory, death: str, later: str, found: list[str]
) -> None:
    story = told(memory, {"language": "en", "people": ["Anna", "Boris"], "scenes": [death, later]})
    assert [one.rule for one in story.checks.run().findings] == found


@pytest.mark.parametrize(
    ("later", "found"),
    [
        ("Anna was a slight figure with green eyes.", ["trait"]),
        ("Of all Anna’s features the eyes, which were green, struck one first.", ["trait"]),
        ("Nobody had eyes as green as Anna’s.", ["trait"]),
        ("Anna spoke to the man with the green eyes.", []),
        ("Anna looked into the green eyes.", []),
        ("Anna was a friend of the lady with green eyes.", []),
    ],
)
def test_a_trait_is_whose_the_sentence_says(memory: Memory, later: str, found: list[str]) -> None:
    scenes = ["Anna had blue eyes.", later]
    assert rules_of(told(memory, {"language": "en", "people": ["Anna"], "scenes": scenes})) == found


@pytest.mark.parametrize(
    ("later", "found"),
    [
        ("The lamp was in Boris’s hand.", ["two-holders"]),
        ("Boris did not raise the lamp. He dreamt that Boris raised the lamp.", []),
        ("“Boris carried the lamp,” she said.", []),
        ("Anna handed the lamp to Boris. Boris raised the lamp.", []),
        ("Boris’s brother raised the lamp.", []),
    ],
)
def test_a_thing_is_in_the_hand_of_whoever_had_it_last(memory: Memory, later: str, found: list[str]) -> None:
    example = {"language": "en", "people": ["Anna", "Boris"], "items": ["lamp"]}
    story = told(memory, {**example, "scenes": ["Anna carried the lamp.", later]})
    assert rules_of(story) == found


@pytest.mark.parametrize(("married", "found"), [(3, ["bond"]), (1, [])])
def test_nobody_marries_the_dead(memory: Memory, married: int, found: list[str]) -> None:
    scenes = ["One.", "Two.", "Three.", "Four."]
    story = told(memory, {"language": "en", "people": ["Anna", "Boris"], "scenes": scenes})
    anna, boris = (one.id for one in sorted(story.entity.list().items, key=lambda one: one.name))
    story.state.create(entity_id=boris, since={"chapter": 2}, attributes={"status": "dead"})
    ends = {"source_entity_id": anna, "target_entity_id": boris}
    story.relation.create(**ends, relation_type="spouse", since={"chapter": married})
    assert rules_of(story) == found


@pytest.mark.parametrize(("what", "found"), [("died", []), ("left", ["kin"])])
def test_a_widow_may_marry_again(memory: Memory, what: str, found: list[str]) -> None:
    married = [["Anna", "spouse", "Boris"], ["Anna", "spouse", "Clim"]]
    example = {"language": "en", "people": ["Anna", "Boris", "Clim"], "relations": married}
    assert rules_of(told(memory, {**example, "scenes": [f"Boris {what} that night."]})) == found


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("“Where is the Black Ledger?” Anna asked.", True),
        ("Anna slowly whispered, “The Black Ledger.”", True),
        ("Anna: The Black Ledger is mine.", True),
        ("“The Black Ledger is mine,” said Boris.", False),
        ("Anna stood beside the Black Ledger.", False),
    ],
)
def test_only_what_somebody_says_counts_as_knowing(memory: Memory, text: str, is_found: bool) -> None:
    story = told(memory, LEDGER | {"scenes": [text]})
    ledger, boris = (_id(story, name) for name in ("the Black Ledger", "Boris"))
    story.knowing.create(fact={"kind": "entity", "id": ledger}, knower_id=boris)
    assert rules_of(story) == (["knows-too-much"] if is_found else [])


LEDGER = {
    "language": "en",
    "people": ["Anna", "Boris"],
    "items": ["the Black Ledger"],
    "private": ["the Black Ledger"],
}


def test_from_a_point_of_view_nobody_hears_what_others_do_not_know(memory: Memory) -> None:
    story = told(memory, LEDGER | {"scenes": ["Nothing."]})
    text = "“Where is the Black Ledger?” Anna asked."
    for audience in ("author", "model"):
        found = story.check(text, chapter=1, scene=0, audience=audience).findings
        assert [one.rule for one in found] == ["knows-too-much"]
        seen = story.check(text, chapter=1, scene=0, audience=audience, pov="Boris").findings
        assert [one for one in seen if one.rule == "knows-too-much"] == []


def test_a_model_is_not_told_how_many_hidden_ones_there_are(memory: Memory) -> None:
    people = ["Anna", "Boris", "Clara"]
    ties = [["Anna", "parent", "Boris"], ["Anna", "parent", "Clara"]]
    story = told(memory, {"language": "en", "people": people, "relations": ties, "scenes": ["Nothing."]})
    text = "They waited for Anna’s only child."
    assert [one.rule for one in story.check(text, audience="model").findings] == ["count"]
    clara = story.entity.read(id=_id(story, "Clara"))
    patch = {"aiContextLevel": "never"}
    story.entity.update(id=clara.id, expected_version=clara.version, patch=patch)
    assert [one.rule for one in story.check(text).findings] == ["count"]
    assert story.check(text, audience="model").findings == ()


def test_a_name_before_its_reveal_is_reported_to_the_author_alone(memory: Memory) -> None:
    names = {"Granny Tao": [{"name": "Mr Salt", "since": {"chapter": 5}}]}
    people = {"language": "en", "people": ["Granny Tao"], "names": names}
    story = told(memory, {**people, "scenes": ["Nothing."]})
    text = "They feared Mr Salt."
    assert [one.rule for one in story.check(text, chapter=1, scene=0).findings] == ["name"]
    assert story.check(text, chapter=1, scene=0, audience="model").findings == ()
    assert story.check(text, chapter=5, scene=0).findings == ()


def _id(story: StoryMemory, name: str) -> str:
    return next(one.id for one in story.entity.list().items if one.name == name)
