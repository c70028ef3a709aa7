"""Kinship that differs from what is established, and kinship that cannot be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations

from fabula.consistency.ages import compared_ages
from fabula.consistency.established import Said
from fabula.consistency.readers.kin import BACK, WIDER
from fabula.consistency.reading import Assertion
from fabula.consistency.rule import CheckedText, ConsistencyRule, Discrepancy, FindingMessage, StoryFacts
from fabula.consistency.rules.shown import change_text, entity_of, waive
from fabula.consistency.ties import SPOUSES, Tie, circles, clash, ties_of
from fabula.context.edition_cache import states_of
from fabula.model.check import EstablishedThere
from fabula.model.status import status_in

_MESSAGE: FindingMessage = {
    "zh": "这里说“{other}”是“{name}”的“{term}”，此前是“{known}”。",
    "en": "Here “{other}” is the {term} of “{name}”; before, it was {known}.",
}

_OLDER: FindingMessage = {
    "zh": "孩子比父母年长：{here}。",
    "en": "A child is older than its parent: {here}.",
}
_SIBLINGS: FindingMessage = {
    "zh": "兄弟姐妹的父母完全不同：{here}；{there}。",
    "en": "Siblings with different parents: {here}; {there}.",
}
_SPOUSES: FindingMessage = {
    "zh": "“{name}”同时与两人成婚：{here}；{there}。",
    "en": "Somebody is married to two at the same time: {here}; {there}.",
}
_CIRCLE: FindingMessage = {
    "zh": "长辈与晚辈成了循环：{here}；{there}。",
    "en": "Parents in a circle: {here}; {there}.",
}


def _find(text: CheckedText) -> Iterator[Discrepancy]:
    for one in text.reading.assertions:
        if one.topic != "kin":
            continue
        owner, other = entity_of(text, one.who), entity_of(text, one.other)
        if owner is None or other is None:
            continue
        known = _established(text, one)
        if known is None:
            continue
        said, meant = known
        word = said.scene.text[said.assertion.start : said.assertion.end]
        is_same_way = said.assertion.who == one.who
        yield text.discrepancy(
            _MESSAGE,
            one.start,
            one.end,
            owner,
            there=said.there,
            confidence=0.9,
            facts=(f"entity:{owner.id}", f"entity:{other.id}"),
            fixes=((change_text(text, word),) if is_same_way else ()) + (waive(text),),
            words={"other": other.name, "known": meant},
        )


def _established(text: CheckedText, one: Assertion) -> tuple[Said, str] | None:
    """What was said first of these two, if it does not fit what is said now."""
    now = text.view.instant
    same = [
        said for said in text.established.before(one.who, "kin", now) if said.assertion.other == one.other
    ]
    back = [
        said for said in text.established.before(one.other, "kin", now) if said.assertion.other == one.who
    ]
    if any(said.assertion.value == one.value or _are_wider(said, one) for said in same):
        return None
    if any(one.value in BACK.get(said.assertion.value, ()) or _are_wider(said, one) for said in back):
        return None
    if same:
        return same[0], same[0].assertion.value
    if back and back[0].assertion.value in WIDER:
        return back[0], back[0].assertion.value
    if back and back[0].assertion.value in BACK:
        fitting = sorted(BACK[back[0].assertion.value])
        return back[0], "/".join(fitting)
    return None


def _are_wider(said: Said, one: Assertion) -> bool:
    """Whether one of two words is said of both ends of a tie and covers the other: spouse and wife."""
    known = said.assertion.value
    return (
        (known in WIDER and known == one.value)
        or one.value in WIDER.get(known, ())
        or known in WIDER.get(one.value, ())
    )


def _impossible(facts: StoryFacts) -> Iterator[Discrepancy]:
    """Parents in a circle, a child older than a parent, siblings of different parents, a spouse of two."""
    above: dict[str, dict[str, Tie]] = {}
    siblings: list[Tie] = []
    spouses: dict[str, list[Tie]] = {}
    for tie in ties_of(facts):
        if tie.type == "parent":
            above.setdefault(tie.target, {})[tie.source] = tie
        elif tie.type == "sibling":
            siblings.append(tie)
        elif tie.type in SPOUSES:
            for end in {tie.source, tie.target}:
                spouses.setdefault(end, []).append(tie)
    yield from circles(facts, _CIRCLE, above)
    yield from _too_old(facts, above)
    for tie in siblings:
        parents, others = above.get(tie.source, {}), above.get(tie.target, {})
        if len(parents) > 1 and len(others) > 1 and parents.keys().isdisjoint(others):
            yield clash(facts, _SIBLINGS, tie, next(iter(others.values())))
    yield from _married_twice(facts, spouses)


def _married_twice(facts: StoryFacts, spouses: Mapping[str, list[Tie]]) -> Iterator[Discrepancy]:
    for who, own in spouses.items():
        for one, other in combinations(own, 2):
            others = {one.source, one.target, other.source, other.target} - {who}
            if len(others) == 2 and one.overlaps(other) and not any(_has_died(facts, end) for end in others):
                yield replace(clash(facts, _SPOUSES, one, other), confidence=0.6, severity="warning")


def _too_old(facts: StoryFacts, above: Mapping[str, Mapping[str, Tie]]) -> Iterator[Discrepancy]:
    for child, parents in above.items():
        for parent, tie in parents.items():
            known = compared_ages(facts, parent, child)
            if known is None or known.older != child:
                continue
            found = clash(facts, _OLDER, tie, tie)
            yield replace(
                found,
                there=EstablishedThere(kind="entity", id=child, quotation=known.said),
                facts=(f"relation:{tie.id}", f"entity:{child}", f"entity:{parent}"),
            )


def _has_died(facts: StoryFacts, entity_id: str) -> bool:
    """Whether anything says that somebody dies: whoever is widowed may marry again."""
    if facts.established.before(entity_id, "died", None):
        return True
    index, reader = facts.view.index, facts.view.reader
    (entity,) = index.entities(reader, [index.roster.slot_of[entity_id]])
    (states,) = states_of(reader, index, [entity_id])
    said = (entity.attributes, *(state.attributes for state in states))
    return entity.until is not None or any(status_in(one) == "deceased" for one in said)


KIN = ConsistencyRule(
    "kin", "error", {"zh": "亲属关系前后不一", "en": "Kinship that differs"}, _find, _impossible
)
