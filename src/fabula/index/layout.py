"""A deterministic layout of the graph that draws connected nodes close together.

Small graphs use exact forces. Large ones are drawn in two steps: communities as discs, then the nodes inside
each disc. Nodes that have a position keep it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fabula.index.arrays import Floats
from fabula.index.communities import LayoutProgress, Numbers, Stopped, communities

# Up to this size, forces between all pairs are affordable.
EXACT = 300
SPACING = 92.0
DENSE_SPACING = 34.0
# Smaller graphs are drawn with more space between nodes: the factor by the logarithm of their number.
AIR = ((2.5, 4.3), (2.3, 1.0))
GOLDEN = np.pi * (3 - np.sqrt(5))
EXACT_TURNS = 240
FELT = 3.0
GRAVITY = 0.08
# Screens are wider than they are high.
WIDE = np.array([0.75, 1.3])
INSIDE_TURNS = 40
# This many communities are placed by forces; the smaller ones are put around them.
DRAWN_COMMUNITIES = 600
# If more than this share has no position, everything is drawn anew and aligned with those that have one.
ANEW = 0.3
COVERED = 0.42


def laid_out(places: Floats, sources: Numbers, targets: Numbers, report: LayoutProgress) -> Floats:
    """A position for every node; those that have one (not NaN) keep it."""
    missing = np.isnan(places[:, 0]) | np.isnan(places[:, 1])
    if not missing.any():
        return places
    if missing.all():
        return _fresh(len(places), sources, targets, report)
    if missing.mean() > ANEW:
        drawn = _fresh(len(places), sources, targets, report)
        drawn += (places[~missing] - drawn[~missing]).mean(axis=0)
        return np.where(missing[:, None], drawn, places)
    return _beside(places, missing, sources, targets)


def _fresh(size: int, sources: Numbers, targets: Numbers, report: LayoutProgress) -> Floats:
    if size <= EXACT:
        return _exact(size, sources, targets, report)
    linked = np.zeros(size, dtype=np.bool_)
    linked[sources] = linked[targets] = True
    number = np.cumsum(linked) - 1
    ends = number[sources], number[targets]
    count = int(linked.sum())
    drawn = np.zeros((size, 2))
    if count:
        inner = _exact(count, *ends, report) if count <= EXACT else _in_communities(count, *ends, report)
        drawn[linked] = inner - (inner.max(axis=0) + inner.min(axis=0)) / 2
    alone = size - count
    if alone:
        reach = float(np.hypot(*drawn.T).max()) + 2 * DENSE_SPACING if count else 0.0
        drawn[~linked] = _spiral(alone, DENSE_SPACING, reach)
    roomy: Floats = drawn * np.interp(np.log10(size), *AIR)
    return roomy


def _spiral(count: int, spacing: float, reach: float = 0.0) -> Floats:
    """Points evenly around the origin, like the seeds of a sunflower; none closer than `reach`."""
    places = np.arange(count) + (reach / spacing / 0.55) ** 2 + 0.5
    radius, angle = 0.55 * spacing * np.sqrt(places), np.arange(count) * GOLDEN
    return np.stack((radius * np.cos(angle), radius * np.sin(angle)), axis=1)


def _exact(size: int, sources: Numbers, targets: Numbers, report: LayoutProgress) -> Floats:
    """A force-directed layout: nodes repel, relations attract, unconnected parts stay near."""
    degrees = _degrees(size, sources, targets)
    drawn = _spiral(size, SPACING)[np.argsort(np.argsort(-degrees, kind="stable"))]
    room = SPACING * (0.85 + 0.45 * np.log1p(degrees) / np.log1p(max(1.0, float(degrees.max()))))
    drawn = _forced(drawn, sources, targets, np.ones(len(sources)), room, report)
    middle: Floats = (drawn.max(axis=0) + drawn.min(axis=0)) / 2
    return drawn - middle


def _forced(
    drawn: Floats, sources: Numbers, targets: Numbers, weights: Floats, room: Floats, report: LayoutProgress
) -> Floats:
    """The positions after the forces have settled; `room` is the distance each node wants."""
    size, degrees = len(drawn), _degrees(len(drawn), sources, targets)
    push = np.sqrt(1.0 + degrees)
    wanted = (room[:, None] + room[None, :]) / 2
    together = (room[sources] + room[targets]) / 2
    pull = weights / np.sqrt(np.minimum(degrees[sources], degrees[targets]) + 1.0)
    pushes = np.sqrt(push[:, None] * push[None, :])
    weight = GRAVITY * (push + 4 / (1 + degrees))
    limit = float(room.mean())
    for turn in range(EXACT_TURNS):
        if turn % 40 == 0 and not report(turn / EXACT_TURNS):
            raise Stopped
        away = drawn[:, None, :] - drawn[None, :, :]
        square = (away**2).sum(axis=2) + 1e-6
        # Repulsion fades with distance, so that unconnected parts stay in the picture.
        strength = 0.5 * wanted**2 * pushes / square / (1 + square / (FELT * wanted) ** 2)
        np.fill_diagonal(strength, 0.0)
        close = np.sqrt(square) < wanted
        strength += close * (wanted / np.sqrt(square) - 1) * 0.6
        force = (away * strength[:, :, None]).sum(axis=1)
        along = drawn[targets] - drawn[sources]
        length = np.hypot(*along.T)[:, None] + 1e-6
        spring = along * (pull[:, None] * length / together[:, None]) * 0.55
        for axis in (0, 1):
            force[:, axis] += np.bincount(sources, spring[:, axis], size)
            force[:, axis] -= np.bincount(targets, spring[:, axis], size)
        force -= drawn * weight[:, None] * WIDE
        heat = limit * (1 - turn / EXACT_TURNS) ** 1.5 + 0.5
        norm = np.hypot(*force.T)[:, None] + 1e-9
        drawn = drawn + force / norm * np.minimum(norm, heat)
    return _apart(drawn, wanted * 0.8)


def _apart(drawn: Floats, wanted: Floats, turns: int = 60) -> Floats:
    """The positions pushed apart to the wanted distances, as far as a few iterations can."""
    for _ in range(turns):
        away = drawn[:, None, :] - drawn[None, :, :]
        distance = np.sqrt((away**2).sum(axis=2)) + 1e-6
        lack = np.maximum(0.0, wanted - distance)
        np.fill_diagonal(lack, 0.0)
        if lack.max(initial=0.0) < 0.01:
            break
        drawn = drawn + (away * (lack / distance)[:, :, None] * 0.4).sum(axis=1)
    return drawn


def _degrees(size: int, sources: Numbers, targets: Numbers) -> Floats:
    return (np.bincount(sources, minlength=size) + np.bincount(targets, minlength=size)).astype(np.float64)


def _in_communities(size: int, sources: Numbers, targets: Numbers, report: LayoutProgress) -> Floats:
    group = communities(size, sources, targets, lambda done: report(0.6 * done))
    counts = np.bincount(group)
    radius = DENSE_SPACING * 0.62 * np.sqrt(counts) + DENSE_SPACING
    middle = _middles(group, counts, radius, sources, targets)
    if not report(0.7):
        raise Stopped
    inside = group[sources] == group[targets]
    degrees = _degrees(size, sources[inside], targets[inside])
    drawn = _seeded(group, counts, degrees)
    return (
        _settled(
            drawn, group, radius, sources[inside], targets[inside], lambda done: report(0.7 + 0.3 * done)
        )
        + middle[group]
    )


def _middles(group: Numbers, counts: Numbers, radius: Floats, sources: Numbers, targets: Numbers) -> Floats:
    """The centres of the communities: large ones placed by their relations, small ones around them."""
    order = np.argsort(-counts, kind="stable")
    drawn = order[:DRAWN_COMMUNITIES]
    rank = np.full(len(counts), -1)
    rank[drawn] = np.arange(len(drawn))
    source, target = rank[group[sources]], rank[group[targets]]
    between = (source != target) & (source >= 0) & (target >= 0)
    pairs = np.stack((np.minimum(source, target)[between], np.maximum(source, target)[between]), axis=1)
    edges, many = np.unique(pairs, axis=0, return_counts=True)
    near = _spiral(len(drawn), 2 * float(radius[drawn].mean()))
    weights = np.minimum(3.0, np.sqrt(many / max(1.0, float(many.mean() if len(many) else 1.0))))
    near = _forced(near, edges[:, 0], edges[:, 1], weights, 2 * radius[drawn], lambda _: True)
    near *= _shrinking(near, radius[drawn])
    near = _apart(near, radius[drawn][:, None] + radius[drawn][None, :], 200)
    middle = np.zeros((len(counts), 2))
    middle[drawn] = near
    rest = order[DRAWN_COMMUNITIES:]
    if len(rest):
        reach = float((np.hypot(*near.T) + radius[drawn]).max())
        area = np.cumsum((2 * radius[rest]) ** 2)
        far = np.sqrt(reach**2 + 1.2 * area / np.pi) + radius[rest]
        turn = np.arange(len(rest)) * GOLDEN
        middle[rest] = np.stack((far * np.cos(turn), far * np.sin(turn)), axis=1)
    return middle


def _shrinking(middles: Floats, radius: Floats) -> float:
    """The factor by which discs can move closer together before they would touch."""
    width, height = np.ptp(middles, axis=0) + 2 * radius.max()
    covered = float((np.pi * radius**2).sum()) / float(width * height)
    return min(1.0, float(np.sqrt(covered / COVERED)))


def _seeded(group: Numbers, counts: Numbers, degrees: Floats) -> Floats:
    """Nodes placed around the centre of their community, the best connected innermost."""
    order = np.lexsort((-degrees, group))
    place = np.empty(len(group), dtype=np.int64)
    place[order] = np.arange(len(group)) - np.repeat(np.cumsum(counts) - counts, counts)
    radius, angle = DENSE_SPACING * 0.62 * np.sqrt(place), place * GOLDEN
    return np.stack((radius * np.cos(angle), radius * np.sin(angle)), axis=1)


def _settled(
    drawn: Floats, group: Numbers, radius: Floats, sources: Numbers, targets: Numbers, report: LayoutProgress
) -> Floats:
    """Forces inside all discs at once: relations attract, crowded cells push their nodes out."""
    size, reach = len(drawn), (radius - DENSE_SPACING / 2)[group]
    pull = 0.12 / np.sqrt(np.minimum(*(_degrees(size, sources, targets)[end] for end in (sources, targets))))
    for turn in range(INSIDE_TURNS):
        if not report(turn / INSIDE_TURNS):
            raise Stopped
        along = (drawn[targets] - drawn[sources]) * pull[:, None]
        force = np.zeros_like(drawn)
        for axis in (0, 1):
            force[:, axis] += np.bincount(sources, along[:, axis], size)
            force[:, axis] -= np.bincount(targets, along[:, axis], size)
        for shift in (0.0, 0.5):
            force += _crowding(drawn, group, shift)
        norm = np.hypot(*force.T)[:, None] + 1e-9
        drawn = drawn + force / norm * np.minimum(norm, DENSE_SPACING * (1 - turn / INSIDE_TURNS) + 1)
        far = np.hypot(*drawn.T) / reach
        drawn /= np.maximum(far, 1.0)[:, None]
    return drawn


def _crowding(drawn: Floats, group: Numbers, shift: float) -> Floats:
    """A force away from the centre of a node's cell, the stronger the more crowded the cell is."""
    cell = np.floor(drawn / (2 * DENSE_SPACING) + shift).astype(np.int64) + 100_000
    key = (group * 200_000 + cell[:, 0]) * 200_000 + cell[:, 1]
    _, place, count = np.unique(key, return_inverse=True, return_counts=True)
    middle = np.stack([np.bincount(place, drawn[:, axis]) for axis in (0, 1)], axis=1) / count[:, None]
    away = drawn - middle[place]
    distance = np.hypot(*away.T)[:, None] + 1.0
    force: Floats = away / distance * (np.maximum(0.0, count[place] - 3.0) * 3.0)[:, None]
    return force


def _beside(places: Floats, missing: NDArray[np.bool_], sources: Numbers, targets: Numbers) -> Floats:
    """New nodes placed next to their neighbours, unconnected ones around the picture; no other node moves."""
    drawn, waiting = places.copy(), missing.copy()
    spacing = SPACING if len(places) <= EXACT else DENSE_SPACING
    taken = {_square(place, spacing) for place in places[~missing].tolist()}
    ends, peers = np.concatenate((sources, targets)), np.concatenate((targets, sources))
    news = np.isin(ends, np.flatnonzero(missing))
    ends, peers = ends[news], peers[news]
    while waiting.any():
        known = ~waiting[peers] & waiting[ends]
        nodes = np.unique(ends[known])
        if len(nodes) == 0:
            break
        for node in nodes.tolist():
            around = drawn[peers[known & (ends == node)]].mean(axis=0)
            drawn[node] = _free(around, spacing, taken)
        waiting[nodes] = False
    left = np.flatnonzero(waiting)
    if len(left):
        middle = drawn[~waiting].mean(axis=0)
        reach = float(np.hypot(*(drawn[~waiting] - middle).T).max()) + spacing
        for node, place in zip(left.tolist(), _spiral(len(left), spacing, reach) + middle, strict=True):
            drawn[node] = _free(place, spacing, taken)
    return drawn


def _square(place: list[float], spacing: float) -> tuple[int, int]:
    return int(place[0] // spacing), int(place[1] // spacing)


def _free(around: Floats, spacing: float, taken: set[tuple[int, int]]) -> Floats:
    """The nearest free position."""
    for offset in _spiral(400, spacing):
        place: Floats = around + offset
        square = _square(place.tolist(), spacing)
        if square not in taken:
            taken.add(square)
            return place
    return around
