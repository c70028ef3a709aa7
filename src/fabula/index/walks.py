"""Graph walks: neighbourhoods, shortest paths and cycles."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial

import rustworkx

from fabula.index.adjacency import Adjacency
from fabula.index.deadline import Deadline
from fabula.index.roster import Roster

CHECK_EVERY = 512


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """The entities within some hops of a centre, nearest first, and the relations among them."""

    nodes: tuple[int, ...]
    links: tuple[int, ...]
    truncated: bool


@dataclass(frozen=True, slots=True)
class Route:
    """The entities on a path; empty if there is no path or the search gave up (`degraded`)."""

    nodes: tuple[int, ...]
    expansions: int
    degraded: bool


@dataclass(frozen=True, slots=True)
class Cycles:
    """One cycle for each strongly connected component, first entity repeated last."""

    cycles: tuple[tuple[int, ...], ...]
    components: int


def neighbourhood(
    roster: Roster,
    graph: Adjacency,
    center: int,
    *,
    hops: int,
    max_nodes: int,
    instant: int | None,
    deadline: Deadline,
    admits: Callable[[int], bool] | None = None,
) -> Neighbourhood:
    """All entities within some hops, ignoring the direction of relations.

    If there are more than `max_nodes`, the nearest stay, among equally near ones the most significant, then
    the best connected. With `admits`, the walk visits only entities it admits.
    """
    admits = admits or partial(roster.is_present, instant=instant)
    kept = [center]
    seen = {center}
    frontier = [center]
    truncated = False
    for _ in range(hops):
        frontier = _next_ring(graph, frontier, seen, instant, deadline, admits)
        room = max_nodes - len(kept)
        if len(frontier) > room:
            truncated = True
            frontier.sort(
                key=lambda node: (-roster.significance[node], -graph.degree(node), roster.ids[node])
            )
            del frontier[room:]
        kept += frontier
        if truncated:
            break
    return Neighbourhood(tuple(kept), _links_among(graph, kept, instant, deadline), truncated)


def _next_ring(
    graph: Adjacency,
    frontier: list[int],
    seen: set[int],
    instant: int | None,
    deadline: Deadline,
    admits: Callable[[int], bool],
) -> list[int]:
    ring: list[int] = []
    for count, node in enumerate(frontier):
        if count % CHECK_EVERY == 0:
            deadline.check(len(seen))
        for peer, _ in graph.steps(node, instant):
            if peer not in seen and admits(peer):
                seen.add(peer)
                ring.append(peer)
    return ring


def _links_among(
    graph: Adjacency, nodes: list[int], instant: int | None, deadline: Deadline
) -> tuple[int, ...]:
    inside = set(nodes)
    links: list[int] = []
    for count, node in enumerate(nodes):
        if count % CHECK_EVERY == 0:
            deadline.check(len(inside))
        links += [
            link
            for peer, link in graph.steps(node, instant)
            if peer in inside and graph.sources[link] == node
        ]
    return tuple(links)


def route(
    roster: Roster,
    graph: Adjacency,
    source: int,
    target: int,
    *,
    directed: bool,
    max_expansions: int,
    instant: int | None,
    deadline: Deadline,
    admits: Callable[[int], bool] | None = None,
) -> Route:
    """A shortest path, searched from both ends; degraded if it would take too many expansions.

    With `admits`, the path visits only entities it admits, apart from its ends.
    """
    admits = admits or partial(roster.is_present, instant=instant)
    if source == target:
        return Route((source,), 0, False)
    ahead, back = _Side(source, forward=True), _Side(target, forward=False)
    expansions = 0
    while ahead.frontier and back.frontier:
        side, other = (ahead, back) if len(ahead.frontier) <= len(back.frontier) else (back, ahead)
        if expansions + len(side.frontier) > max_expansions:
            return Route((), expansions, True)
        expansions += len(side.frontier)
        deadline.check(expansions)
        if side.advance(graph, other, directed, instant, deadline, admits):
            return Route(_joined(ahead, back, side.meeting), expansions, False)
    return Route((), expansions, False)


class _Side:
    """One half of a bidirectional search."""

    def __init__(self, start: int, *, forward: bool) -> None:
        self.came_from: dict[int, int] = {start: start}
        self.frontier = [start]
        self.forward = forward
        self.meeting = start

    def advance(
        self,
        graph: Adjacency,
        other: _Side,
        directed: bool,
        instant: int | None,
        deadline: Deadline,
        admits: Callable[[int], bool],
    ) -> bool:
        """Advance by one hop and return whether the other side was met.

        Both sides advance by whole hops, so they can only meet on the other side's outermost one: the
        first meeting is on a shortest path.
        """
        ring: list[int] = []
        for count, node in enumerate(self.frontier):
            if count % CHECK_EVERY == 0:
                deadline.check(len(self.came_from))
            for peer, link in graph.steps(node, instant):
                if directed and (graph.sources[link] == node) is not self.forward:
                    continue
                if peer in self.came_from:
                    continue
                # Checked before admission, because both ends count even if they are not part of the story.
                if peer in other.came_from:
                    self.came_from[peer] = node
                    self.meeting = peer
                    return True
                if admits(peer):
                    self.came_from[peer] = node
                    ring.append(peer)
        self.frontier = ring
        return False


def _joined(ahead: _Side, back: _Side, meeting: int) -> tuple[int, ...]:
    nodes = [meeting]
    while (previous := ahead.came_from[nodes[-1]]) != nodes[-1]:
        nodes.append(previous)
    nodes.reverse()
    while (following := back.came_from[nodes[-1]]) != nodes[-1]:
        nodes.append(following)
    return tuple(nodes)


def find_cycles(
    roster: Roster, graph: Adjacency, *, types: Collection[str] | None, limit: int, deadline: Deadline
) -> Cycles:
    """A shortest cycle through one entity of each cyclic component, up to a limit."""
    arrows = [
        (source, target)
        for source, target, link in graph.edges()
        if types is None or graph.types[link] in types
    ]
    deadline.check(0)
    directed = rustworkx.PyDiGraph()
    directed.extend_from_edge_list(arrows)
    components = [part for part in rustworkx.strongly_connected_components(directed) if len(part) > 1]
    deadline.check(len(arrows))
    following: dict[int, list[int]] = {}
    for source, target in arrows:
        following.setdefault(source, []).append(target)
    components.sort(key=lambda part: min(roster.ids[node] for node in part))
    found = []
    for part in components[:limit]:
        found.append(_cycle_within(roster, following, part))
        deadline.check(len(found))
    return Cycles(tuple(found), len(components))


def _cycle_within(roster: Roster, following: dict[int, list[int]], part: list[int]) -> tuple[int, ...]:
    inside = set(part)
    start = min(part, key=lambda node: roster.ids[node])
    came_from: dict[int, int] = {}
    queue = deque([start])
    while queue:
        node = queue.popleft()
        for peer in following[node]:
            if peer == start:
                cycle = [start, node]
                while cycle[-1] != start:
                    cycle.append(came_from[cycle[-1]])
                return tuple(reversed(cycle))
            if peer in inside and peer not in came_from:
                came_from[peer] = node
                queue.append(peer)
    raise AssertionError("a strongly connected component of several entities has a cycle")
