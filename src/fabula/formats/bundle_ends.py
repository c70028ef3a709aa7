"""Checks the edges of a plan against the story: their ends must exist and must not exceed cardinality."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, NamedTuple

from fabula.formats.bundle import BundlePlan, EdgeDeletion, EdgeUpsert, NodeRef
from fabula.formats.bundle_words import MAX_SHOWN, BundleError, BundleErrors, identity_words
from fabula.model.moment import Moment
from fabula.model.story_ontology import Cardinality, Ontology
from fabula.model.validity import FactStart, beginning, spans_of
from fabula.model.world_time import WorldTime

NodeAddress = tuple[str, str]
RelationEnd = Literal["source", "target"]
Exists = Callable[[str, str], bool]


class StoredEdge(NamedTuple):
    """A stored edge: the type key and identity key of the node at its other end, and its period."""

    other: NodeAddress
    since: Moment | None = None
    until: Moment | None = None
    valid_from: WorldTime | None = None
    valid_to: WorldTime | None = None

    @property
    def beginning(self) -> FactStart:
        """The start in both clocks."""
        return beginning(self.since, self.valid_from)


Stored = Callable[[str, RelationEnd, str, str], Iterable[StoredEdge]]

LIMITED_BY: dict[RelationEnd, tuple[Cardinality, ...]] = {"source": ("1:1", "N:1"), "target": ("1:1", "1:N")}
_OTHER: dict[RelationEnd, RelationEnd] = {"source": "target", "target": "source"}


class _Span(NamedTuple):
    start: float
    end: float
    edge: EdgeUpsert | None


def orphans(plan: BundlePlan, exists: Exists) -> BundleErrors:
    """The edges with a missing end.

    `exists` is called with type key and identity key. Nodes that the bundle creates count, wherever they are
    in it; nodes that it deletes do not.
    """
    created = {upsert.node.address for upsert in plan.nodes_to_upsert}
    deleted = {deletion.node.address for deletion in plan.nodes_to_delete}
    known: dict[NodeAddress, bool] = {}

    def is_missing(node: NodeRef) -> bool:
        address = node.address
        if address not in known:
            known[address] = address in created or (address not in deleted and exists(*address))
        return not known[address]

    return _collected(
        BundleError(
            edge.index,
            f"[{edge.index}].{side.lower()}",
            f"Cannot create '{edge.type_name}' relation: {side} '{node.type_name}' with identity "
            f"{identity_words(node.identity)} not found.",
        )
        for edge in plan.edges_to_upsert
        for side, node in (("Source", edge.source), ("Target", edge.target))
        if is_missing(node)
    )


def over_cardinality(plan: BundlePlan, ontology: Ontology, stored: Stored) -> BundleErrors:
    """The edges that exceed the cardinality of their type at one of their ends.

    `stored` is called with relation key, side, type key and identity key, and returns the edges of that type
    that the story has at that side of the node. Two edges conflict only if they hold at the same time.
    """
    return _collected(_over_cardinality(plan, ontology, stored))


def _over_cardinality(plan: BundlePlan, ontology: Ontology, stored: Stored) -> Iterable[BundleError]:
    gone = _Gone(plan)
    for side, limiting in LIMITED_BY.items():
        groups: dict[tuple[str, NodeAddress], list[EdgeUpsert]] = defaultdict(list)
        for edge in plan.edges_to_upsert:
            if ontology.edge_named[edge.type_name].cardinality in limiting:
                groups[edge.relation_key, _end(edge, side).address].append(edge)
        for (key, address), edges in groups.items():
            kept: dict[tuple[NodeAddress, FactStart], tuple[StoredEdge, EdgeUpsert | None]] = {
                (held.other, held.beginning): (held, None)
                for held in stored(key, side, *address)
                if not gone.takes(key, side, address, held)
            }
            for edge in edges:
                here = (_end(edge, _OTHER[side]).address, edge.beginning)
                held = kept[here][0] if here in kept else StoredEdge(here[0])
                kept[here] = (held._replace(**_period_in(edge.fields)), edge)
            yield from (_too_many(edge, side) for edge in _meeting(_spans(kept.values())))


def _spans(edges: Iterable[tuple[StoredEdge, EdgeUpsert | None]]) -> list[_Span]:
    """The periods of edges on one clock: in world time if all have one, else in the telling."""
    pairs = list(edges)
    periods = spans_of([held for held, _ in pairs])
    return [_Span(*period, edge) for period, (_, edge) in zip(periods, pairs, strict=True)]


def _period_in(fields: Mapping[str, Any]) -> dict[str, Any]:
    names = StoredEdge._fields[1:]
    return {name: fields[name] for name in names if name in fields}


def _meeting(spans: Iterable[_Span]) -> Iterable[EdgeUpsert]:
    """The edges of a bundle that overlap another one in time; of two in the bundle, the later one."""
    longest: _Span | None = None
    told: set[int] = set()
    for span in sorted(spans, key=lambda span: (span.start, span.end)):
        if longest is not None and span.start <= longest.end:
            new = [edge for edge in (span.edge, longest.edge) if edge is not None]
            last = max(new, key=lambda edge: edge.index, default=None)
            if last is not None and last.index not in told:
                told.add(last.index)
                yield last
        if longest is None or span.end > longest.end:
            longest = span


def _too_many(edge: EdgeUpsert, side: RelationEnd) -> BundleError:
    node = _end(edge, side)
    verb = "begins" if side == "source" else "ends"
    return BundleError(
        edge.index,
        f"[{edge.index}].{side}",
        f"Cannot create '{edge.type_name}' relation: another one already {verb} at '{node.type_name}' "
        f"with identity {identity_words(node.identity)}, which may have one at a time.",
    )


def _end(edge: EdgeUpsert, side: RelationEnd) -> NodeRef:
    return edge.source if side == "source" else edge.target


class _Gone:
    """The deletions of a plan."""

    def __init__(self, plan: BundlePlan) -> None:
        self.nodes = {deletion.node.address for deletion in plan.nodes_to_delete}
        self.every = {_ends_of(edge) for edge in plan.edges_to_delete if edge.is_every}
        self.dated = {(_ends_of(edge), edge.beginning) for edge in plan.edges_to_delete if not edge.is_every}

    def takes(self, key: str, side: RelationEnd, address: NodeAddress, held: StoredEdge) -> bool:
        ends = (key, address, held.other) if side == "source" else (key, held.other, address)
        is_cut = ends in self.every or (ends, held.beginning) in self.dated
        return is_cut or held.other in self.nodes or address in self.nodes


def _ends_of(edge: EdgeDeletion) -> tuple[str, NodeAddress, NodeAddress]:
    return edge.relation_key, edge.source.address, edge.target.address


def _collected(found: Iterable[BundleError]) -> BundleErrors:
    errors: list[BundleError] = []
    count = 0
    for error in found:
        count += 1
        if count <= MAX_SHOWN:
            errors.append(error)
    return BundleErrors(tuple(errors), count)
