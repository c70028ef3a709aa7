"""The impact of a new ontology on a story: removed types, and stored data that would become invalid.

Nothing is deleted: violations are reported, and the data stays until somebody changes it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from fabula.formats.bundle_cardinality import SIDES, CardinalityGroups, end_of
from fabula.formats.bundle_check import ItemCheck
from fabula.formats.bundle_items import edge_item, node_item
from fabula.formats.bundle_words import MAX_SHOWN, Problem
from fabula.formats.safe_yaml import PathPart
from fabula.model.entity import Entity
from fabula.model.relation import Relation
from fabula.model.story_ontology import EdgeType, NodeType, Ontology, identity_key

# The type is not defined, the properties violate its schema, the identity is not unique, the ends have types
# that it does not allow, or one of them exceeds the cardinality.
ViolationReason = Literal["type", "schema", "identity", "ends", "cardinality"]


@dataclass(frozen=True, slots=True)
class Violation:
    """A stored entity or relation that violates the new ontology, with the place and the reason."""

    kind: Literal["entity", "relation"]
    id: str
    subject: str
    path: str
    message: str
    reason: ViolationReason


@dataclass(frozen=True, slots=True)
class OntologyChange:
    """The names of removed and added types, and the first violations with their counts."""

    lost_nodes: tuple[str, ...]
    lost_edges: tuple[str, ...]
    new_nodes: tuple[str, ...]
    new_edges: tuple[str, ...]
    violations: tuple[Violation, ...]
    violation_count: int
    violation_counts: dict[ViolationReason, int]


def compare(
    old: Ontology, new: Ontology, entities: Iterable[Entity] = (), relations: Iterable[Relation] = ()
) -> OntologyChange:
    """The impact of replacing the old ontology by the new one on these entities and relations."""
    violations: list[Violation] = []
    counts: Counter[ViolationReason] = Counter()
    for violation in _Story(new, entities).violations(relations):
        counts[violation.reason] += 1
        if len(violations) < MAX_SHOWN:
            violations.append(violation)
    return OntologyChange(
        tuple(node.name for node in old.nodes if node.key not in new.node_of_key),
        tuple(edge.name for edge in old.edges if edge.key not in new.edge_of_key),
        tuple(node.name for node in new.nodes if node.key not in old.node_of_key),
        tuple(edge.name for edge in new.edges if edge.key not in old.edge_of_key),
        tuple(violations),
        counts.total(),
        dict(counts),
    )


class _Story:
    """Checks stored entities and relations against an ontology."""

    def __init__(self, ontology: Ontology, entities: Iterable[Entity]) -> None:
        self.ontology = ontology
        self.entities = {entity.id: entity for entity in entities}
        self.check = ItemCheck(ontology)
        self.taken: dict[tuple[str, str], Entity] = {}

    def violations(self, relations: Iterable[Relation]) -> Iterator[Violation]:
        for entity in self.entities.values():
            for reason, problem in self._of_entity(entity):
                subject = f"{entity.type} '{entity.name}'"
                yield Violation("entity", entity.id, subject, _path(problem.steps), problem.words, reason)
        groups = CardinalityGroups(self.ontology)
        for relation in relations:
            for reason, problem in self._of_relation(relation):
                yield self._of(relation, _path(problem.steps), problem.words, reason)
            groups.join(relation)
        for relation, side in groups.excess():
            end = self.entities[end_of(relation, side)]
            verb = "begins" if side == "source" else "ends"
            words = f"another '{relation.relation_type}' {verb} at '{end.name}', which may have one at a time"
            yield self._of(relation, side, words, "cardinality")

    def _of(self, relation: Relation, path: str, words: str, reason: ViolationReason) -> Violation:
        source, target = (self.entities[end_of(relation, side)].name for side in SIDES)
        subject = f"'{source}' {relation.relation_type} '{target}'"
        return Violation("relation", relation.id, subject, path, words, reason)

    def _of_entity(self, entity: Entity) -> Iterator[tuple[ViolationReason, Problem]]:
        node = self.ontology.node_of_key.get(entity.type)
        if node is None:
            yield "type", Problem(("type",), f"Entity type '{entity.type}' is not defined.")
            return
        item = node_item(entity, node)
        problems = [*_undeclared(item, node, "attributes"), *self.check.problems(item)]
        yield from (("schema", problem) for problem in problems)
        if self.check.is_identified(item, problems):
            address = node.key, identity_key(node.identity_of(item))
            first = self.taken.setdefault(address, entity)
            if first is not entity:
                yield "identity", Problem((), f"the same identity as that of '{first.name}' ({first.id})")

    def _of_relation(self, relation: Relation) -> Iterator[tuple[ViolationReason, Problem]]:
        edge = self.ontology.edge_of_key.get(relation.relation_type)
        if edge is None:
            yield "type", Problem(("type",), f"Relation type '{relation.relation_type}' is not defined.")
            return
        source, target = (self.entities[end_of(relation, side)] for side in SIDES)
        nodes = [self.ontology.node_of_key.get(entity.type) for entity in (source, target)]
        if nodes[0] is None or nodes[1] is None:
            return  # already reported for the entity
        item = edge_item(relation, edge, (source, nodes[0]), (target, nodes[1]))
        for side, node in zip(SIDES, nodes, strict=True):
            item[side] = {"type": node.name if node else "", **item[side]}
        for problem in (*_undeclared(item, edge, "properties"), *self.check.problems(item)):
            yield "ends" if problem.steps[:1] in (("source",), ("target",)) else "schema", problem


def _undeclared(item: dict[str, Any], type_: NodeType | EdgeType, box: str) -> Iterator[Problem]:
    """The undeclared attributes of a type that allows none; they are removed from the item."""
    if box in type_.columns:
        return
    opened: Mapping[str, Any] = item.pop(box, {})
    for name in opened:
        yield Problem((box, name), f"'{name}' is not declared by '{type_.name}'")


def _path(steps: Iterable[PathPart]) -> str:
    path = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)
    return path.removeprefix(".")
