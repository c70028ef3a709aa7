"""Mapping the nodes of a bundle to entities of the story."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from fabula.canon.step import Step
from fabula.formats.bundle import (
    BundlePlan,
    EdgeDeletion,
    EdgeUpsert,
    NodeDeletion,
    NodeRef,
    NodeUpsert,
)
from fabula.formats.bundle_cardinality import SIDES
from fabula.formats.bundle_ends import LIMITED_BY, NodeAddress, RelationEnd, StoredEdge
from fabula.formats.bundle_fact_plan import BundleFacts
from fabula.model.entity import Entity
from fabula.model.names import name_key
from fabula.model.relation import Relation
from fabula.model.story_ontology import NodeType, Ontology, identity_key, identity_value
from fabula.store.naming import ids_named


class NodePlaces:
    """The ids of a plan's nodes, of existing and of new ones.

    A node is found by its type and name. One whose identity is not its name may have been renamed since;
    then it is found by its id and its attributes.
    """

    def __init__(self, step: Step, plan: BundlePlan, facts: BundleFacts, ontology: Ontology) -> None:
        refs = {ref.address: ref for ref in (*_refs(plan), *(one.node for one in facts.named))}
        project_id = step.project_id
        named = ids_named(step, project_id, {name_key(ref.name) for ref in refs.values()})
        self.known: dict[NodeAddress, str] = {}
        unnamed: dict[str, NodeRef] = {}
        for address, ref in refs.items():
            found = named.get((ref.type_key, name_key(ref.name)))
            if found is None:
                unnamed[ref.id] = ref
            else:
                self.known[address] = found
        taken = step.entities(project_id, unnamed)
        for entity_id, entity in taken.items():
            ref = unnamed[entity_id]
            if identity_in(entity, ontology.node_named[ref.type_name]) == ref.identity_key:
                self.known[ref.address] = entity_id
        self.fresh: dict[NodeAddress, str] = {}
        for upsert in plan.nodes_to_upsert:
            ref = upsert.node
            if ref.address not in self.known:
                # If the derived id is taken by another entity, use a new one.
                self.fresh[ref.address] = step.new_id() if ref.id in taken else ref.id
        held = Counter(self.known.values())
        self.doubled = {address for address, entity_id in self.known.items() if held[entity_id] > 1}
        self._address_of = {entity_id: address for address, entity_id in self.known.items()}

    def exists(self, type_key: str, identity: str) -> bool:
        """Whether the story has the node."""
        return (type_key, identity) in self.known

    def known_id(self, ref: NodeRef) -> str | None:
        """Return the id of an existing node."""
        return self.known.get(ref.address)

    def id_of(self, ref: NodeRef) -> str | None:
        """Return the id of an existing or new node."""
        return self.known.get(ref.address) or self.fresh.get(ref.address)

    def stored_edges(
        self, step: Step, plan: BundlePlan, ontology: Ontology
    ) -> dict[tuple[str, RelationEnd, str], list[StoredEdge]]:
        """Return the story's edges at those ends where the plan may exceed a cardinality."""
        ends: set[str] = set()
        for edge in plan.edges_to_upsert:
            cardinality = ontology.edge_named[edge.type_name].cardinality
            for side, ref in zip(SIDES, (edge.source, edge.target), strict=True):
                if cardinality in LIMITED_BY[side] and ref.address in self.known:
                    ends.add(self.known[ref.address])
        held: dict[tuple[str, RelationEnd, str], list[StoredEdge]] = {}
        for relation in step.relations_of(step.project_id, ends) if ends else ():
            here = relation.source_entity_id, relation.target_entity_id
            for side, own, other in zip(SIDES, here, reversed(here), strict=True):
                key = relation.relation_type, side, own
                held.setdefault(key, []).append(self._stored(relation, other))
        return held

    def _stored(self, relation: Relation, other: str) -> StoredEdge:
        # An entity that the plan does not name cannot be one of its nodes, so its id suffices as an address.
        address = self._address_of.get(other, ("", other))
        return StoredEdge(address, relation.since, relation.until, relation.valid_from, relation.valid_to)


def identity_in(entity: Entity, node: NodeType) -> str | None:
    """Return the identity in an entity's attributes; None if they lack it or its type uses the name."""
    if entity.type != node.key or "name" in node.columns:
        return None
    return _identity_key(entity.attributes, node)


def _identity_key(attributes: Mapping[str, Any], node: NodeType) -> str | None:
    values = [attributes.get(field) for field in node.identity]
    if any(isinstance(value, bool) or not isinstance(value, str | int) for value in values):
        return None
    return identity_key([identity_value(value) for value in values])


def _refs(plan: BundlePlan) -> Iterator[NodeRef]:
    nodes: tuple[NodeUpsert | NodeDeletion, ...] = (*plan.nodes_to_upsert, *plan.nodes_to_delete)
    edges: tuple[EdgeUpsert | EdgeDeletion, ...] = (*plan.edges_to_upsert, *plan.edges_to_delete)
    for item in nodes:
        yield item.node
    for edge in edges:
        yield edge.source
        yield edge.target
