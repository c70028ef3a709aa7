from __future__ import annotations

import pytest

from fabula.retrieval.reasons import ScoreParts, Target
from fabula.retrieval.recall import recall
from plain_world import EventFacts, PlainWorld, Somebody


def world_of(**events: EventFacts) -> PlainWorld:
    people = [Somebody("Alice"), Somebody("Carol"), *(Somebody(name) for name in events)]
    return PlainWorld(people, events=events)


def targets(*scores: float) -> list[Target]:
    return [Target(slot, score, ScoreParts(), "named") for slot, score in enumerate(scores)]


def recalled(world: PlainWorld, query: str = "", *scores: float) -> list[str]:
    return world.names(recall(world, query, targets(*(scores or (0.9, 0.8))), world.everybody()))


@pytest.mark.scenario("ENGRAM-STAGE-4-ORDER")
def test_a_turning_point_long_ago_and_a_trifle_of_today_both_come_before_an_old_trifle() -> None:
    world = world_of(
        trifle=EventFacts((0,), 10, 200, 0.2),
        keystone=EventFacts((0,), 11, 190, 1.0),
        today=EventFacts((0,), 400, 0, 0.2),
    )
    assert recalled(world) == ["keystone", "today", "trifle"]


def test_equally_significant_events_come_latest_first() -> None:
    world = world_of(**{f"e{age:02}": EventFacts((0,), 100 - age, age, 0.5) for age in (30, 2, 90)})
    assert recalled(world) == ["e02", "e30", "e90"]


def test_an_event_that_joins_two_targets_comes_before_one_of_either() -> None:
    world = world_of(alone=EventFacts((0,), 9, 5, 0.5), duel=EventFacts((0, 1), 9, 5, 0.5))
    found = recall(world, "", targets(0.9, 0.9), world.everybody())
    assert world.names(found) == ["duel", "alone"]
    assert found[0].through == (0, 1)
    assert found[0].parts.joins > found[1].parts.joins == 0


def test_an_event_that_the_query_speaks_of_comes_first() -> None:
    world = world_of(banquet=EventFacts((0,), 9, 5, 0.5), arson=EventFacts((0,), 9, 5, 0.5))
    assert recalled(world, "the banquet")[0] == "banquet"
    assert recalled(world, "the arson")[0] == "arson"


def test_events_of_others_and_forbidden_events_are_not_recalled() -> None:
    world = world_of(hers=EventFacts((0,), 9, 5, 0.5), his=EventFacts((1,), 9, 5, 0.9))
    assert recalled(world, "", 0.9) == ["hers"]
    assert recall(world, "", targets(0.9), world.all_but("hers")) == ()
