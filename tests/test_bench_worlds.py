"""The stories that are measured can be made today, whatever a scene or an entity has become."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench import retrieval_world, scenes
from bench.plan import STORY

from fabula.memory import Memory

SIZE = 60

pytestmark = pytest.mark.long


def test_the_story_that_retrieval_is_measured_on_can_be_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (scenes, retrieval_world):
        monkeypatch.setattr(module, "CACHE", tmp_path)
    made = retrieval_world.told(SIZE)
    with Memory(made.db) as memory:
        (story,) = (memory.story(one.title) for one in memory.stories() if one.id == STORY)
        assert story.entity.list().total_count >= SIZE
        assert story.ask("query.retrieve", query=made.questions["named"][0]).entities
