"""Words of a sentence that an audience may not read lead it to no passage, and raise none."""

from __future__ import annotations

from typing import Any

import pytest

from fabula.memory import Memory
from fabula.story_memory import StoryMemory

# The first scene has the words asked for in a sentence that names something private.
HIDING = (
    "The Brass Key unlocks the vault beneath the chapel of salt. "
    "Jiang Li mended nets all morning. Gulls cried above the pier."
)
PLAIN = "Jiang Li mended nets all morning. Gulls cried above the pier."
OTHER = "Somebody sat in the chapel. Jiang Li watched the rain."
QUESTION = "vault beneath the chapel of salt"


def _story(memory: Memory, first: str, **key: Any) -> StoryMemory:
    story = memory.story(f"Hidden words {first} {key}", language="en")
    story.entity.create(type="character", name="Jiang Li")
    story.entity.create(type="item", name="Brass Key", **key)
    story.scene(0, 0, first)
    story.scene(1, 0, OTHER)
    return story


def _found(story: StoryMemory, **who: Any) -> list[str]:
    hits = story.search(QUESTION, kinds=("passage",), as_of={"chapter": 5}, **who).items
    return [one.title for one in hits]


def _retrieved(story: StoryMemory, **who: Any) -> list[tuple[int, int]]:
    found = story.query.retrieve(query=QUESTION, as_of={"chapter": 5, "scene": 0}, **who).passages
    return [(one.chapter, one.scene) for one in found]


@pytest.mark.parametrize(
    ("key", "who"),
    [
        ({"secrecy": "private"}, {"pov": "Jiang Li"}),
        ({"ai_context_level": "never"}, {"audience": "model"}),
    ],
)
def test_a_search_goes_by_what_may_be_read(memory: Memory, key: dict[str, Any], who: dict[str, Any]) -> None:
    assert _found(_story(memory, HIDING)) == ["0.0", "1.0"]
    assert _found(_story(memory, HIDING, **key), **who) == _found(_story(memory, PLAIN), **who) == ["1.0"]


def test_retrieval_goes_by_what_may_be_read(memory: Memory) -> None:
    hiding, plain = _story(memory, HIDING, secrecy="private"), _story(memory, PLAIN)
    assert _retrieved(hiding, pov="Jiang Li") == _retrieved(plain, pov="Jiang Li") == [(1, 0)]


def test_a_context_goes_by_what_may_be_read(memory: Memory) -> None:
    def quoted(story: StoryMemory) -> list[str]:
        told = story.context(text=QUESTION, chapter=5, scene=0, pov="Jiang Li", token_budget=4000)
        return [one.content for one in told.messages if one.role != "user"]

    hiding, plain = _story(memory, HIDING, secrecy="private"), _story(memory, PLAIN)
    assert quoted(hiding) == quoted(plain)


# The word "chapel" stands in one sentence that may be read, and in many that may not.
MANY_HIDING = [f"The Brass Key hung in the chapel on night {number}. Jiang Li slept." for number in range(6)]
READABLE = ["Somebody sat in the chapel.", "Jiang Li watched the rain for an hour.", "The rain fell on nets."]
RARE = "rain on the chapel"


def _weighed(memory: Memory, hiding: bool, **key: Any) -> StoryMemory:
    story = memory.story(f"Rarity {hiding} {key}", language="en")
    story.entity.create(type="character", name="Jiang Li")
    story.entity.create(type="item", name="Brass Key", **key)
    for number, text in enumerate([*MANY_HIDING, *READABLE]):
        told = text if hiding or "Brass Key" not in text else text.partition(". ")[2]
        story.scene(number, 0, told)
    return story


WHO_MAY_NOT_READ_IT = [
    ({"secrecy": "private"}, {"pov": "Jiang Li"}),
    ({"ai_context_level": "never"}, {"audience": "model"}),
]


@pytest.mark.parametrize(("key", "who"), WHO_MAY_NOT_READ_IT)
def test_what_is_withheld_makes_no_word_less_rare(
    memory: Memory, key: dict[str, Any], who: dict[str, Any]
) -> None:
    def scores(hiding: bool) -> list[tuple[str, float]]:
        hits = _weighed(memory, hiding, **key).search(RARE, kinds=("passage",), **who).items
        return [(one.title, one.score) for one in hits]

    found = scores(hiding=True)
    assert found == scores(hiding=False)
    assert len(found) == len(READABLE)


def test_retrieved_passages_weigh_the_same_without_what_is_withheld(memory: Memory) -> None:
    def scores(hiding: bool) -> list[tuple[int, float]]:
        story = _weighed(memory, hiding, secrecy="private")
        asked = {"query": RARE, "as_of": {"chapter": 20, "scene": 0}, "pov": "Jiang Li"}
        return [(one.chapter, one.score) for one in story.query.retrieve(**asked).passages]

    assert scores(hiding=True) == scores(hiding=False) != []


def test_the_trace_of_a_context_weighs_the_same_without_what_is_withheld(memory: Memory) -> None:
    def traced(hiding: bool) -> list[Any]:
        story = _weighed(memory, hiding, secrecy="private")
        told = story.context(text=RARE, chapter=20, scene=0, pov="Jiang Li")
        return [(one.score, one.threshold) for one in told.trace if one.kind == "passage"]

    assert traced(hiding=True) == traced(hiding=False) != []


def test_what_joins_two_before_their_reveal_makes_no_word_less_rare(memory: Memory) -> None:
    def scores(hiding: bool) -> list[tuple[str, float]]:
        story = memory.story(f"Joined {hiding}", language="en")
        ids = [story.entity.create(type="character", name=name).id for name in ("Mr Salt", "Granny Tao")]
        story.entity.create(type="character", name="Jiang Li")
        story.reveal.create(entity_ids=ids, at={"chapter": 30})
        joining = "Mr Salt prayed in the chapel as Granny Tao. " if hiding else ""
        for number, text in enumerate(["The nets were dry.", "Jiang Li slept.", *READABLE]):
            story.scene(number, 0, f"{joining if number < 2 else ''}{text}")
        asked = {"kinds": ("passage",), "as_of": {"chapter": 20}, "pov": "Jiang Li"}
        return [(one.title, one.score) for one in story.search(RARE, **asked).items]

    assert scores(hiding=True) == scores(hiding=False) != []
