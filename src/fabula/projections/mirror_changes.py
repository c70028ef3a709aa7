"""The statements that update a story's graph: completely, or from the change log."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby, islice
from typing import Any, NamedTuple, TypeVar

import orjson

from fabula.projections.mirror_cypher import CHANGE_NODES, EDGES, NODES, REMOVE_EDGES, REMOVE_NODES
from fabula.projections.mirror_shapes import (
    Edge,
    Node,
    Sum,
    label_of,
    mirrored_node,
    mirrored_relation,
)
from fabula.store import kinds
from fabula.store.changes import Changes, LoggedChange
from fabula.store.node_facts import INSIDE, node_facts
from fabula.store.reader import Reader
from fabula.store.rowkind import RowKind
from fabula.store.scans import every_entity, every_relation

BATCH = 1_000

T = TypeVar("T")


class Saying(NamedTuple):
    """A statement, its parameters, and how many nodes or edges it writes."""

    statement: str
    parameters: dict[str, Any]
    rows: int


def everything(reader: Reader, project_id: str) -> Generator[Saying]:
    """Yield the statements that write a whole story into an empty graph, in batches."""
    for some in _batches(all_nodes(reader, project_id)):
        yield from _writing_nodes(project_id, some)
    for others in _batches(all_edges(reader, project_id)):
        yield from _writing_edges(project_id, others)


def sayings_for(changes: Changes) -> list[Saying]:
    """Return the statements that take a graph from one edition to another."""
    reader, project_id, touched = changes.reader, changes.story, _Touched()
    for change in changes.images(FOLLOWED):
        _TAKEN[change.kind](touched, change)
    entities = reader.entities(project_id, touched.entities)
    facts = node_facts(reader, project_id, entities)
    nodes = {key: mirrored_node(entity, facts.get(key, {})) for key, entity in entities.items()}
    changed = {key for key, node in nodes.items() if touched.labels.get(key, node.label) == node.label}
    anew = {key for key in nodes.keys() - changed if touched.labels[key] is not None}
    removed = sorted((touched.entities - nodes.keys()) | anew)
    sayings = [Saying(REMOVE_EDGES, {"storyId": project_id, "edges": some}, 0) for some in touched.stood()]
    sayings += [Saying(REMOVE_NODES, {"storyId": project_id, "ids": some}, 0) for some in _batches(removed)]
    for batch in _batches(nodes[key].properties for key in sorted(changed)):
        sayings.append(Saying(CHANGE_NODES, {"storyId": project_id, "nodes": batch}, len(batch)))
    for some in _batches(node for key, node in nodes.items() if key not in changed):
        sayings += _writing_nodes(project_id, some)
    for others in _batches(_edges(reader, project_id, touched, anew)):
        sayings += _writing_edges(project_id, others)
    return sayings


def _edges(reader: Reader, project_id: str, touched: _Touched, anew: set[str]) -> list[Edge]:
    """Return the edges that changed, and all edges of nodes that are recreated."""
    relations = reader.relations(project_id, touched.relations.keys() | touched.roles.keys())
    relations |= {relation.id: relation for relation in reader.relations_of(project_id, anew)}
    return list(map(mirrored_relation, relations.values()))


def sum_of_story(reader: Reader, project_id: str) -> Sum:
    """Return the checksum that the graph of a story must have."""
    expected = Sum()
    for node in all_nodes(reader, project_id):
        expected.add_node((node.label,), node.properties)
    for edge in all_edges(reader, project_id):
        expected.add_edge(*edge)
    return expected


def all_nodes(reader: Reader, project_id: str) -> Iterator[Node]:
    """Yield every entity of a story as a node."""
    for some in _batches(every_entity(reader, project_id)):
        facts = node_facts(reader, project_id, [entity.id for entity in some])
        yield from (mirrored_node(entity, facts.get(entity.id, {})) for entity in some)


def all_edges(reader: Reader, project_id: str) -> Iterator[Edge]:
    """Yield every relation and event participation of a story as an edge."""
    yield from map(mirrored_relation, every_relation(reader, project_id))
    yield from map(mirrored_relation, reader.links.every(project_id))


@dataclass
class _Touched:
    """Which rows changed, and their state in the graph, which is that of their first image."""

    entities: set[str] = field(default_factory=set)
    # The label of an existing node; the source of an existing edge.
    labels: dict[str, str | None] = field(default_factory=dict)
    relations: dict[str, str | None] = field(default_factory=dict)
    roles: dict[str, str | None] = field(default_factory=dict)

    def entity(self, change: LoggedChange) -> None:
        """Note an entity, which is a node."""
        self.entities.add(change.row_id)
        if change.row_id not in self.labels:
            before = change.before_json
            self.labels[change.row_id] = None if before is None else label_of(orjson.loads(before)["type"])

    def event(self, change: LoggedChange) -> None:
        """Note an event, whose fields are on its entity's node."""
        self.entities.add(change.row_id)

    def relation(self, change: LoggedChange) -> None:
        """Note a relation, which is an edge and may say which place contains another."""
        images = (change.before_json, change.after_json)
        was, now = (None if image is None else orjson.loads(image) for image in images)
        self.relations.setdefault(change.row_id, None if was is None else was["source_entity_id"])
        self.entities |= {
            one["source_entity_id"] for one in (was, now) if one and one["relation_type"] == INSIDE
        }

    def role(self, change: LoggedChange) -> None:
        """Note a participation in an event, which is an edge."""
        before = change.before_json
        self.roles.setdefault(
            change.row_id, None if before is None else _source_of_role(orjson.loads(before))
        )

    def stood(self) -> Iterator[list[dict[str, str]]]:
        """Yield the existing edges that must be removed, in batches."""
        stood = [*self.relations.items(), *self.roles.items()]
        return _batches({"id": key, "source": source} for key, source in stood if source is not None)


_TAKEN: dict[RowKind, Callable[[_Touched, LoggedChange], None]] = {
    kinds.ENTITY: _Touched.entity,
    kinds.EVENT: _Touched.event,
    kinds.RELATION: _Touched.relation,
    kinds.EVENT_ROLE: _Touched.role,
}
FOLLOWED = frozenset(_TAKEN)
# These kinds have no data in the graph.
WAIVED = frozenset(
    {
        kinds.BOOK,
        kinds.CHAPTER,
        kinds.ENTRY,
        kinds.EVIDENCE,
        kinds.KNOWING,
        kinds.THREAD,
        kinds.ONTOLOGY,
        kinds.PENDING_RELATION,
        kinds.PROPOSAL,
        kinds.RELATION_TYPE,
        kinds.REVEAL,
        kinds.SCENE,
        kinds.SNAPSHOT,
        kinds.STATE,
        kinds.WAIVER,
    }
)


def _source_of_role(image: dict[str, Any]) -> str | None:
    source: str | None = image["event_id"] if image["kind"] == "place" else image["entity_id"]
    return source if image["entity_id"] is not None else None


def _writing_nodes(project_id: str, nodes: Iterable[Node]) -> Iterator[Saying]:
    for label, group in groupby(sorted(nodes, key=lambda node: node.label), lambda node: node.label):
        rows = [node.properties for node in group]
        yield Saying(NODES[label], {"storyId": project_id, "nodes": rows}, len(rows))


def _writing_edges(project_id: str, edges: Iterable[Edge]) -> Iterator[Saying]:
    for kind, group in groupby(sorted(edges, key=lambda edge: edge.type), lambda edge: edge.type):
        rows = [
            {"source": edge.source, "target": edge.target, "properties": edge.properties} for edge in group
        ]
        yield Saying(EDGES[kind], {"storyId": project_id, "edges": rows}, len(rows))


def _batches(items: Iterable[T]) -> Iterator[list[T]]:
    iterator = iter(items)
    while batch := list(islice(iterator, BATCH)):
        yield batch
