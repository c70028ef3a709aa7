"""Turns the checked items of a bundle into a plan: what to upsert and delete in one transaction.

Deletions come first. An upsert contains only the fields of its item; the others stay unchanged.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from fabula.collector import collector_paused
from fabula.errors import InvalidInput
from fabula.formats.bundle_facts import Item
from fabula.model.edge_fields import dated, separate_fields
from fabula.model.fact import Secrecy
from fabula.model.level import AiContextLevel
from fabula.model.moment import Moment
from fabula.model.story_ontology import (
    MAX_NAME,
    EdgeType,
    IdentityValue,
    NodeType,
    Ontology,
    entity_id,
    entity_name,
    identity_key,
    relation_id,
)
from fabula.model.validity import FactStart, beginning
from fabula.model.wire import visible_text
from fabula.model.world_time import WorldTime

_FIELDS = {
    "description": "description",
    "aliases": "aliases",
    "aiContextLevel": "ai_context_level",
    "secrecy": "secrecy",
    "significance": "significance",
    "since": "since",
    "until": "until",
    "validFrom": "valid_from",
    "validTo": "valid_to",
    "told": "told",
}
OF_THE_ITEM = frozenset({"type", "action", "source", "target"})


class NodeRef(NamedTuple):
    """A reference to a node by identity, with the name and id that a new node gets.

    An existing node keeps its id.
    """

    type_name: str
    type_key: str
    identity: dict[str, IdentityValue]
    identity_key: str
    name: str

    @property
    def id(self) -> str:
        """The id of a new node."""
        return entity_id(self.type_key, self.identity_key)

    @property
    def address(self) -> tuple[str, str]:
        """The key by which two references mean the same node."""
        return self.type_key, self.identity_key


@dataclass(frozen=True, slots=True)
class NodeUpsert:
    """A node to create, or to update if it exists.

    `fields` are columns of the entity by their Python names. `attributes` are set one by one.
    `open_attributes`, if given, replace all attributes that the ontology does not declare.
    `also_called` are names to add to the aliases, for a type that is not identified by name.
    """

    index: int
    node: NodeRef
    fields: dict[str, Any]
    attributes: dict[str, Any]
    open_attributes: dict[str, Any] | None
    also_called: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NodeDeletion:
    """A node to delete with its relations; a missing node is no error."""

    index: int
    node: NodeRef


@dataclass(frozen=True, slots=True)
class EdgeUpsert:
    """An edge to create, or to update if one with the same ends, type and start exists."""

    index: int
    type_name: str
    relation_key: str
    source: NodeRef
    target: NodeRef
    fields: dict[str, Any]
    properties: dict[str, Any]
    open_properties: dict[str, Any] | None

    @property
    def id(self) -> str:
        """The id of a new edge between new nodes."""
        return relation_id(self.relation_key, self.source.id, self.target.id, self.since, self.valid_from)

    @property
    def since(self) -> Moment | None:
        """The start in the telling, which is part of the identity."""
        since: Moment | None = self.fields.get("since")
        return since

    @property
    def valid_from(self) -> WorldTime | None:
        """The start in world time, which is part of the identity."""
        time: WorldTime | None = self.fields.get("valid_from")
        return time

    @property
    def beginning(self) -> FactStart:
        """The start in both clocks."""
        return beginning(self.since, self.valid_from)


@dataclass(frozen=True, slots=True)
class EdgeDeletion:
    """An edge to delete: the one with this start, or all between these ends if `is_every`."""

    index: int
    type_name: str
    relation_key: str
    source: NodeRef
    target: NodeRef
    since: Moment | None
    valid_from: WorldTime | None
    is_every: bool

    @property
    def beginning(self) -> FactStart:
        """The start in both clocks."""
        return beginning(self.since, self.valid_from)


@dataclass(frozen=True, slots=True)
class BundlePlan:
    """The changes of a bundle; duplicate items count once."""

    nodes_to_upsert: tuple[NodeUpsert, ...]
    nodes_to_delete: tuple[NodeDeletion, ...]
    edges_to_upsert: tuple[EdgeUpsert, ...]
    edges_to_delete: tuple[EdgeDeletion, ...]


def bundle_plan(items: Iterable[Item], ontology: Ontology) -> BundlePlan:
    """The plan for items that passed `bundle_check`."""
    with collector_paused():
        return _planned(items, ontology)


def _planned(items: Iterable[Item], ontology: Ontology) -> BundlePlan:
    refs = NodeRefs(ontology)
    nodes: dict[Any, NodeUpsert] = {}
    gone_nodes: dict[Any, NodeDeletion] = {}
    edges: dict[Any, EdgeUpsert] = {}
    gone_edges: dict[Any, EdgeDeletion] = {}
    for index, item in enumerate(items):
        deletes = item.get("action") == "delete"
        node = ontology.node_named.get(item["type"])
        if node is None and item["type"] not in ontology.edge_named:
            # States, knowings and the like; see `fact_plan`.
            continue
        if node is None:
            edge = ontology.edge_named[item["type"]]
            address = refs.edge_address(edge, item)
            if deletes:
                gone_edges.setdefault(address, _edge_deletion(index, edge, item, refs))
            else:
                edges.setdefault(address, _edge_upsert(index, edge, item, refs))
        elif deletes:
            ref = refs.of(node, item)
            gone_nodes.setdefault(ref.address, NodeDeletion(index, ref))
        else:
            upsert = _node_upsert(index, node, item, refs)
            nodes.setdefault(upsert.node.address, upsert)
    return BundlePlan(
        tuple(nodes.values()), tuple(gone_nodes.values()), tuple(edges.values()), tuple(gone_edges.values())
    )


def attributes_after(
    stored: Mapping[str, Any], upsert: NodeUpsert | EdgeUpsert, type_: NodeType | EdgeType
) -> dict[str, Any]:
    """The attributes of an entity, or the properties of a relation, after an upsert."""
    if isinstance(upsert, NodeUpsert):
        given, opened = upsert.attributes, upsert.open_attributes
    else:
        given, opened = upsert.properties, upsert.open_properties
    declared = type_.properties.keys() - type_.columns
    kept = {name: value for name, value in stored.items() if opened is None or name in declared}
    return {**kept, **given, **(opened or {})}


class NodeRefs:
    """References to the nodes of a bundle, each created once."""

    def __init__(self, ontology: Ontology) -> None:
        self.ontology = ontology
        self._made: dict[tuple[str, tuple[IdentityValue, ...]], NodeRef] = {}

    def of(self, node: NodeType, item: Item) -> NodeRef:
        """The reference to the node that an item, or the end of an edge, identifies."""
        values = node.identity_of(item)
        ref = self._made.get((node.name, values))
        if ref is None:
            key = identity_key(values)
            ref = NodeRef(
                node.name,
                node.key,
                dict(zip(node.identity, values, strict=True)),
                key,
                entity_name(values),
            )
            self._made[node.name, values] = ref
        return ref

    def ends(self, edge: EdgeType, item: Item) -> tuple[NodeRef, NodeRef]:
        """The nodes at both ends of an edge."""
        return (
            self.reference(self.ontology.sources(edge), item["source"]),
            self.reference(self.ontology.targets(edge), item["target"]),
        )

    def edge_address(self, edge: EdgeType, item: Item) -> tuple[Any, ...]:
        """The key by which two items mean the same edge: its type, its ends, and its start."""
        source, target = self.ends(edge, item)
        return edge.key, source.address, target.address, beginning(*_said_of_edge(edge, item).starts)

    def reference(self, allowed: tuple[NodeType, ...], end: Item) -> NodeRef:
        """The node that another item names; its type may be left out if only one is allowed."""
        return self.of(self.ontology.node_named[end["type"]] if "type" in end else allowed[0], end)


def moment_in(item: Item, field: str) -> Moment | None:
    """The moment in a field of an item."""
    told = item.get(field)
    if told is None:
        return None
    scene = told.get("scene")
    return Moment.trusted(chapter=int(told["chapter"]), scene=None if scene is None else int(scene))


def world_time_in(item: Item, field: str) -> WorldTime | None:
    """The world time in a field of an item."""
    told = item.get(field)
    return None if told is None else WorldTime.trusted(day=float(told["day"]), label=told.get("label", ""))


def _node_upsert(index: int, node: NodeType, item: Item, refs: NodeRefs) -> NodeUpsert:
    columns = node.columns
    fields = _fields(item, columns)
    attributes = {
        name: value for name, value in item.items() if name not in columns and name not in OF_THE_ITEM
    }
    also = () if node.is_named else _names(item.get("name"))
    open_attributes = item.get("attributes") if "attributes" in columns else None
    return NodeUpsert(index, refs.of(node, item), fields, attributes, open_attributes, also)


def _names(value: Any) -> tuple[str, ...]:
    """The value as an additional name, if it can be one."""
    try:
        return (visible_text(value),) if isinstance(value, str) and len(value) <= MAX_NAME else ()
    except ValueError:
        return ()


class _EdgeSaid(NamedTuple):
    """The content of an edge item besides its ends, sorted by where it is stored."""

    fields: dict[str, Any]
    properties: dict[str, Any]
    opened: dict[str, Any] | None

    @property
    def starts(self) -> tuple[Moment | None, WorldTime | None]:
        return self.fields.get("since"), self.fields.get("valid_from")


def _said_of_edge(edge: EdgeType, item: Item) -> _EdgeSaid:
    columns = edge.columns
    fields = _fields(item, columns)
    rest = {name: value for name, value in item.items() if name not in columns and name not in OF_THE_ITEM}
    opened = item.get("properties") if "properties" in columns else None
    if opened:
        try:
            opened, among = separate_fields(
                {**opened, **{name: fields[name] for name in fields if fields[name]}}
            )
        except InvalidInput:
            # The author's own properties, which merely share the names of fields.
            among = {}
        fields = {**among, **fields}
    own, since = dated(rest, fields.get("since"))
    return _EdgeSaid(fields if since is None else {**fields, "since": since}, own, opened)


def _edge_upsert(index: int, edge: EdgeType, item: Item, refs: NodeRefs) -> EdgeUpsert:
    source, target = refs.ends(edge, item)
    said = _said_of_edge(edge, item)
    return EdgeUpsert(index, edge.name, edge.key, source, target, said.fields, said.properties, said.opened)


def _edge_deletion(index: int, edge: EdgeType, item: Item, refs: NodeRefs) -> EdgeDeletion:
    source, target = refs.ends(edge, item)
    said = _said_of_edge(edge, item)
    is_dated = not said.fields.keys().isdisjoint(("since", "valid_from"))
    return EdgeDeletion(index, edge.name, edge.key, source, target, *said.starts, not is_dated)


def _fields(item: Item, columns: frozenset[str]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name, field in _FIELDS.items():
        if name not in item or name not in columns:
            continue
        value = item[name]
        if name in ("since", "until", "told"):
            value = moment_in(item, name)
        elif name in ("validFrom", "validTo"):
            value = world_time_in(item, name)
        elif name == "aliases":
            value = tuple(alias.strip() for alias in value)
        elif name == "aiContextLevel":
            value = AiContextLevel(value)
        elif name == "secrecy":
            value = Secrecy(value)
        elif name == "significance":
            value = float(value)
        fields[field] = value
    return fields
