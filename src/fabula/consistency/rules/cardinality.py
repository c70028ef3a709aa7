"""More relations than the story's ontology allows: a thing with two holders, a person in two places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from fabula.canon.ontology import story_ontology
from fabula.consistency.rule import ConsistencyRule, Discrepancy, FindingMessage, StoryFacts
from fabula.consistency.ties import Tie, clash, ties_of

_MESSAGE: FindingMessage = {
    "zh": "按故事的设定，二者不能同时成立：{here}；{there}。",
    "en": "By the story’s own rules only one of these may hold at a time: {here}; {there}.",
}
_HOLDERS: FindingMessage = {
    "zh": "同一件东西同时有两个主人：{here}；{there}。",
    "en": "One thing is held by two at the same time: {here}; {there}.",
}


def _of_the_story(facts: StoryFacts) -> Iterator[Discrepancy]:
    edges = story_ontology(facts.view.reader, facts.view.index.project_id).edge_of_key
    ends: dict[tuple[str, str, str], list[Tie]] = {}
    for tie in ties_of(facts):
        edge = edges.get(tie.type)
        if edge is None:
            continue
        if edge.cardinality in ("N:1", "1:1"):
            ends.setdefault((tie.type, "source", tie.source), []).append(tie)
        if edge.cardinality in ("1:N", "1:1"):
            ends.setdefault((tie.type, "target", tie.target), []).append(tie)
    yield from _clashes(facts, _MESSAGE, ends.values())


def _holders(facts: StoryFacts) -> Iterator[Discrepancy]:
    held: dict[str, list[Tie]] = {}
    for tie in ties_of(facts):
        if tie.type == "owns" and _is_item(facts, tie.target):
            held.setdefault(tie.target, []).append(tie)
    yield from _clashes(facts, _HOLDERS, held.values())


def _clashes(
    facts: StoryFacts, message: FindingMessage, groups: Iterable[list[Tie]]
) -> Iterator[Discrepancy]:
    for ties in groups:
        for one, other in combinations(ties, 2):
            if one.overlaps(other) and (one.source, one.target) != (other.source, other.target):
                yield clash(facts, message, one, other)


def _is_item(facts: StoryFacts, entity_id: str) -> bool:
    index = facts.view.index
    return index.entities(facts.view.reader, [index.roster.slot_of[entity_id]])[0].type == "item"


STORY_RULES = ConsistencyRule(
    "story-rules", "error", {"zh": "故事自己的规则", "en": "Rules of the story"}, find_in_facts=_of_the_story
)
TWO_HOLDERS = ConsistencyRule(
    "two-holders", "info", {"zh": "一物二主", "en": "One thing, two holders"}, find_in_facts=_holders
)
