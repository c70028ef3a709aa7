"""What the story's own ontology rules out: too many relations, wrong ends, values out of range."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations
from typing import Any

import jsonschema_rs

from fabula.canon.ontology import story_ontology
from fabula.consistency.rule import WAIVE, ConsistencyRule, Discrepancy, FindingMessage, StoryFacts
from fabula.consistency.ties import Tie, clash, clashes, ties_of, told
from fabula.formats.draft7 import compiled
from fabula.model.check import EstablishedThere, Fix, WrittenHere
from fabula.model.story_ontology import EdgeType, NodeType, Ontology, type_key

_ONE: FindingMessage = {
    "zh": "按故事的设定，二者不能同时成立：{here}；{there}。",
    "en": "By the story’s own rules only one of these may hold at a time: {here}; {there}.",
}
_BOTH_WAYS: FindingMessage = {
    "zh": "按故事的设定，这种关系不能是相互的：{here}；{there}。",
    "en": "By the story’s own rules this cannot hold both ways: {here}; {there}.",
}
_ENDS: FindingMessage = {
    "zh": "按故事的设定，这种关系不能这样连接：{here}。",
    "en": "By the story’s own rules these cannot be connected like this: {here}.",
}
_RANGE: FindingMessage = {
    "zh": "按故事的设定，这个值不被允许：{here}。",
    "en": "By the story’s own rules this value is not allowed: {here}.",
}


def _find(facts: StoryFacts) -> Iterator[Discrepancy]:
    reader, project_id = facts.view.reader, facts.view.index.project_id
    if reader.ontology(project_id) is None:
        return
    ontology = story_ontology(reader, project_id)
    ties = list(ties_of(facts))
    yield from _cardinality(facts, ontology, ties)
    yield from _between(facts, ontology, ties)
    yield from _wrong_ends(facts, ontology, ties)
    yield from _out_of_range(facts, ontology)


def _cardinality(facts: StoryFacts, ontology: Ontology, ties: list[Tie]) -> Iterator[Discrepancy]:
    ends: dict[tuple[str, str, str], list[Tie]] = {}
    for tie in ties:
        edge = ontology.edge_of_key.get(tie.type)
        if edge is None:
            continue
        if edge.symmetric and edge.cardinality != "N:N":
            for end in (tie.source, tie.target):
                ends.setdefault((tie.type, "either", end), []).append(tie)
            continue
        if edge.cardinality in ("N:1", "1:1"):
            ends.setdefault((tie.type, "source", tie.source), []).append(tie)
        if edge.cardinality in ("1:N", "1:1"):
            ends.setdefault((tie.type, "target", tie.target), []).append(tie)
    yield from clashes(facts, _ONE, ends.values())


def _between(facts: StoryFacts, ontology: Ontology, ties: list[Tie]) -> Iterator[Discrepancy]:
    """Yield relations between the same two that exclude each other, or point both ways and must not."""
    edges = ontology.edge_of_key
    groups: dict[frozenset[str], list[Tie]] = {}
    for tie in ties:
        if tie.type in edges:
            groups.setdefault(frozenset((tie.source, tie.target)), []).append(tie)
    for group in groups.values():
        for one, other in combinations(group, 2):
            if not one.overlaps(other):
                continue
            if one.type == other.type:
                is_back = (one.source, one.target) == (other.target, other.source)
                if edges[one.type].symmetric is False and is_back and one.source != one.target:
                    yield clash(facts, _BOTH_WAYS, one, other)
            elif _excludes(edges[one.type], edges[other.type]):
                yield clash(facts, _ONE, one, other)


def _excludes(one: EdgeType, other: EdgeType) -> bool:
    return other.name in one.excludes or one.name in other.excludes


def _wrong_ends(facts: StoryFacts, ontology: Ontology, ties: list[Tie]) -> Iterator[Discrepancy]:
    roster, view = facts.view.index.roster, facts.view
    for tie in ties:
        edge = ontology.edge_of_key.get(tie.type)
        if edge is None:
            continue
        slots = [roster.slot_of[end] for end in (tie.source, tie.target)]
        ends = zip(view.index.entities(view.reader, slots), (edge.from_types, edge.to_types), strict=True)
        if all(not allowed or entity.type in map(type_key, allowed) for entity, allowed in ends):
            continue
        rule = f"{edge.name}: {_words(edge.from_types)} → {_words(edge.to_types)}"
        yield _against(facts, _ENDS, told(facts, tie), rule, f"relation:{tie.id}", tie.source)


def _words(types: tuple[str, ...]) -> str:
    return " | ".join(types) or "any"


def _out_of_range(facts: StoryFacts, ontology: Ontology) -> Iterator[Discrepancy]:
    index, reader = facts.view.index, facts.view.reader
    slots = [slot for slot, key in enumerate(index.roster.ids) if index.roster.slot_of.get(key) == slot]
    for entity in index.entities(reader, slots):
        node = ontology.node_of_key.get(entity.type)
        for key, rule in () if node is None else _broken(node, entity.attributes):
            words = f"{entity.name}: {key} = {entity.attributes[key]}"
            yield _against(facts, _RANGE, words, rule, f"entity:{entity.id}", entity.id)
    graph = index.graph(reader)
    for tie in ties_of(facts):
        edge = ontology.edge_of_key.get(tie.type)
        if edge is None or edge.properties.keys() <= edge.columns:
            continue
        (relation,) = index.relations(reader, [graph.slot_of[tie.id]])
        for key, rule in _broken(edge, relation.properties):
            words = f"{told(facts, tie)}: {key} = {relation.properties[key]}"
            yield _against(facts, _RANGE, words, rule, f"relation:{tie.id}", tie.source)


def _broken(kind: NodeType | EdgeType, values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The declared properties whose values their schemas do not allow, with what is allowed."""
    for key, schema in kind.properties.items():
        if key in values and key not in kind.columns:
            allowed = json.dumps(schema, ensure_ascii=False, sort_keys=True)
            if not _validator(allowed).is_valid(values[key]):
                yield key, f"{kind.name}.{key}: {allowed}"


@lru_cache(256)
def _validator(schema: str) -> jsonschema_rs.Validator:
    """A validator for a schema in JSON; many entities are checked by the same few."""
    return compiled(json.loads(schema))


def _against(
    facts: StoryFacts, message: FindingMessage, words: str, rule: str, fact: str, entity_id: str
) -> Discrepancy:
    """A fact that the ontology rules out by itself; the rule is the other quotation."""
    index = facts.view.index
    (entity,) = index.entities(facts.view.reader, [index.roster.slot_of[entity_id]])
    return Discrepancy(
        message=message[facts.language].format(here=words),
        name=entity.name,
        entity_id=entity_id,
        here=WrittenHere(quotation=words),
        there=EstablishedThere(kind="ontology", id="", quotation=rule),
        facts=(fact,),
        fixes=(Fix(kind="waive", label=WAIVE[facts.language]),),
    )


STORY_RULES = ConsistencyRule(
    "story-rules", "error", {"zh": "故事自己的规则", "en": "Rules of the story"}, find_in_facts=_find
)
