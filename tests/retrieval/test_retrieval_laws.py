"""Laws of the four stages on random worlds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from fabula.retrieval.reasons import Retrieved
from fabula.retrieval.retriever import GraphRetriever
from fabula.retrieval.rules import DEFAULT
from plain_world import EventFacts, PlainWorld, Somebody

NAMES = ("Anna", "Irina Gray", "Boris Gray", "Clara", "林逸", "沈云", "苏瑶", "青云剑")
EVENTS = ("大火", "the duel", "婚宴")
KINDS = ("enemy", "friend", "师父", "parent", "灵契")
PROSE = st.lists(
    st.sampled_from([*NAMES, "的师父", " hates ", "。", ". ", "是朋友", " forged the sword ", "，"]),
    max_size=8,
)


@st.composite
def worlds(draw: st.DrawFn) -> PlainWorld:
    people = [Somebody(name, "".join(draw(PROSE))) for name in (*NAMES, *EVENTS)]
    ends = st.sampled_from(NAMES)
    relations = draw(st.lists(st.tuples(ends, st.sampled_from(KINDS), ends), max_size=14, unique=True))
    events = {}
    for age, name in enumerate(EVENTS):
        crowd = draw(st.lists(st.integers(0, len(NAMES) - 1), max_size=4, unique=True))
        events[name] = EventFacts(tuple(crowd), 10 - age, age, draw(st.sampled_from([0.2, 0.5, 1.0])))
    return PlainWorld(people, [r for r in relations if r[0] != r[2]], events)


QUERIES = st.one_of(
    st.builds("{}的{}".format, st.sampled_from(NAMES), st.sampled_from(["师父", "死对头", "灵契", "爷爷"])),
    st.builds("{}'s {}".format, st.sampled_from(NAMES), st.sampled_from(["enemy", "father", "friend"])),
    PROSE.map("".join),
)


def retrieve(world: PlainWorld, query: str, forbidden: frozenset[str]) -> Retrieved:
    return GraphRetriever(world).retrieve(
        query, world.all_but(*forbidden) if forbidden else world.everybody()
    )


def told(world: PlainWorld, found: Retrieved) -> object:
    """All that was found, with names for slots."""
    name = world.id_of

    def path(steps: object) -> list[object]:
        return [step._replace(source=name(step.source), target=name(step.target)) for step in steps]  # type: ignore[attr-defined]

    return (
        [anchor._replace(slot=name(anchor.slot)) for anchor in found.anchors],  # type: ignore[arg-type]
        [(name(t.slot), round(t.score, 9), t.parts, t.way, t.places, path(t.path)) for t in found.targets],
        [(name(d.slot), round(d.score, 9), d.loss, path(d.path)) for d in found.dropped],
        [(name(e.slot), round(e.score, 9), e.parts, [name(t) for t in e.through]) for e in found.events],
    )


FORBIDDEN = st.frozensets(st.sampled_from((*NAMES, *EVENTS)), max_size=5)


@settings(max_examples=examples(60), deadline=None)
@given(worlds(), QUERIES, FORBIDDEN)
def test_the_forbidden_have_no_part_in_anything(
    world: PlainWorld, query: str, forbidden: frozenset[str]
) -> None:
    found = retrieve(world, query, forbidden)
    without = _without(world, forbidden)
    assert told(world, found) == told(without, retrieve(without, query, frozenset()))


def _without(world: PlainWorld, forbidden: frozenset[str]) -> PlainWorld:
    """The world in which they do not exist; their names stay as words in the texts of others."""
    people = [person for person in world.people if person.name not in forbidden]
    slots = {person.name: slot for slot, person in enumerate(people)}
    events = {
        name: facts._replace(
            participants=tuple(
                slots[world.people[one].name] for one in facts.participants if world.people[one].name in slots
            )
        )
        for name, facts in world.events.items()
        if name not in forbidden
    }
    relations = [r for r in world.relations if r[0] in slots and r[2] in slots]
    return PlainWorld(people, relations, events)


@settings(max_examples=examples(30), deadline=None)
@given(worlds(), QUERIES, st.randoms(use_true_random=False))
def test_the_order_of_slots_changes_nothing(world: PlainWorld, query: str, random: object) -> None:
    order = list(range(len(world.people)))
    random.shuffle(order)  # type: ignore[attr-defined]
    moved = {old: new for new, old in enumerate(order)}
    shuffled = PlainWorld(
        [world.people[old] for old in order],
        world.relations,
        {
            name: facts._replace(participants=tuple(moved[one] for one in facts.participants))
            for name, facts in world.events.items()
        },
    )
    assert told(world, retrieve(world, query, frozenset())) == told(
        shuffled, retrieve(shuffled, query, frozenset())
    )


@settings(max_examples=examples(30), deadline=None)
@given(worlds(), QUERIES, st.integers(0, 6))
def test_more_room_keeps_what_less_room_had(world: PlainWorld, query: str, room: int) -> None:
    everybody = world.everybody()
    small = GraphRetriever(world, replace(DEFAULT, targets=room)).retrieve(query, everybody)
    large = GraphRetriever(world, replace(DEFAULT, targets=room + 1)).retrieve(query, everybody)
    assert large.targets[:room] == small.targets
    assert large.events == small.events
    assert all(np.diff([target.score for target in large.targets]) <= 0)


@settings(max_examples=examples(30), deadline=None)
@given(worlds(), QUERIES)
def test_everybody_found_has_a_reason(world: PlainWorld, query: str) -> None:
    for target in retrieve(world, query, frozenset()).targets:
        assert 0 <= target.score <= 1
        assert target.way is not None or target.path
        if target.way in ("named", "implied"):
            assert all(
                query[place.start : place.end].casefold() == place.term.casefold() for place in target.places
            )
        for before, after in zip(target.path, target.path[1:], strict=False):
            assert before.target == after.source
        assert not target.path or target.path[-1].target == target.slot
