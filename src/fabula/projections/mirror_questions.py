"""Queries on a story's graph in a graph server; the compiled index gives the same answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from fabula.model.graph import GraphEdge, GraphNode
from fabula.projections.mirror_cypher import (
    ACQUAINTED,
    ALL_EDGES,
    ALL_NODES,
    AMONG,
    FOLLOWING,
    IN_CHAPTER,
    OUTGOING,
    RING,
    SOME_NODES,
    STANDING,
)
from fabula.projections.mirror_server import Record, Run
from fabula.projections.mirror_shapes import in_order_of_telling, shown_edge, shown_node


class MirrorGraph(NamedTuple):
    """A part of a graph; `truncated` if there was more than the limit allows."""

    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
    truncated: bool = False


class TimelineTurn(NamedTuple):
    """A relation that starts at an entity: its chapter, the edge, and its target."""

    chapter: int
    edge: GraphEdge
    target: GraphNode


def whole_graph(run: Run, story_id: str) -> MirrorGraph:
    """Return the whole graph."""
    nodes = run(ALL_NODES, {"storyId": story_id})
    return MirrorGraph(
        tuple(shown_node(record["properties"]) for record in nodes),
        _drawn(run(ALL_EDGES, {"storyId": story_id})),
    )


def around(
    run: Run, story_id: str, center: str, hops: int, max_nodes: int, instant: int | None
) -> MirrorGraph:
    """Return all nodes within some hops, nearest first, and the edges among them.

    If there are more than `max_nodes`, the nearest are kept and, at equal distance, the most significant,
    then the best connected.
    """
    kept, frontier, truncated = [center], [center], False
    while hops and frontier and not truncated:
        hops -= 1
        known = set(kept)
        ring = run(RING, {"storyId": story_id, "ids": frontier, "instant": instant})
        frontier = [record["id"] for record in ring if record["id"] not in known]
        room = max_nodes - len(kept)
        if len(frontier) > room:
            truncated = True
            frontier = _foremost(run, story_id, frontier)[:room]
        kept += frontier
    edges = run(AMONG, {"storyId": story_id, "ids": kept, "instant": instant})
    return MirrorGraph(_nodes(run, story_id, kept), _drawn(edges), truncated)


def in_chapter(run: Run, story_id: str, chapter: int) -> MirrorGraph:
    """Return the characters who are somewhere in a chapter, where they are, and whom they know."""
    stays = run(IN_CHAPTER, {"storyId": story_id, "chapter": chapter})
    people = list(dict.fromkeys(record["source"] for record in stays))
    known = run(ACQUAINTED, {"storyId": story_id, "ids": people})
    return _joined(run, story_id, people, [*stays, *known])


def consequences(run: Run, story_id: str, event: str, steps: int) -> MirrorGraph:
    """Return the events that follow an event, nearest first, and the edges between them."""
    edges: list[Record] = []
    seen, frontier = {event}, [event]
    for _ in range(steps):
        found = run(FOLLOWING, {"storyId": story_id, "ids": frontier})
        edges += found
        frontier = [key for key in dict.fromkeys(record["target"] for record in found) if key not in seen]
        seen.update(frontier)
    return _joined(run, story_id, [event], edges)


def timeline(run: Run, story_id: str, entity: str) -> tuple[TimelineTurn, ...]:
    """Return all relations that start at an entity, by chapter."""
    records = {
        record["properties"]["id"]: record for record in run(OUTGOING, {"storyId": story_id, "id": entity})
    }
    edges = _drawn(records.values())
    ids = list(dict.fromkeys(edge.target_id for edge in edges))
    targets = {
        record["properties"]["id"]: record["properties"]
        for record in run(SOME_NODES, {"storyId": story_id, "ids": ids})
    }
    turns = [
        TimelineTurn(
            _first(records[edge.id]["properties"], targets[edge.target_id]),
            edge,
            shown_node(targets[edge.target_id]),
        )
        for edge in edges
    ]
    return tuple(sorted(turns, key=lambda turn: (turn.chapter, turn.edge.id)))


def _first(edge: dict[str, Any], target: dict[str, Any]) -> int:
    chapters = (edge.get("since"), edge.get("chapterIndex"), target.get("chapterIndex"), 0)
    return next(chapter for chapter in chapters if chapter is not None)


def _foremost(run: Run, story_id: str, ids: Sequence[str]) -> list[str]:
    standing = run(STANDING, {"storyId": story_id, "ids": ids})
    standing.sort(key=lambda one: (-one["significance"], -one["degree"], one["id"]))
    return [one["id"] for one in standing]


def _joined(run: Run, story_id: str, first: Sequence[str], edges: Sequence[Record]) -> MirrorGraph:
    ends = [record[end] for record in edges for end in ("source", "target")]
    return MirrorGraph(_nodes(run, story_id, dict.fromkeys([*first, *ends])), _drawn(edges))


def _nodes(run: Run, story_id: str, ids: Iterable[str]) -> tuple[GraphNode, ...]:
    wanted = list(ids)
    found = run(SOME_NODES, {"storyId": story_id, "ids": wanted})
    by_id = {record["properties"]["id"]: record["properties"] for record in found}
    return tuple(shown_node(by_id[key]) for key in wanted if key in by_id)


def _drawn(records: Iterable[Record]) -> tuple[GraphEdge, ...]:
    relations: dict[str, Record] = {}
    roles: dict[str, Record] = {}
    for record in records:
        own = record["properties"]
        (roles if own["kind"] == "role" else relations)[own["id"]] = record
    told = in_order_of_telling(roles.values())
    return (*map(shown_edge, relations.values()), *map(shown_edge, told))
