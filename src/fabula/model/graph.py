"""The graph as clients see it: nodes and edges with capitalised types and open properties."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from fabula.model.edge_fields import CHAPTER, place_of
from fabula.model.entity import Entity
from fabula.model.event import EVENT
from fabula.model.moment import Moment
from fabula.model.participation import Participation, edge_properties
from fabula.model.relation import Relation
from fabula.model.status import STATUS, status_in
from fabula.model.wire import Value

# The significance from 0 to 1; the author may use the property `significance` for something else.
SCORE = "significanceScore"
# The property of a location that names its parent location.
PARENT = "parentLocationId"
_NOTHING: Mapping[str, Any] = {}
# Edges that show a chapter and a scene besides the period in which they hold.
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
    """An entity as a node, with properties kept in other rows; the entity's attributes take precedence."""
    return GraphNode.trusted(
        id=entity.id,
        name=entity.name,
        type=entity.type.capitalize(),
        properties={
            **_beginning(entity),
            **kept_elsewhere,
            **entity.attributes,
            **_status(entity),
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


def _status(entity: Entity) -> dict[str, str]:
    """A character's status in the standard vocabulary, if the author's word has an equivalent there."""
    status = status_in(entity.attributes) if entity.type == "character" else None
    return {} if status is None else {STATUS: status}


def nodes_of(
    entities: Iterable[Entity], kept_elsewhere: Mapping[str, Mapping[str, Any]]
) -> tuple[GraphNode, ...]:
    """Entities as nodes, each with its properties kept in other rows."""
    return tuple(node_of(entity, kept_elsewhere.get(entity.id, _NOTHING)) for entity in entities)


def _beginning(entity: Entity) -> dict[str, int]:
    """The moment of an event, or the chapter of first appearance; attributes may override both."""
    if entity.type == EVENT:
        return place_of(entity.since)
    return {} if entity.since is None else {"firstAppearance": entity.since.chapter}


def edge_of(relation: Relation) -> GraphEdge:
    """A relation as an edge."""
    if isinstance(relation, Participation):
        return _edge(relation, edge_properties(relation))
    period = {
        name: moment.chapter
        for name, moment in (("since", relation.since), ("until", relation.until))
        if moment is not None
    }
    place = place_of(relation.since) if relation.relation_type in _SHOWN_WITH_PLACE else {}
    return _edge(
        relation,
        {
            **place,
            **relation.properties,
            "description": relation.description,
            "version": relation.version,
            **period,
        },
    )


def _edge(relation: Relation, properties: dict[str, Any]) -> GraphEdge:
    return GraphEdge.trusted(
        id=relation.id,
        source_id=relation.source_entity_id,
        target_id=relation.target_entity_id,
        type=relation.relation_type.upper(),
        properties=properties,
    )


def chapter_of_relation(relation: Relation) -> int | None:
    """The chapter of a relation: the one its properties name, else the one it starts in."""
    return _named_chapter(relation.properties, relation.since)


def chapter_of_event(event: Entity) -> int | None:
    """The chapter of an event: the one its attributes name, else the one it starts in."""
    return _named_chapter(event.attributes, event.since)


def _named_chapter(properties: dict[str, Any], since: Moment | None) -> int | None:
    own = properties.get(CHAPTER)
    return own if type(own) is int else None if since is None else since.chapter
