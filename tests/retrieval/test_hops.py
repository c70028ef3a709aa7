from __future__ import annotations

from dataclasses import replace

import pytest

from fabula.retrieval.hops import expand
from fabula.retrieval.reasons import Anchor, ReachedEntity
from fabula.retrieval.rules import DEFAULT
from plain_world import EventFacts, PlainWorld, Somebody


def reached(world: PlainWorld, start: str, *forbidden: str, **rules: int) -> dict[str, ReachedEntity]:
    anchor = Anchor(world.slot_of[start], 1.0, "named")
    found = expand(world, [anchor], world.all_but(*forbidden), None, replace(DEFAULT, **rules))
    return {world.people[one.slot].name: one for one in found}


def people(*names: str) -> list[Somebody]:
    return [Somebody(name) for name in names]


CHAIN = PlainWorld(
    people("甲", "乙", "丙", "丁"),
    relations=[("甲", "ally", "乙"), ("丙", "enemy", "乙"), ("丙", "ally", "丁")],
)


def test_two_hops_whichever_way_relations_point_and_no_third() -> None:
    found = reached(CHAIN, "甲")
    assert list(found) == ["乙", "丙"]
    assert [(CHAIN.id_of(s.source), s.kind, s.outward, CHAIN.id_of(s.target)) for s in found["丙"].path] == [
        ("甲", "ally", True, "乙"),
        ("乙", "enemy", False, "丙"),
    ]


def test_nothing_leads_through_somebody_forbidden() -> None:
    assert reached(CHAIN, "甲", "乙") == {}


def test_a_name_in_a_text_is_a_link_in_both_directions() -> None:
    world = PlainWorld([Somebody("Anna", "She fears Boris."), Somebody("Boris"), Somebody("Clara")])
    forward, back = reached(world, "Anna")["Boris"], reached(world, "Boris")["Anna"]
    assert (forward.path[0].way, forward.path[0].outward) == ("mention", True)
    assert (back.path[0].way, back.path[0].outward) == ("mention", False)
    assert forward.nearness > back.nearness


@pytest.mark.scenario("ENGRAM-STAGE-2-EVENTS")
def test_whoever_shares_an_event_is_linked() -> None:
    world = PlainWorld(
        people("甲", "乙", "丙", "大火", "小宴"),
        events={"大火": EventFacts((0, 1), 5, 2, 0.9), "小宴": EventFacts((0, 2), 6, 1, 0.1)},
    )
    found = reached(world, "甲")
    assert list(found) == ["乙", "丙"]
    assert found["乙"].path[0].way == "together"
    assert list(reached(world, "甲", "大火")) == ["丙"]


def test_an_event_leads_to_those_who_take_part() -> None:
    world = PlainWorld(people("甲", "乙", "大火"), events={"大火": EventFacts((0, 1), 5, 2, 0.9)})
    found = reached(world, "大火")
    assert set(found) == {"甲", "乙"}
    assert (found["甲"].path[0].kind, found["甲"].path[0].outward) == ("takes_part", False)
    assert list(reached(world, "大火", "甲")) == ["乙"]


def test_several_ways_bring_nearer_than_one() -> None:
    one = PlainWorld(people("a", "b", "c", "d"), relations=[("a", "ally", "b"), ("b", "ally", "d")])
    two = replace(one, relations=[*one.relations, ("a", "ally", "c"), ("c", "ally", "d")])
    assert reached(two, "a")["d"].nearness > reached(one, "a")["d"].nearness


@pytest.mark.long
def test_a_hub_passes_on_to_few_and_less_to_each() -> None:
    crowd = [f"n{number:03}" for number in range(300)]
    world = PlainWorld(
        people("hub", "friend", *crowd),
        relations=[("hub", "ally", name) for name in crowd] + [("friend", "ally", "hub")],
        weights={("hub", "ally", name): 0.5 for name in crowd if name != "n250"},
    )
    found = reached(world, "hub")
    assert len(found) <= DEFAULT.peers
    assert list(found)[:2] == ["friend", "n250"]
    through = reached(world, "friend")
    assert len(through) <= 1 + DEFAULT.peers
    assert max(one.nearness for name, one in through.items() if name != "hub") < 0.5 * through["hub"].nearness


def test_ties_are_settled_by_id_and_not_by_slot() -> None:
    names = ["c", "a", "d", "b"]
    one = PlainWorld(people("x", *names), relations=[("x", "ally", name) for name in names])
    other = PlainWorld(people(*sorted(names), "x"), relations=[("x", "ally", n) for n in sorted(names)])
    assert list(reached(one, "x", peers=2)) == list(reached(other, "x", peers=2)) == ["a", "b"]
