"""Two people who are at the same time what excludes itself: ally and enemy, sibling and spouse."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from fabula.consistency.deaths import fact_of_death
from fabula.consistency.rule import WAIVE, ConsistencyRule, Discrepancy, FindingMessage, StoryFacts
from fabula.consistency.ties import SPOUSES, Tie, clash, ties_of, told
from fabula.context.author_view import AuthorView
from fabula.model.check import Fix, WrittenHere
from fabula.model.moment import instant_of

_MESSAGE: FindingMessage = {
    "zh": "这两种关系不能同时成立：{here}；{there}。",
    "en": "These cannot both hold at the same time: {here}; {there}.",
}
_DEAD: FindingMessage = {
    "zh": "“{name}”此时已死，却在此后成婚：{here}。",
    "en": "“{name}” is dead by then, but marries later: {here}.",
}
# Pairs of relation types that exclude each other, whichever way each of them points.
EXCLUSIVE = frozenset(
    map(
        frozenset,
        [
            ("ally", "enemy"),
            ("parent", "sibling"),
            *((kin, one) for kin in ("parent", "sibling") for one in SPOUSES),
        ],
    )
)


def _find(facts: StoryFacts) -> Iterator[Discrepancy]:
    yield from _excluding(facts)
    for tie in ties_of(facts):
        if tie.type in SPOUSES:
            yield from _married_dead(facts, tie)


def _excluding(facts: StoryFacts) -> Iterator[Discrepancy]:
    between: dict[frozenset[str], list[Tie]] = {}
    for tie in ties_of(facts):
        between.setdefault(frozenset((tie.source, tie.target)), []).append(tie)
    for ties in between.values():
        for one, other in combinations(ties, 2):
            if frozenset((one.type, other.type)) in EXCLUSIVE and one.overlaps(other):
                yield clash(facts, _MESSAGE, one, other)


def _married_dead(facts: StoryFacts, tie: Tie) -> Iterator[Discrepancy]:
    """Yield a marriage that begins after the death of one of the two."""
    index, reader = facts.view.index, facts.view.reader
    view = AuthorView(reader, index, tie.since)
    slots = [index.roster.slot_of[end] for end in (tie.source, tie.target)]
    for entity in index.entities(reader, slots):
        there = fact_of_death(view, entity)
        if there is None or there.chapter is None or instant_of(there.chapter, there.scene or 0) >= tie.since:
            continue
        words = told(facts, tie)
        yield Discrepancy(
            message=_DEAD[facts.language].format(name=entity.name, here=words),
            name=entity.name,
            entity_id=entity.id,
            here=WrittenHere(quotation=words),
            there=there,
            facts=(f"relation:{tie.id}", f"entity:{entity.id}"),
            confidence=0.9,
            fixes=(Fix(kind="waive", label=WAIVE[facts.language]),),
        )


BOND = ConsistencyRule(
    "bond", "warning", {"zh": "互相排斥的关系", "en": "Bonds that exclude each other"}, find_in_facts=_find
)
