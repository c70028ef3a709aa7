"""A story's rows as nodes and edges of a property graph, and back; and one sum over all of them.

A property graph holds plain values and lists of one kind. What is deeper is written as JSON there, for people
who ask the graph themselves; Fabula's own answers come from `document`, which holds everything exactly.
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
from fabula.projections.mirror_cypher import LABELS, NO_LABEL, OTHER_RELATION, RELATION_TYPES

Properties = dict[str, Any]

# Goes up when nodes or edges show something else: graphs of another shape are built anew.
SHAPE = 2


class Node(NamedTuple):
    """An entity as it stands in the graph."""

    label: str
    properties: Properties


class Edge(NamedTuple):
    """A relation, or somebody's part in an event, as it stands in the graph."""

    source: str
    target: str
    type: str
    properties: Properties


def mirrored_node(entity: Entity, kept_elsewhere: Mapping[str, Any]) -> Node:
    """An entity as a node, with what other rows say of it."""
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
    if entity.type == EVENT:
        own |= _only_given(chapterIndex=chapter_of_event(entity))
    elif entity.since is not None:
        own["firstAppearance"] = entity.since.chapter
    return Node(label_of(entity.type), own)


def label_of(kind: str) -> str:
    """The label of a type of entities, beside `Entity`."""
    return LABELS.get(kind, NO_LABEL)


def mirrored_relation(relation: Relation) -> Edge:
    """A relation as an edge, or somebody's part in an event."""
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


def shown_node(properties: Mapping[str, Any]) -> GraphNode:
    """The node that an answer shows."""
    return GraphNode.trusted(
        id=properties["id"],
        name=properties["name"],
        type=properties["type"].capitalize(),
        properties=orjson.loads(properties["document"]),
    )


def shown_edge(record: Mapping[str, Any]) -> GraphEdge:
    """The edge that an answer shows, from its ends and properties."""
    properties = record["properties"]
    return GraphEdge.trusted(
        id=properties["id"],
        source_id=record["source"],
        target_id=record["target"],
        type=properties["relationType"].upper(),
        properties=orjson.loads(properties["document"]),
    )


def in_order_of_telling(roles: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The records of roles, sorted as the store gives them."""

    def place(record: Mapping[str, Any]) -> tuple[str, str, int, str]:
        own = record["properties"]
        is_place = own["relationType"] == "occurs_at"
        event = record["source"] if is_place else record["target"]
        return event, "place" if is_place else "role", own["ordinal"], own["id"]

    return sorted(roles, key=place)


class Sum:
    """A sum over nodes and edges in whatever order they come: equal sums, equal graphs."""

    def __init__(self) -> None:
        self._rows: dict[tuple[str, str], bytes] = {}

    def add_node(self, labels: Iterable[str], properties: Properties) -> None:
        """Count a node in."""
        self._add("node", properties["id"], (sorted({*labels, NO_LABEL}), properties))

    def add_edge(self, source: str, target: str, kind: str, properties: Properties) -> None:
        """Count an edge in."""
        self._add("edge", properties["id"], (source, target, kind, properties))

    def _add(self, kind: str, key: str, said: Any) -> None:
        # What is there twice must not look as if it were there once.
        self._rows[kind, key] = self._rows.get((kind, key), b"") + _digest(said)

    @property
    def checksum(self) -> str:
        """The sum of all."""
        total = blake2b(digest_size=16)
        for key in sorted(self._rows):
            total.update(self._rows[key])
        return total.hexdigest()

    def counts(self) -> tuple[int, int]:
        """How many nodes and how many edges there are."""
        nodes = sum(kind == "node" for kind, _ in self._rows)
        return nodes, len(self._rows) - nodes

    def differing(self, other: Sum) -> list[str]:
        """The ids of which the two say different things."""
        keys = self._rows.keys() | other._rows.keys()
        return sorted({key[1] for key in keys if self._rows.get(key) != other._rows.get(key)})


# What an edge says of moments; a relation's own properties cannot say it for it.
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
