"""Stories that nobody asks about leave memory, the one used longest ago first."""

from __future__ import annotations

import gc
import weakref

from fabula.index.cache import StoryIndexes
from fabula.index.story_index import StoryIndex
from fabula.memory import Memory


def leased(indexes: StoryIndexes, memory: Memory, story: str) -> weakref.ref[StoryIndex]:
    with memory.call().store.read() as reader, indexes.lease(reader, story) as index:
        return weakref.ref(index)


def test_the_story_used_longest_ago_makes_room(memory: Memory) -> None:
    stories = [memory.story(title).id for title in "甲乙丙"]
    for story in stories:
        memory.answer("knowledge:entity:create", {"projectId": story, "type": "item", "name": "灯"})
    indexes = StoryIndexes(2)
    first, second = (leased(indexes, memory, story) for story in stories[:2])
    assert leased(indexes, memory, stories[0])() is first()
    third = leased(indexes, memory, stories[2])
    gc.collect()
    assert (first() is not None, second() is None, third() is not None) == (True, True, True)
    assert indexes.held() == (2, 2)
    assert indexes.lookups.counts() == {"found": 1, "followed": 0, "compiled": 3}
    assert indexes.departures.counts() == {"room": 1}
    assert leased(indexes, memory, stories[1])() is not None
    assert indexes.lookups.counts()["compiled"] == 4


def test_an_index_that_is_behind_is_brought_up_to_date(memory: Memory) -> None:
    story = memory.story("甲").id
    indexes = StoryIndexes(2)
    before = leased(indexes, memory, story)
    memory.answer("knowledge:entity:create", {"projectId": story, "type": "item", "name": "灯"})
    assert leased(indexes, memory, story)() is before()
    assert indexes.lookups.counts() == {"found": 0, "followed": 1, "compiled": 1}
    assert indexes.held() == (1, 1)
