"""Model names that mean stories: whatever a story is called, its name leads back to it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.errors import InvalidInput, NotFound
from fabula.memory import Memory
from fabula.model.story import Story
from fabula.operations.chat.model_names import PREFIX, Chosen, chosen_story, model_names


def chosen(memory: Memory, name: str) -> Chosen:
    found = chosen_story(memory.call(), name)
    assert found is not None
    return found


def test_a_title_an_id_and_a_moment(memory: Memory) -> None:
    lamps = memory.story("The Lamps of  Fogharbour", language="en")
    fog = memory.story("雾港：灯语／上", id="fog")
    for name, story, place in (
        ("the lamps of fogharbour", lamps, (0, 0)),
        ("The Lamps of Fogharbour@12.3", lamps, (12, 3)),
        ("The Lamps of Fogharbour @ 12", None, None),
        ("雾港:灯语/上@7", fog, (7, 0)),
        ("fog@0.1", fog, (0, 1)),
        (f"{lamps.id}@12", lamps, (12, 0)),
    ):
        if story is None:
            with pytest.raises(NotFound):
                chosen(memory, PREFIX + name)
            continue
        found = chosen(memory, PREFIX + name)
        assert (found.story.id, (found.chapter, found.scene)) == (story.id, place)
    assert chosen_story(memory.call(), "gpt-4o@12") is None
    assert chosen_story(memory.call(), "") is None


def test_without_a_moment_the_next_scene_is_meant(memory: Memory) -> None:
    story = memory.story("雾港")
    assert (chosen(memory, "fabula/雾港").chapter, chosen(memory, "fabula/雾港").scene) == (0, 0)
    story.scene(0, 7, "一")
    story.scene(3, 1, "二")
    found = chosen(memory, "fabula/雾港")
    assert (found.chapter, found.scene) == (3, 2)
    story.snapshot(3, 4, "三")
    found = chosen(memory, "fabula/雾港")
    assert (found.chapter, found.scene) == (3, 5)


def test_a_title_that_looks_like_a_moment_is_a_title(memory: Memory) -> None:
    odd, plain = memory.story("塔@12"), memory.story("塔")
    assert chosen(memory, "fabula/塔@12").story.id == odd.id
    assert chosen(memory, "fabula/塔@12@3").story.id == odd.id
    assert chosen(memory, "fabula/塔@13").story.id == plain.id


def test_a_title_that_several_have_takes_an_id(memory: Memory) -> None:
    one, other = memory.story("塔", id="a"), memory.story("塔", id="b")
    with pytest.raises(InvalidInput) as several:
        chosen(memory, "fabula/塔")
    assert several.value.details == {"storyIds": ["b", "a"]}
    assert {story.id for story in model_names(memory.stories()).values()} == {one.id, other.id}
    assert set(model_names(memory.stories())) == {"fabula/a", "fabula/b"}


titles = st.text(st.characters(codec="utf-8", exclude_categories=("C",)), min_size=1, max_size=12)
alike = st.sampled_from(["a", "b", "A", "a@1", "a@1.2", "ａ", "a b", "a  b"])


@given(st.lists(st.tuples(titles | alike, alike | titles), max_size=5, unique_by=lambda one: one[1]))
def test_every_story_has_one_name_that_no_other_has(known: list[tuple[str, str]]) -> None:
    stories = tuple(
        Story(
            id=key,
            title=title,
            language="zh",
            settings={},
            revision=0,
            entity_count=0,
            relation_count=0,
            created_at="",
            updated_at="",
        )
        for title, key in known
    )
    assert len(model_names(stories)) == len(stories)
