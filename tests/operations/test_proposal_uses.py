"""How often waiting names stand in the manuscript."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from fabula.memory import Memory
from fabula.story_memory import StoryMemory


def propose(story: StoryMemory, *names: str) -> dict[str, str]:
    """The ids of proposals for these names."""
    given = [{"entity_name": name, "entity_type": "character", "confidence": 0.7} for name in names]
    return {one.entity_name: one.id for one in story.propose(*given).extractions}


def test_the_most_used_name_comes_first_with_its_first_and_last_scene(story: StoryMemory) -> None:
    story.scene(0, 0, "林远走了。苏晚没有走。")
    story.scene(2, 1, "苏晚说：“林远？”苏晚又说：“走吧。”")
    ids = propose(story, "林远", "苏晚", "老陈")
    items = story.extraction.uses().items
    told = [(one.id, one.times, (one.first_chapter, one.last_chapter, one.last_scene)) for one in items]
    assert told == [(ids["苏晚"], 3, (0, 2, 1)), (ids["林远"], 2, (0, 2, 1))]


def test_aliases_count_for_their_owner_and_decided_proposals_are_gone(story: StoryMemory) -> None:
    story.scene(0, 0, "Mara met Egret. The Child said nothing.")
    found = story.propose(
        {"entity_name": "Egret", "entity_type": "character", "aliases": ["The Child"], "confidence": 0.7},
        {"entity_name": "Mara", "entity_type": "character", "confidence": 0.7},
    ).extractions
    egret, mara = sorted(found, key=lambda one: one.entity_name)
    assert {one.id: one.times for one in story.extraction.uses().items} == {egret.id: 2, mara.id: 1}
    story.review(mara.id, "rejected")
    assert [one.id for one in story.extraction.uses().items] == [egret.id]


@pytest.mark.long
@settings(max_examples=examples(20))
@given(st.lists(st.sampled_from(["阿甲", "阿乙", "阿丙"]), max_size=12))
def test_every_use_is_counted_once(names: list[str]) -> None:
    with TemporaryDirectory() as folder, Memory(Path(folder) / "fabula.db") as memory:
        story = memory.story("雾")
        story.scene(0, 0, "，".join(names) + "。")
        ids = propose(story, "阿甲", "阿乙", "阿丙")
        counted = {one.id: one.times for one in story.extraction.uses().items}
        assert counted == {ids[name]: names.count(name) for name in set(names)}
