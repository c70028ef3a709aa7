"""Walks over the graph, against networkx."""

from __future__ import annotations

import random
from itertools import pairwise
from time import perf_counter
from typing import NamedTuple

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from fabula.errors import QueryTimeout
from fabula.index.adjacency import Adjacency
from fabula.index.deadline import Deadline
from fabula.index.roster import Roster
from fabula.index.walks import Neighbourhood, Route, find_cycles, neighbourhood, route
from fabula.model.level import AiContextLevel
from fabula.model.moment import Moment, first_instant, last_instant

NODES = 12
MAX_EXPANSIONS = 10_000


class Edge(NamedTuple):
    """A relation from one node to another, true for a period."""

    source: int
    target: int
    kind: str
    since: Moment | None
    until: Moment | None


class Life(NamedTuple):
    """How much a node weighs, and when it is part of the story."""

    weight: float
    since: Moment | None
    until: Moment | None


class World(NamedTuple):
    """A random graph, compiled and as it was drawn."""

    roster: Roster
    graph: Adjacency
    edges: list[Edge]
    lives: list[Life]


def holds(period: Edge | Life, moment: Moment | None) -> bool:
    """Whether something is true at the moment, said without the index's numbers."""
    if moment is None:
        return True
    at = (moment.chapter, moment.scene or 0)
    begun = period.since is None or (period.since.chapter, period.since.scene or 0) <= at
    if period.until is None:
        return begun
    if period.until.scene is None:
        return begun and moment.chapter <= period.until.chapter
    return begun and at <= (period.until.chapter, period.until.scene)


moments = st.none() | st.builds(Moment, chapter=st.integers(0, 3), scene=st.none() | st.integers(0, 2))
nodes = st.integers(0, NODES - 1)
edges = st.builds(Edge, nodes, nodes, st.sampled_from(["ally", "enemy"]), moments, moments)
weights = st.sampled_from([0.0, 0.5, 1.0])
lives = st.builds(Life, weights, st.none(), st.none()) | st.builds(Life, weights, moments, moments)
ALWAYS = [Life(0.5, None, None)] * NODES


@st.composite
def worlds(draw: st.DrawFn) -> World:
    listed = [edge for edge in draw(st.lists(edges, max_size=30)) if edge.source != edge.target]
    lived = draw(st.lists(lives, min_size=NODES, max_size=NODES))
    order = draw(st.permutations(range(len(listed))))
    return compiled(listed, lived, order)


def compiled(listed: list[Edge], lived: list[Life], order: list[int]) -> World:
    roster, graph = Roster(), Adjacency(NODES)
    for node, life in enumerate(lived):
        present = (first_instant(life.since), last_instant(life.until))
        roster.put(f"n{node:05}", AiContextLevel.ALWAYS, life.weight, *present)
    for number in order:
        edge = listed[number]
        graph.put(
            f"r{number}",
            edge.source,
            edge.target,
            edge.kind,
            first_instant(edge.since),
            last_instant(edge.until),
        )
    return World(roster, graph, listed, lived)


def deadline() -> Deadline:
    return Deadline(perf_counter, 60_000)


def around(world: World, center: int, hops: int, max_nodes: int, moment: Moment | None) -> Neighbourhood:
    return neighbourhood(
        world.roster,
        world.graph,
        center,
        hops=hops,
        max_nodes=max_nodes,
        instant=None if moment is None else first_instant(moment),
        deadline=deadline(),
    )


def way(world: World, source: int, target: int, directed: bool, moment: Moment | None = None) -> Route:
    return route(
        world.roster,
        world.graph,
        source,
        target,
        directed=directed,
        max_expansions=MAX_EXPANSIONS,
        instant=None if moment is None else first_instant(moment),
        deadline=deadline(),
    )


def drawn(world: World, moment: Moment | None = None, *named: int) -> nx.MultiDiGraph[int]:
    """What is true at the moment; those that a question names are there whether they live or not."""
    picture: nx.MultiDiGraph[int] = nx.MultiDiGraph()
    there = {node for node, life in enumerate(world.lives) if node in named or holds(life, moment)}
    picture.add_nodes_from(there)
    for number, edge in enumerate(world.edges):
        if holds(edge, moment) and {edge.source, edge.target} <= there:
            picture.add_edge(edge.source, edge.target, key=f"r{number}")
    return picture


@settings(deadline=None)
@given(worlds(), nodes, st.integers(1, 3), moments)
def test_everybody_within_the_hops_and_all_relations_among_them(
    world: World, center: int, hops: int, moment: Moment | None
) -> None:
    found = around(world, center, hops, 1000, moment)
    picture = drawn(world, moment, center)
    distances = nx.single_source_shortest_path_length(picture.to_undirected(), center, cutoff=hops)
    assert set(found.nodes) == set(distances)
    assert len(found.nodes) == len(distances)
    assert not found.truncated
    hop_counts = [distances[node] for node in found.nodes]
    assert hop_counts == sorted(hop_counts)
    among = sorted(key for _, _, key in picture.subgraph(distances).edges(keys=True))
    assert sorted(world.graph.ids[link] for link in found.links) == among


@settings(deadline=None)
@given(worlds(), nodes, st.integers(1, 3), st.integers(1, 8), moments, st.randoms())
def test_truncation_keeps_the_nearest_then_the_weightiest_whatever_the_order(
    world: World, center: int, hops: int, most: int, moment: Moment | None, chance: random.Random
) -> None:
    found = around(world, center, hops, most, moment)
    picture = drawn(world, moment, center)
    distances = nx.single_source_shortest_path_length(picture.to_undirected(), center, cutoff=hops)
    degree = dict(drawn(world).degree())
    ranked = sorted(
        distances, key=lambda node: (distances[node], -world.roster.significance[node], -degree[node], node)
    )
    assert found.truncated is (len(ranked) > most)
    if found.truncated:
        assert set(found.nodes) == set(ranked[:most])
    order = list(range(len(world.edges)))
    chance.shuffle(order)
    again = compiled(world.edges, world.lives, order)
    assert set(around(again, center, hops, most, moment).nodes) == set(found.nodes)
    inside = set(found.nodes)
    kept = {key for source, target, key in picture.edges(keys=True) if {source, target} <= inside}
    assert {world.graph.ids[link] for link in found.links} == kept


@settings(deadline=None, max_examples=examples(60))
@given(worlds(), nodes, nodes, st.booleans(), moments)
def test_a_path_is_as_short_as_any_and_every_step_of_it_is_a_relation(
    world: World, source: int, target: int, directed: bool, moment: Moment | None
) -> None:
    found = way(world, source, target, directed, moment)
    picture = drawn(world, moment, source, target)
    searched = picture if directed else picture.to_undirected()
    assert not found.degraded
    if not nx.has_path(searched, source, target):
        assert found.nodes == ()
        return
    assert len(found.nodes) == nx.shortest_path_length(searched, source, target) + 1
    assert (found.nodes[0], found.nodes[-1]) == (source, target)
    assert all(searched.has_edge(one, other) for one, other in pairwise(found.nodes))


@settings(deadline=None)
@given(worlds(), nodes, nodes, st.integers(0, 6))
def test_a_bounded_search_is_right_or_says_that_it_gave_up(
    world: World, source: int, target: int, most: int
) -> None:
    bounded = route(
        world.roster,
        world.graph,
        source,
        target,
        directed=False,
        max_expansions=most,
        instant=None,
        deadline=deadline(),
    )
    free = way(world, source, target, False)
    assert bounded.expansions <= most
    assert bounded.degraded is (free.expansions > most)
    assert bounded.nodes == (() if bounded.degraded else free.nodes)


def test_a_search_that_would_open_too_much_is_degraded() -> None:
    star = [Edge(0, node, "ally", None, None) for node in range(1, 6)]
    spokes = [Edge(node, 6, "ally", None, None) for node in range(1, 6)]
    chain = [Edge(6, 7, "ally", None, None), Edge(7, 8, "ally", None, None), Edge(8, 9, "ally", None, None)]
    world = compiled(star + spokes + chain, ALWAYS, list(range(13)))
    limited = route(
        world.roster, world.graph, 0, 9, directed=False, max_expansions=3, instant=None, deadline=deadline()
    )
    assert limited == Route((), limited.expansions, True)
    assert way(world, 0, 9, False).nodes[0::5] == (0, 9)


@settings(deadline=None, max_examples=examples(60))
@given(worlds(), st.sampled_from([None, {"ally"}, {"ally", "enemy"}, set()]))
def test_one_true_cycle_for_each_component_that_has_any(world: World, types: set[str] | None) -> None:
    found = find_cycles(world.roster, world.graph, types=types, limit=1000, deadline=deadline())
    picture: nx.DiGraph[int] = nx.DiGraph()
    picture.add_edges_from((e.source, e.target) for e in world.edges if types is None or e.kind in types)
    components = [part for part in nx.strongly_connected_components(picture) if len(part) > 1]
    assert found.components == len(components) == len(found.cycles)
    homes = {node: number for number, part in enumerate(components) for node in part}
    assert sorted(homes[cycle[0]] for cycle in found.cycles) == list(range(len(components)))
    for cycle in found.cycles:
        assert cycle[0] == cycle[-1]
        assert len(set(cycle)) == len(cycle) - 1 >= 2
        assert all(picture.has_edge(one, other) for one, other in pairwise(cycle))


@settings(deadline=None)
@given(worlds(), st.integers(0, 3))
def test_cycles_beyond_the_limit_are_counted(world: World, limit: int) -> None:
    every = find_cycles(world.roster, world.graph, types=None, limit=1000, deadline=deadline())
    some = find_cycles(world.roster, world.graph, types=None, limit=limit, deadline=deadline())
    assert some.components == every.components
    assert some.cycles == every.cycles[:limit]


steps = st.lists(st.tuples(st.integers(0, 6), st.none() | edges), max_size=30)


@given(steps)
def test_an_adjacency_that_was_changed_is_one_made_anew(changed: list[tuple[int, Edge | None]]) -> None:
    graph = Adjacency(0)
    kept: dict[int, Edge] = {}
    for number, edge in changed:
        if edge is None or edge.source == edge.target:
            graph.drop(f"r{number}")
            kept.pop(number, None)
        else:
            graph.put(f"r{number}", edge.source, edge.target, edge.kind)
            kept[number] = edge
    arrows = sorted((s, t, graph.ids[link], graph.types[link]) for s, t, link in graph.edges())
    assert arrows == sorted((e.source, e.target, f"r{number}", e.kind) for number, e in kept.items())
    assert len(graph) == len(kept)
    for node in range(NODES):
        beside = sorted((peer, graph.ids[link]) for peer, link in graph.steps(node, None))
        expected = [(e.target, f"r{n}") for n, e in kept.items() if e.source == node]
        expected += [(e.source, f"r{n}") for n, e in kept.items() if e.target == node]
        assert beside == sorted(expected)
        assert graph.degree(node) == len(expected)


def test_every_walk_gives_up_when_its_time_is_over() -> None:
    world = compiled([Edge(0, 1, "ally", None, None)], ALWAYS, [0])
    over = Deadline(perf_counter, 0)
    with pytest.raises(QueryTimeout) as refused:
        neighbourhood(world.roster, world.graph, 0, hops=1, max_nodes=5, instant=None, deadline=over)
    assert refused.value.details is not None
    assert refused.value.details["timeoutMs"] == 0
    assert "keyword" in (refused.value.suggestion or "")
    with pytest.raises(QueryTimeout):
        route(world.roster, world.graph, 0, 1, directed=False, max_expansions=9, instant=None, deadline=over)
    with pytest.raises(QueryTimeout):
        find_cycles(world.roster, world.graph, types=None, limit=9, deadline=over)
