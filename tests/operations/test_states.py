"""States: a change that was made to an older version is refused with the latest one."""

from __future__ import annotations

import pytest

from fabula.errors import Conflict
from fabula.story_memory import StoryMemory


def test_a_change_to_an_older_state_is_refused_with_the_latest_one(story: StoryMemory) -> None:
    someone = story.entity.create(type="character", name="林远")
    state = story.state.create(entity_id=someone.id, description="受伤。")
    story.state.update(id=state.id, expected_version=1, description="昏迷。")
    with pytest.raises(Conflict) as refused:
        story.state.update(id=state.id, expected_version=1, description="痊愈。")
    assert refused.value.details["latestSnapshot"]["description"] == "昏迷。"
    assert refused.value.details["latestVersion"] == 2
    assert [one.description for one in story.state.list(entity_id=someone.id).items] == ["昏迷。"]


def test_without_a_version_the_last_one_wins(story: StoryMemory) -> None:
    someone = story.entity.create(type="character", name="林远")
    state = story.state.create(entity_id=someone.id, description="受伤。")
    story.state.update(id=state.id, description="昏迷。")
    assert story.state.update(id=state.id, description="痊愈。").version == 3
