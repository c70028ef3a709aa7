"""Ranks and titles: which contradict each other, and what tells of a change."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consistency_story import told
from fabula.consistency.ranks import LADDERS, are_alike, called, ladder_of, plain_rank, ranks_in
from fabula.memory import Memory
from fabula.story_memory import StoryMemory

CAPTAIN = "Captain Dobbin came in."
GENERAL = "都督周瑜走了进来。"


def ranks_found(memory: Memory, language: str, who: str, scenes: list[str], **more: Any) -> list[str]:
    story = told(memory, {"language": language, "people": [who], "scenes": scenes, **more})
    return marked(story, scenes)


def marked(story: StoryMemory, scenes: list[str]) -> list[str]:
    found = story.checks.run().findings
    return [
        scenes[one.here.chapter][one.here.mark_start : one.here.mark_end]
        for one in found
        if one.rule == "trait" and one.here is not None
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("“Good evening, Colonel Dobbin,” said the porter.", ["Colonel"]),
        ("Dobbin was a sergeant.", ["sergeant"]),
        ("Lieutenant-Colonel Dobbin bowed.", ["Colonel"]),
        ("Dobbin, a colonel in the army, bowed.", []),
        ("Dobbin was promoted. They all greeted Colonel Dobbin.", []),
        ("Dobbin was a colonel by then.", []),
        ("When Dobbin was a sergeant, all that was different.", []),
        ("Dobbin was no colonel.", []),
        ("Dobbin looked like a colonel.", []),
        ("Mrs. Colonel Dobbin bowed.", []),
        ("Dr. Dobbin bowed.", []),
        ("Sir Dobbin was a general favourite.", []),
        ("The colonel, Dobbin, and the boy went out.", []),
    ],
)
def test_an_english_rank_is_found_unless_it_may_have_changed(
    memory: Memory, text: str, found: list[str]
) -> None:
    assert ranks_found(memory, "en", "Dobbin", [CAPTAIN, text]) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("丞相周瑜走了进来。", ["丞相"]),
        ("“周瑜丞相到了。”有人喊道。", ["丞相"]),
        ("周瑜将军到了。", []),
        ("周瑜丞相府前站满了人。", []),
        ("朝廷封周瑜为丞相。丞相周瑜谢恩。", []),
        ("周瑜升了官。众人都来拜见丞相周瑜。", []),
        ("当年周瑜是县令。", []),
        ("周瑜不是丞相。", []),
        ("他禀告丞相周瑜已经走了。", []),
    ],
)
def test_a_chinese_rank_is_found_unless_it_may_have_changed(
    memory: Memory, text: str, found: list[str]
) -> None:
    assert ranks_found(memory, "zh", "周瑜", [GENERAL, text]) == found


def test_a_rank_that_later_scenes_keep_is_a_promotion_between_the_lines(memory: Memory) -> None:
    later = ["Colonel Dobbin bowed.", "Colonel Dobbin laughed.", "Colonel Dobbin sat down."]
    assert ranks_found(memory, "en", "Dobbin", [CAPTAIN, *later]) == []


def test_a_rank_that_is_given_once_is_a_slip(memory: Memory) -> None:
    scenes = [CAPTAIN, "Colonel Dobbin bowed.", CAPTAIN]
    assert ranks_found(memory, "en", "Dobbin", scenes) == ["Colonel"]


def test_a_state_says_what_somebody_is_from_then_on(memory: Memory) -> None:
    scenes = [CAPTAIN, "Colonel Dobbin bowed.", "Captain Dobbin laughed."]
    story = told(memory, {"language": "en", "people": ["Dobbin"], "scenes": scenes})
    (found,) = story.checks.run().findings
    assert (found.here.chapter, found.there.quotation) == (1, CAPTAIN)
    story.checks.fix(finding_id=found.id, kind="add_state")
    (found,) = story.checks.run().findings
    assert (found.here.chapter, found.there.kind, found.there.quotation) == (2, "state", "rank: Colonel")


@pytest.mark.parametrize(("day", "found"), [(-3650, []), (3650, ["Ensign"])])
def test_a_lower_rank_in_a_flashback_is_left_alone(memory: Memory, day: int, found: list[str]) -> None:
    scenes = [CAPTAIN, "Ensign Dobbin bowed."]
    assert ranks_found(memory, "en", "Dobbin", scenes, days=[{"day": 0}, {"day": day}]) == found


def test_a_title_in_a_name_counts(memory: Memory) -> None:
    scenes = ["Nothing.", "They all greeted Sergeant Dobbin."]
    names = {"Captain Dobbin": [{"name": "Dobbin"}]}
    assert ranks_found(memory, "en", "Captain Dobbin", scenes, names=names) == ["Sergeant"]


RANKS = st.sampled_from(
    [
        *ranks_in("captain colonel lord earl sir doctor king duke", "en"),
        *ranks_in("丞相将军都督上尉公爵", "zh"),
    ]
)


@given(RANKS, RANKS)
def test_what_goes_together_does_so_both_ways_and_along_one_ladder(one: str, other: str) -> None:
    assert are_alike(one, other) == are_alike(other, one)
    assert are_alike(one, one)
    assert plain_rank(one) == one
    assert one == other or not are_alike(one, other) or ladder_of(one) == ladder_of(other)


def test_every_ladder_has_a_word_in_both_languages() -> None:
    assert {called(ladder, language) for ladder in LADDERS for language in ("en", "zh")} == {
        "rank", "title", "职衔", "头衔",
    }  # fmt: skip
