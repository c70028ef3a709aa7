"""Who took part in what: the same followed as built anew, and the same as counted by hand."""

from __future__ import annotations

import random
from collections import defaultdict
from typing import Any
from uuid import uuid4

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from effort import examples
from fabula.call import Call
from fabula.index.cache import StoryIndexes
from fabula.index.chronicle import HALVING_CHAPTERS, MOST_EVENTS, Chronicle, SharedEvents
from fabula.index.roster import Roster
from fabula.memory import Memory
from fabula.model.level import AiContextLevel
from fabula.operations.stories import delete_story
from fabula.story_memory import StoryMemory

OPEN = AiContextLevel.WHEN_DETECTED


def chapter(number: int, scene: int = 0) -> int:
    return (number << 20) | scene


def by_hand(events: list[Any], slot: int, now: int) -> list[tuple[int, int, int, float]]:
    """(slot, count, last, weight) of everybody who shares an event, counted one by one."""
    found: dict[int, list[float]] = defaultdict(lambda: [0, -1, 0.0])
    for instant, significance, cast in events:
        if slot not in cast or instant > now:
            continue
        age = max(0, (now >> 20) - max(0, instant >> 20))
        for peer in cast - {slot}:
            found[peer][0] += 1
            found[peer][1] = max(found[peer][1], instant)
            found[peer][2] += significance / (1 + age / HALVING_CHAPTERS)
    return sorted((peer, int(count), int(last), weight) for peer, (count, last, weight) in found.items())


instants = st.just(-1) | st.builds(chapter, st.integers(0, 20), st.integers(0, 2))
scenes = st.lists(
    st.tuples(instants, st.sampled_from([0.0, 0.25, 1.0]), st.frozensets(st.integers(0, 5), max_size=5)),
    max_size=20,
)


@given(scenes, st.integers(0, 5), st.integers(0, 20).map(chapter))
def test_companions_are_those_of_shared_events(events: list[Any], slot: int, now: int) -> None:
    chronicle = chronicle_of(events)
    found = chronicle.companions(slot, now, 100)
    rows = sorted((one.slot, one.count, one.last_instant, one.weight) for one in found)
    expected = by_hand(events, slot, now)
    assert [row[:3] for row in rows] == [row[:3] for row in expected]
    assert [row[3] for row in rows] == pytest.approx([row[3] for row in expected])
    assert [round(one.weight, 9) for one in found] == sorted((round(r[3], 9) for r in rows), reverse=True)
    assert chronicle.companions(slot, now, 2) == found[:2]
    own = [6 + n for n, (instant, _, cast) in enumerate(events) if slot in cast and instant <= now]
    assert sorted(chronicle.events_of(slot, now)) == own


def chronicle_of(events: list[Any], people: int = 6) -> Chronicle:
    roster = Roster()
    for number in range(people):
        roster.put(f"p{number}", OPEN, 0.5)
    chronicle = Chronicle(roster)
    rows = []
    for number, (instant, significance, cast) in enumerate(events):
        event = roster.put(f"e{number:05}", OPEN, significance, instant)
        rows += [(f"r{number}.{slot}", event, slot, False) for slot in sorted(cast)]
    chronicle.put_all(rows)
    return chronicle


def test_two_roles_in_one_event_are_one_event_and_a_place_is_no_companion() -> None:
    chronicle = chronicle_of([(chapter(1), 1.0, {0, 1})])
    chronicle.put("again", 6, 1, is_place=False)
    chronicle.put("there", 6, 2, is_place=True)
    assert chronicle.companions(0, None, 9) == [SharedEvents(1, 1, chapter(1), 1.0)]
    assert (chronicle.participants(6), chronicle.places(6)) == ([0, 1], [2])
    assert [one.slot for one in chronicle.companions(2, None, 9)] == [0, 1]
    chronicle.drop("r0.1")
    assert chronicle.events_of(1, None) == [6]
    chronicle.drop("again")
    assert (chronicle.events_of(1, None), chronicle.participants(6)) == ([], [0])


def test_what_must_not_be_told_links_nobody() -> None:
    chronicle = chronicle_of([(0, 1.0, {0, 1}), (0, 1.0, {0, 2}), (0, 1.0, {0, 1, 3})])
    allowed = np.array([slot not in (3, 6) for slot in range(10)])
    found = chronicle.companions(0, None, 9, allowed=allowed)
    assert [(one.slot, one.count) for one in found] == [(1, 1), (2, 1)]


@pytest.mark.scenario("ENGRAM-STAGE-2-EVENTS")
def test_of_somebody_who_is_everywhere_the_weightiest_events_count() -> None:
    rng = random.Random(7)
    events = [(chapter(n // 4, n % 4), rng.random(), {0, 1 + n % 5}) for n in range(3 * MOST_EVENTS)]
    chronicle = chronicle_of(events)
    last = chapter(len(events) // 4)
    every = chronicle.events_of(0, last, limit=None)
    assert len(every) == len(events)
    assert chronicle.events_of(0, last) == every[:MOST_EVENTS]
    assert sum(one.count for one in chronicle.companions(0, last, 9)) == MOST_EVENTS


# Following

writes = st.lists(
    st.tuples(st.sampled_from("eeeuUdDnmrz"), st.integers(0, 9), st.integers(0, 9)), min_size=5, max_size=18
)


def act(story: StoryMemory, deed: str, one: int, other: int) -> None:
    """One write; what is refused is refused."""
    from fabula.errors import FabulaError

    people = [item for item in story.entity.list().items if item.type != "event"]
    events = story.event.list().items
    cast = [{"name": f"人{n % 6}"} for n in (one, other, one + other)]
    fields = {"roles": cast, "locations": [f"人{other % 6}"], "level": one % 2, "significance": other / 10}
    try:
        if deed == "e":
            story.event.create(event=f"事{one}", moment={"chapter": other, "scene": one}, **fields)
        elif deed == "u":
            story.event.update(id=events[one % len(events)].id, patch={**fields, "timeAnchor": str(other)})
        elif deed == "U":
            story.event.update(id=events[one % len(events)].id, patch={"moment": {"chapter": other}})
        elif deed == "d":
            story.entity.delete(id=people[one % len(people)].id)
        elif deed == "D":
            story.event.delete(id=events[one % len(events)].id)
        elif deed == "n":
            story.entity.create(type="character", name=f"人{one % 6}")
        elif deed == "m":
            story.entity.merge(target_entity_id=people[one].id, source_entity_ids=[people[other].id])
        elif deed == "r":
            chosen = people[one % len(people)]
            patch = {"name": f"人{other % 6}", "aliases": [f"人{one % 6}"]}
            story.entity.update(id=chosen.id, expected_version=chosen.version, patch=patch)
        else:
            story.history.undo()
    except (FabulaError, IndexError, ZeroDivisionError):
        return


def asked(call: Call, project_id: str) -> Any:
    """What the chronicle and the texts of the index say, with ids in the place of slots."""
    with call.store.read() as reader, call.indexes.lease(reader, project_id) as index:
        chronicle, ids = index.chronicle(reader), index.roster.ids
        words = index.words(reader)
        answers: dict[str, Any] = {}
        for key, slot in index.roster.slot_of.items():
            for instant in (None, chapter(4)):
                shared = chronicle.companions(slot, instant, 9)
                answers[f"with {key} {instant}"] = [(ids[s], *rest) for s, *rest in shared]
                answers[f"of {key} {instant}"] = [ids[s] for s in chronicle.events_of(slot, instant)]
            answers[f"cast {key}"] = {ids[s] for s in chronicle.participants(slot)}
            answers[f"at {key}"] = {ids[s] for s in chronicle.places(slot)}
            answers[f"level {key}"] = chronicle.level_of(slot)
            answers[f"text {key}"] = (words.text_of(slot), index.entities(reader, [slot])[0].prompt_text)
        return len(chronicle), answers


@settings(max_examples=examples(20), suppress_health_check=list(HealthCheck))
@given(writes, st.integers(1, 4))
def test_a_chronicle_that_followed_is_one_built_anew(memory: Memory, deeds: list[Any], every: int) -> None:
    story = StoryMemory(memory, str(uuid4()))
    story.batch.upsert(entities=[{"type": "character", "name": f"人{n}"} for n in range(4)])
    following = memory.call()
    asked(following, story.id)
    for number, deed in enumerate(deeds):
        act(story, *deed)
        if number % every == 0:
            asked(following, story.id)
    fresh = Call(
        **{
            **{name: getattr(following, name) for name in following.__slots__},
            "indexes": StoryIndexes(1_000_000_000),
        }
    )
    assert asked(following, story.id) == asked(fresh, story.id)
    delete_story(memory.call(), project_id=story.id)
