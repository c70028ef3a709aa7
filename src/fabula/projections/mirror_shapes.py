"""Convert a story's rows to nodes and edges of a property graph and back, and compute a checksum.

A property graph holds plain values and lists of one type. Nested values are written as JSON for people who
query the graph directly; Fabula itself reads `document`, which holds everything exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import Any, NamedTuple

import orjson

from fabula.model.entity import Entity
from fabula.model.event import EVENT
from fabula.model.graph import (
    GraphEdge,
    GraphNode,
    chapter_of_event,
    chapter_of_relation,
    edge_of,
    node_of,
)
from fabula.model.moment import first_instant, last_instant
from fabula.model.participation import Participation
from fabula.model.relation import Relation
from fabula.model.validity import DatedFact
from fabula.projections.mirror_cypher import LABELS, NO_LABEL, OTHER_RELATION, RELATION_TYPES

Properties = dict[str, Any]

# Increased when the content of nodes or edges changes: graphs of another shape are rebuilt.
SHAPE = 2


class Node(NamedTuple):
    """An entity as a node of the graph."""

    label: str
    properties: Properties


class Edge(NamedTuple):
    """A relation, or a participation in an event, as an edge of the graph."""

    source: str
    target: str
    type: str
    properties: Properties


def mirrored_node(entity: Entity, kept_elsewhere: Mapping[str, Any]) -> Node:
    """Convert an entity to a node, with facts about it from other rows."""
    shown = node_of(entity, kept_elsewhere).properties
    own = _flat({key: value for key, value in shown.items() if key != "chapterIndex"}) | {
        "storyId": entity.project_id,
        "id": entity.id,
        "name": entity.name,
        "type": entity.type,
        "firstInstant": first_instant(entity.since),
        "lastInstant": last_instant(entity.until),
        "document": _text(shown),
    }
    own |= _world_dates(entity)
    if entity.type == EVENT:
        own |= _only_given(chapterIndex=chapter_of_event(entity))
    elif entity.since is not None:
        own["firstAppearance"] = entity.since.chapter
    return Node(label_of(entity.type), own)


def label_of(kind: str) -> str:
    """Return the label of an entity type, besides `Entity`."""
    return LABELS.get(kind, NO_LABEL)


def mirrored_relation(relation: Relation) -> Edge:
    """Convert a relation or a participation in an event to an edge."""
    shown = edge_of(relation).properties
    own = _flat({key: value for key, value in shown.items() if key not in _PLACES}) | {
        "storyId": relation.project_id,
        "id": relation.id,
        "kind": "relation",
        "relationType": relation.relation_type,
        "firstInstant": first_instant(relation.since),
        "lastInstant": last_instant(relation.until),
        "document": _text(shown),
    }
    own |= _world_dates(relation)
    own |= _only_given(
        since=None if relation.since is None else relation.since.chapter,
        until=None if relation.until is None else relation.until.chapter,
        chapterIndex=chapter_of_relation(relation),
        sceneIndex=own.get("sceneIndex", None if relation.since is None else relation.since.scene),
    )
    if isinstance(relation, Participation):
        own |= {"kind": "role", "ordinal": relation.ordinal}
    kind = RELATION_TYPES.get(relation.relation_type, OTHER_RELATION)
    return Edge(relation.source_entity_id, relation.target_entity_id, kind, own)


def _world_dates(fact: DatedFact) -> Properties:
    """Return the days between which a fact is valid and the instant at which it is told, if said."""
    return _only_given(
        validFromDay=fact.valid_from and fact.valid_from.day,
        validToDay=fact.valid_to and fact.valid_to.day,
        toldInstant=None if fact.told is None else first_instant(fact.told),
    )


def shown_node(properties: Mapping[str, Any]) -> GraphNode:
    """Return the node shown in an answer."""
    return GraphNode.trusted(
        id=properties["id"],
        name=properties["name"],
        type=properties["type"].capitalize(),
        properties=orjson.loads(properties["document"]),
    )


def shown_edge(record: Mapping[str, Any]) -> GraphEdge:
    """Return the edge shown in an answer, from its ends and properties."""
    properties = record["properties"]
    return GraphEdge.trusted(
        id=properties["id"],
        source_id=record["source"],
        target_id=record["target"],
        type=properties["relationType"].upper(),
        properties=orjson.loads(properties["document"]),
    )


def in_order_of_telling(roles: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Sort the records of participations as the store does."""

    def place(record: Mapping[str, Any]) -> tuple[str, str, int, str]:
        own = record["properties"]
        is_place = own["relationType"] == "occurs_at"
        event = record["source"] if is_place else record["target"]
        return event, "place" if is_place else "role", own["ordinal"], own["id"]

    return sorted(roles, key=place)


class Sum:
    """A checksum over nodes and edges, independent of their order."""

    def __init__(self) -> None:
        self._rows: dict[tuple[str, str], bytes] = {}

    def add_node(self, labels: Iterable[str], properties: Properties) -> None:
        """Add a node."""
        self._add("node", properties["id"], (sorted({*labels, NO_LABEL}), properties))

    def add_edge(self, source: str, target: str, kind: str, properties: Properties) -> None:
        """Add an edge."""
        self._add("edge", properties["id"], (source, target, kind, properties))

    def _add(self, kind: str, key: str, said: Any) -> None:
        # A duplicate must not look like a single row.
        self._rows[kind, key] = self._rows.get((kind, key), b"") + _digest(said)

    @property
    def checksum(self) -> str:
        """The checksum of everything added."""
        total = blake2b(digest_size=16)
        for key in sorted(self._rows):
            total.update(self._rows[key])
        return total.hexdigest()

    def counts(self) -> tuple[int, int]:
        """Return the number of nodes and of edges."""
        nodes = sum(kind == "node" for kind, _ in self._rows)
        return nodes, len(self._rows) - nodes

    def differing(self, other: Sum) -> list[str]:
        """Return the ids on which the two checksums differ."""
        keys = self._rows.keys() | other._rows.keys()
        return sorted({key[1] for key in keys if self._rows.get(key) != other._rows.get(key)})


# What an edge says about moments; a relation's own properties must not override it.
_PLACES = frozenset({"since", "until", "chapterIndex"})
_PLAIN = (bool, str, int, float)


def _flat(properties: Mapping[str, Any]) -> Properties:
    return {key: _plain(value) for key, value in properties.items() if value is not None}


def _plain(value: Any) -> Any:
    if type(value) in _PLAIN:
        return value
    kinds = {type(item) for item in value} if isinstance(value, list) else {dict}
    return value if len(kinds) <= 1 and kinds <= {*_PLAIN} else _text(value)


def _only_given(**properties: Any) -> Properties:
    return {key: value for key, value in properties.items() if value is not None}


def _text(value: Any) -> str:
    return orjson.dumps(value).decode()


def _digest(said: Any) -> bytes:
    return blake2b(orjson.dumps(said, option=orjson.OPT_SORT_KEYS), digest_size=16).digest()
