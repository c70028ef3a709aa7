"""A context is filled with the passages that bear on its text, one of each good chapter first."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from effort import examples
from fabula.memory import Memory
from fabula.story_memory import StoryMemory

# Each chapter has a scene about its own thing, told twice, in the same everyday words.
THINGS = (
    "lantern", "anchor", "violin", "orchard", "ferret", "compass", "teapot", "glacier", "bishop", "saddle",
    "thimble", "walrus",
)  # fmt: skip
DAY = "It was a quiet day and nobody said much about the weather or the road to the old town. "
FILLER = DAY * 9


def told_in(thing: str, nth: int) -> str:
    return f"The keeper showed the {thing} to the widow for the time number {nth} and put it away again. "


@pytest.fixture
def year(memory: Memory) -> StoryMemory:
    story = memory.story("year", language="en")
    for chapter, thing in enumerate(THINGS):
        story.scene(chapter, 0, f"{told_in(thing, 1)}{FILLER}\n\n{told_in(thing, 2)}{FILLER}")
    return story


def passages(story: StoryMemory, text: str, chapter: int = 20, **wishes: Any) -> list[Any]:
    return [one for one in story.context(chapter, 0, text, **wishes).recollections if one.kind == "passage"]


def test_there_is_no_fixed_number_of_passages(year: StoryMemory) -> None:
    text = f"She remembered the {', the '.join(THINGS)}."
    assert {one.chapter for one in passages(year, text)} == {*range(len(THINGS))}


def test_one_of_each_good_chapter_comes_before_a_second_of_any(year: StoryMemory) -> None:
    wanted = [2, 5, 7]
    text = f"She remembered the {', the '.join(THINGS[chapter] for chapter in wanted)}."
    whole = passages(year, text)
    assert sorted(one.chapter for one in whole) == sorted(2 * wanted)
    cost = max(one.estimated_tokens for one in whole)
    few = passages(year, text, token_budget=len(wanted) * (cost + 4) + 12)
    assert sorted(one.chapter for one in few) == wanted


def test_each_sentence_is_asked_by_itself(year: StoryMemory) -> None:
    """The second sentence says little beside the first, and yet its best passage comes first of all."""
    asked = "The keeper showed the lantern and the anchor and the violin to the widow."
    text = f"{asked} Then came the walrus alone."
    whole = {one.chapter: one.estimated_tokens for one in passages(year, text)}
    (first,) = passages(year, text, token_budget=whole[11] + 12)
    assert first.chapter == 11


def test_nothing_that_does_not_bear_on_the_text_is_quoted(year: StoryMemory) -> None:
    assert passages(year, "Nobody said much about the weather.") == []
    assert {one.chapter for one in passages(year, "She remembered the glacier.", token_budget=100_000)} == {7}


def test_the_trace_says_where_the_line_was_drawn(year: StoryMemory) -> None:
    context = year.context(20, 0, "The widow remembered the glacier on a quiet day.")
    items = [item for item in context.trace if item.kind == "passage"]
    assert {item.reason for item in items} == {"recalled", "below_line"}
    (line,) = {item.threshold for item in items}
    assert all((item.score >= line) is item.included for item in items)
    assert sum(not item.included for item in items) <= 3


def test_a_chapter_of_less_weight_is_quoted_by_its_bearing_sentences(year: StoryMemory) -> None:
    year.scene(12, 0, f"{FILLER}The keeper put the lantern beside the saddle.")
    context = year.context(20, 0, "Where were the lantern and the saddle?")
    first = {}
    for one in context.recollections:
        first.setdefault(one.chapter, one)
    cut = {item.id for item in context.trace if item.kind == "passage" and item.cut}
    assert first.keys() == {0, 9, 12}
    assert first[12].id not in cut
    for chapter in (0, 9):
        assert first[chapter].id in cut
        assert THINGS[chapter] in first[chapter].text
        assert len(first[chapter].text) < 400


@settings(
    max_examples=examples(20), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.sampled_from(THINGS), min_size=1, max_size=5), st.integers(0, 12), st.integers(0, 6_000))
def test_what_comes_later_changes_nothing(
    memory: Memory, year: StoryMemory, things: list[str], chapter: int, budget: int
) -> None:
    """The context of a chapter is the same whether or not the book goes on after it."""
    text = f"She remembered the {', the '.join(things)}. The widow was there."
    whole = year.context(chapter, 0, text, token_budget=budget)
    begun = memory.story(f"until {chapter}", language="en", id=f"until-{chapter}")
    for number, scene in enumerate(THINGS[:chapter]):
        begun.scene(number, 0, f"{told_in(scene, 1)}{FILLER}\n\n{told_in(scene, 2)}{FILLER}")
    assert begun.context(chapter, 0, text, token_budget=budget) == whole
    assert whole.estimated_tokens <= budget
    assert all(one.chapter < chapter for one in whole.recollections)


def test_entries_that_are_named_do_not_starve_the_passages(year: StoryMemory) -> None:
    for thing in THINGS:
        year.entity.create(type="item", name=thing, description=f"A thing. {DAY * 25}")
    text = f"She remembered the {', the '.join(THINGS)}."
    context = year.context(20, 0, text, token_budget=4_000)
    assert any(item.reason == "budget" for item in context.trace if item.kind == "entry")
    assert any(one.kind == "passage" for one in context.recollections)


def test_events_and_passages_take_turns_for_what_is_left(year: StoryMemory) -> None:
    widow = year.entity.create(type="character", name="widow", description="She keeps to herself.")
    for number in range(30):
        year.event.create(
            name=f"Visit {number}",
            summary=f"The widow was asked. {DAY * 3}",
            roles=[widow.name],
            moment={"chapter": 13},
        )
    text = f"The widow remembered the {', the '.join(THINGS)}."
    found = year.context(20, 0, text, token_budget=2_400).recollections
    kinds = [one.kind for one in found]
    assert min(kinds.count("event"), kinds.count("passage")) >= 4
