"""Bundles say what is private and when it happened, and publish nothing that only some people know."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from effort import examples
from fabula.errors import BundleInvalid, Forbidden
from fabula.memory import Memory
from fabula.operations.import_export.export_story import export_file
from fabula.story_memory import StoryMemory

NAMES = ("Ann", "Bob", "Salt")
TIMES = st.none() | st.builds(
    lambda day, label: {"day": day, "label": label},
    st.integers(-400, 400).map(lambda day: day / 4),
    st.sampled_from(["", "the spring before", "冬"]),
)
FACTS = st.fixed_dictionaries({"secrecy": st.sampled_from(["public", "private"]), "valid_from": TIMES})


def bundle_of(memory: Memory, story: StoryMemory) -> str:
    with export_file(memory.call(), project_id=story.id, format="bundle") as file:
        return file.read().decode()


def held(story: StoryMemory) -> tuple[dict[str, Any], dict[Any, Any]]:
    """The secrecy and the world time of everybody and of every relation, by names."""
    entities = story.entity.list().items
    names = {one.id: one.name for one in entities}
    ties = story.relation.list().items
    return (
        {one.name: (one.secrecy, one.valid_from) for one in entities},
        {
            (names[one.source_entity_id], names[one.target_entity_id]): (one.secrecy, one.valid_from)
            for one in ties
        },
    )


@settings(
    max_examples=examples(20),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.lists(FACTS, min_size=3, max_size=3), st.lists(FACTS, min_size=2, max_size=2))
def test_what_is_private_and_when_it_is_true_survive_a_bundle(
    memory: Memory, people: list[dict[str, Any]], ties: list[dict[str, Any]]
) -> None:
    story = memory.story("one", id=memory.call().clock.new_id())
    ids = [
        story.entity.create(type="character", name=name, **said).id
        for name, said in zip(NAMES, people, strict=True)
    ]
    for (one, other), said in zip(((0, 1), (1, 2)), ties, strict=True):
        story.relation.create(
            source_entity_id=ids[one], target_entity_id=ids[other], relation_type="sibling", **said
        )
    copy = memory.story("two", id=memory.call().clock.new_id())
    copy.import_bundle(bundle_of(memory, story))
    assert held(copy) == held(story)
    # What is already there is not changed by the same bundle.
    copy.import_bundle(bundle_of(memory, story))
    assert held(copy) == held(story)


def test_an_item_that_says_nothing_of_it_leaves_it_private(story: StoryMemory) -> None:
    story.entity.create(type="character", name="Salt", secrecy="private")
    story.import_bundle("- {type: Character, name: Salt, description: An heir.}")
    (salt,) = story.entity.list().items
    assert (salt.description, salt.secrecy) == ("An heir.", "private")


ENDS = "source: {type: Character, name: Ann}, target: {type: Character, name: Bob}"


@pytest.mark.parametrize(
    ("item", "itself"),
    [
        ("{type: Character, name: Ann, secrecy: public}", "the entity itself"),
        (f"{{type: SIBLING, {ENDS}, secrecy: public}}", "the relation itself"),
    ],
)
def test_an_import_publishes_nothing_that_is_private(story: StoryMemory, item: str, itself: str) -> None:
    ann, bob = (
        story.entity.create(type="character", name=name, secrecy="private").id for name in ("Ann", "Bob")
    )
    story.relation.create(
        source_entity_id=ann, target_entity_id=bob, relation_type="sibling", secrecy="private"
    )
    before = held(story)
    with pytest.raises(Forbidden) as refused:
        story.import_bundle(f"- {{type: Character, name: New}}\n- {item}")
    assert itself in (refused.value.suggestion or "")
    assert (refused.value.details or {})["path"] == "[1].secrecy"
    assert held(story) == before


def test_an_import_may_make_things_private(story: StoryMemory) -> None:
    story.entity.create(type="character", name="Ann")
    story.import_bundle("- {type: Character, name: Ann, secrecy: private}")
    assert story.entity.list().items[0].secrecy == "private"


def test_a_secrecy_that_there_is_not_is_refused(story: StoryMemory) -> None:
    with pytest.raises(BundleInvalid) as refused:
        story.import_bundle("- {type: Character, name: Ann, secrecy: hidden}")
    assert "secrecy" in str(refused.value.details)
    assert not story.entity.list().items
