"""The graph as people outside know it: nodes and edges, with upper-case types and properties."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fabula.model.edge_fields import CHAPTER, place_of
from fabula.model.entity import Entity
from fabula.model.event import EVENT, EventRole
from fabula.model.moment import Moment
from fabula.model.relation import Relation
from fabula.model.wire import Value


# How much something matters, 0 to 1: `significance` may be the author's own word for it.
SCORE = "significanceScore"
# The property of a place that names the place around it.
PARENT = "parentLocationId"
_NOTHING: Mapping[str, Any] = {}
# Edges that say where in the telling they stand, beside from when to when they hold.
_SHOWN_WITH_PLACE = frozenset({"located_at"})


class GraphNode(Value):
    """An entity as a node."""

    id: str
    name: str
    type: str
    properties: dict[str, Any]


class GraphEdge(Value):
    """A relation as an edge."""

    id: str
    source_id: str
    target_id: str
    type: str
    properties: dict[str, Any]


def node_of(entity: Entity, kept_elsewhere: Mapping[str, Any] = _NOTHING) -> GraphNode:
    """An entity as a node, with what other rows say of it; what its attributes say counts more."""
    return GraphNode.trusted(
        id=entity.id,
        name=entity.name,
        type=entity.type.capitalize(),
        properties={
            **_beginning(entity),
            **kept_elsewhere,
            **entity.attributes,
            "aliases": list(entity.aliases),
            "description": entity.description,
            "aiContextLevel": entity.ai_context_level.value,
            "significance": entity.attributes.get("significance", entity.significance),
            SCORE: entity.significance,
            "version": entity.version,
            "layoutX": entity.layout_x,
            "layoutY": entity.layout_y,
        },
    )


def nodes_of(
    entities: Iterable[Entity], kept_elsewhere: Mapping[str, Mapping[str, Any]]
) -> tuple[GraphNode, ...]:
    """Entities as nodes, with what other rows say of each."""
    return tuple(node_of(entity, kept_elsewhere.get(entity.id, _NOTHING)) for entity in entities)


def _beginning(entity: Entity) -> dict[str, int]:
    """Where an event happens or in which chapter anything else is first there; attributes may say otherwise."""
    if entity.type == EVENT:
        return place_of(entity.since)
    return {} if entity.since is None else {"firstAppearance": entity.since.chapter}


def edge_of(relation: Relation) -> GraphEdge:
    """A relation as an edge."""
    period = {
        name: moment.chapter
        for name, moment in (("since", relation.since), ("until", relation.until))
        if moment is not None
    }
    place = place_of(relation.since) if relation.relation_type in _SHOWN_WITH_PLACE else {}
    return GraphEdge.trusted(
        id=relation.id,
        source_id=relation.source_entity_id,
        target_id=relation.target_entity_id,
        type=relation.relation_type.upper(),
        properties={
            **place,
            **relation.properties,
            "description": relation.description,
            "version": relation.version,
            **period,
        },
    )


def edges_of(relations: Sequence[Relation], roles: Iterable[EventRole]) -> tuple[GraphEdge, ...]:
    """Relations as edges, and with them who takes part in which event and where it is.

    What a relation says already is not drawn twice.
    """
    return drawn_once(map(edge_of, relations), map(edge_of_role, roles))


def drawn_once(edges: Iterable[GraphEdge], of_roles: Iterable[GraphEdge]) -> tuple[GraphEdge, ...]:
    """All edges, and those of the roles that say what no edge before them says."""
    kept = list(edges)
    drawn = {(edge.source_id, edge.target_id, edge.type) for edge in kept}
    for edge in of_roles:
        ends = (edge.source_id, edge.target_id, edge.type)
        if ends not in drawn:
            drawn.add(ends)
            kept.append(edge)
    return tuple(kept)


def edge_of_role(role: EventRole) -> GraphEdge:
    """Who takes part in an event, or where it is, as an edge; only of roles that somebody plays."""
    player = role.entity_id or ""
    is_place = role.kind == "place"
    return GraphEdge.trusted(
        id=role.id,
        source_id=role.event_id if is_place else player,
        target_id=player if is_place else role.event_id,
        type="OCCURS_AT" if is_place else "PARTICIPATES_IN",
        properties={"role": role.role} if role.role else {},
    )


def chapter_of_relation(relation: Relation) -> int | None:
    """The chapter in which a relation stands: the one it names itself, else the one it begins in."""
    return _named_chapter(relation.properties, relation.since)


def chapter_of_event(event: Entity) -> int | None:
    """The chapter in which an event happens: the one it names itself, else the one it begins in."""
    return _named_chapter(event.attributes, event.since)


def _named_chapter(properties: dict[str, Any], since: Moment | None) -> int | None:
    own = properties.get(CHAPTER)
    return own if type(own) is int else None if since is None else since.chapter
