"""A thing with two holders at the same time, or in the hands of somebody who does not hold it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from fabula.consistency.readers.holdings import USES
from fabula.consistency.reading import THINGS, Assertion
from fabula.consistency.rule import CheckedText, ConsistencyRule, Discrepancy, FindingMessage, StoryFacts
from fabula.consistency.rules.shown import entity_of, waive
from fabula.consistency.ties import Tie, clashes, ties_of
from fabula.model.check import EstablishedThere

_OWNED: FindingMessage = {
    "zh": "同一件东西同时有两个主人：{here}；{there}。",
    "en": "One thing is held by two at the same time: {here}; {there}.",
}
_USED: FindingMessage = {
    "zh": "“{term}”此前在“{holder}”手里，这里却在“{name}”手里，中间没有写明转手。",
    "en": "“{term}” was last held by “{holder}”, but “{name}” has it here, and nothing says how.",
}
_OWNS = "owns"


class _Holder(NamedTuple):
    """Who has a thing, and what says so."""

    id: str
    there: EstablishedThere | None


def _find(text: CheckedText) -> Iterator[Discrepancy]:
    now: dict[str, _Holder] = {}
    for one in text.reading.assertions:
        if one.topic != "holder":
            continue
        known = now.get(one.who) or _known(text, one)
        # What the same text says is one scene: a thing goes from hand to hand in it.
        if known is not None and known.there is not None and known.id != one.value and one.other == USES:
            yield from _told(text, one, known)
        now[one.who] = _Holder(one.value, None)


def _known(text: CheckedText, one: Assertion) -> _Holder | None:
    """Who had a thing last: by the scenes before, else by a relation that holds at the moment."""
    before = text.established.before(one.who, "holder", text.view.instant)
    if before:
        return _Holder(before[-1].assertion.value, before[-1].there)
    view = text.view
    slot = view.index.roster.slot_of.get(one.who)
    graph = view.known_graph
    for peer, link in graph.steps(slot, view.instant) if slot is not None else ():
        if graph.types[link] == _OWNS and graph.targets[link] == slot:
            if not (text.is_for_author or view.may_be_told(peer)):
                return None
            (owner,) = view.index.entities(view.reader, [peer])
            words = f"{owner.name} – {_OWNS} → {text.text[one.start : one.end]}"
            relation = next(key for key, place in graph.slot_of.items() if place == link)
            return _Holder(owner.id, EstablishedThere(kind="relation", id=relation, quotation=words))
    return None


def _told(text: CheckedText, one: Assertion, known: _Holder) -> Iterator[Discrepancy]:
    thing, user, holder = (entity_of(text, key) for key in (one.who, one.value, known.id))
    if thing is None or user is None or holder is None:
        return
    yield text.discrepancy(
        _USED,
        one.start,
        one.end,
        user,
        there=known.there,
        confidence=0.6,
        fixes=(waive(text),),
        facts=(f"entity:{thing.id}", f"entity:{user.id}", f"entity:{holder.id}"),
        words={"holder": holder.name},
    )


def _owners(facts: StoryFacts) -> Iterator[Discrepancy]:
    held: dict[str, list[Tie]] = {}
    for tie in ties_of(facts):
        if tie.type == _OWNS and _is_thing(facts, tie.target):
            held.setdefault(tie.target, []).append(tie)
    yield from clashes(facts, _OWNED, held.values())


def _is_thing(facts: StoryFacts, entity_id: str) -> bool:
    index = facts.view.index
    return index.entities(facts.view.reader, [index.roster.slot_of[entity_id]])[0].type == THINGS


TWO_HOLDERS = ConsistencyRule(
    "two-holders", "info", {"zh": "一物二主", "en": "One thing, two holders"}, _find, _owners
)
