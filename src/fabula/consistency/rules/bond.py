"""Two people who are at the same time what excludes itself: ally and enemy, sibling and spouse."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from fabula.consistency.rule import ConsistencyRule, Discrepancy, FindingMessage, StoryFacts
from fabula.consistency.ties import SPOUSES, Tie, clash, ties_of

_MESSAGE: FindingMessage = {
    "zh": "这两种关系不能同时成立：{here}；{there}。",
    "en": "These cannot both hold at the same time: {here}; {there}.",
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
    between: dict[frozenset[str], list[Tie]] = {}
    for tie in ties_of(facts):
        between.setdefault(frozenset((tie.source, tie.target)), []).append(tie)
    for ties in between.values():
        for one, other in combinations(ties, 2):
            if frozenset((one.type, other.type)) in EXCLUSIVE and one.overlaps(other):
                yield clash(facts, _MESSAGE, one, other)


BOND = ConsistencyRule(
    "bond", "warning", {"zh": "互相排斥的关系", "en": "Bonds that exclude each other"}, find_in_facts=_find
)
