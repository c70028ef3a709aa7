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
