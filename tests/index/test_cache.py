"""Stories that nobody asks about leave memory, the one used longest ago first."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Sequence

import pytest

from fabula.index.cache import StoryIndexes
from fabula.index.story_index import StoryIndex
from fabula.memory import Memory

PLENTY = 1_000_000_000


def leased(indexes: StoryIndexes, memory: Memory, story: str) -> weakref.ref[StoryIndex]:
    with memory.call().store.read() as reader, indexes.lease(reader, story) as index:
        return weakref.ref(index)


def stories_with(memory: Memory, sizes: Sequence[int]) -> list[str]:
    """Stories with so many entities."""
    stories = []
    for number, size in enumerate(sizes):
        story = memory.story(f"第{number}部").id
        entities = [{"type": "item", "name": f"灯{one}"} for one in range(size)]
        memory.answer("knowledge:batch:upsert", {"projectId": story, "entities": entities})
        stories.append(story)
    return stories


def weight_of(memory: Memory, story: str) -> int:
    """What a story weighs when it was only looked at."""
    indexes = StoryIndexes(PLENTY)
    leased(indexes, memory, story)
    return indexes.held().bytes


@pytest.mark.long
def test_the_story_used_longest_ago_makes_room(memory: Memory) -> None:
    stories = stories_with(memory, [1, 1, 1])
    indexes = StoryIndexes(2 * weight_of(memory, stories[0]))
    first, second = (leased(indexes, memory, story) for story in stories[:2])
    assert leased(indexes, memory, stories[0])() is first()
    third = leased(indexes, memory, stories[2])
    gc.collect()
    assert (first() is not None, second() is None, third() is not None) == (True, True, True)
    assert indexes.held()[:2] == (2, 2)
    assert indexes.lookups.counts() == {"found": 1, "followed": 0, "compiled": 3}
    assert indexes.departures.counts() == {"room": 1}
    assert leased(indexes, memory, stories[1])() is not None
    assert indexes.lookups.counts()["compiled"] == 4


def test_a_large_story_takes_the_room_of_several_small_ones(memory: Memory) -> None:
    *small, large = stories_with(memory, [1, 1, 1, 2_000])
    indexes = StoryIndexes(weight_of(memory, large) + weight_of(memory, small[0]))
    for story in (*small, large):
        leased(indexes, memory, story)
    assert indexes.held().stories == 2
    assert indexes.held().bytes <= weight_of(memory, large) + weight_of(memory, small[0])
    assert indexes.departures.counts() == {"room": 2}


def test_what_is_built_later_weighs_too(memory: Memory) -> None:
    story, other = stories_with(memory, [500, 1])
    indexes = StoryIndexes(weight_of(memory, story) + weight_of(memory, other))
    leased(indexes, memory, other)
    leased(indexes, memory, story)
    assert indexes.held().stories == 2
    with memory.call().store.read() as reader, indexes.lease(reader, story) as index:
        index.build_for_questions(reader)
        index.entities(reader, range(500))
    assert indexes.held().stories == 1


def test_a_story_larger_than_all_the_room_stays_while_it_is_the_last(memory: Memory) -> None:
    story, other = stories_with(memory, [5, 5])
    indexes = StoryIndexes(0)
    first = leased(indexes, memory, story)
    assert leased(indexes, memory, story)() is first()
    leased(indexes, memory, other)
    assert indexes.held().stories == 1


def test_a_story_in_use_is_not_let_go(memory: Memory) -> None:
    story, other = stories_with(memory, [5, 5])
    indexes = StoryIndexes(0)
    with memory.call().store.read() as reader, indexes.lease(reader, story) as index:
        leased(indexes, memory, other)
        assert indexes.held().stories == 2
    assert leased(indexes, memory, story)() is index


def test_a_story_that_is_gone_leaves_nothing_behind(memory: Memory) -> None:
    indexes = StoryIndexes(PLENTY)
    story = stories_with(memory, [1])[0]
    leased(indexes, memory, story)
    indexes.forget(story)
    assert indexes.held() == (0, 0, 0)
    assert not indexes._places


def test_many_who_ask_at_once_leave_the_weight_right(memory: Memory) -> None:
    stories = stories_with(memory, [3, 30, 300])
    indexes = StoryIndexes(weight_of(memory, stories[2]))

    def ask(turn: int) -> None:
        for number in range(40):
            leased(indexes, memory, stories[(turn + number) % 3])

    threads = [threading.Thread(target=ask, args=(turn,)) for turn in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    leased(indexes, memory, stories[0])
    held = indexes.held()
    assert held.bytes == sum(place.weight for place in indexes._places.values())
    assert held.bytes <= weight_of(memory, stories[2])


def test_an_index_that_is_behind_is_brought_up_to_date(memory: Memory) -> None:
    story = memory.story("甲").id
    indexes = StoryIndexes(PLENTY)
    before = leased(indexes, memory, story)
    memory.answer("knowledge:entity:create", {"projectId": story, "type": "item", "name": "灯"})
    assert leased(indexes, memory, story)() is before()
    assert indexes.lookups.counts() == {"found": 0, "followed": 1, "compiled": 1}
    assert indexes.held()[:2] == (1, 1)
