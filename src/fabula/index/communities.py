"""Community detection with the Louvain method."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fabula.index.arrays import Floats

Numbers = NDArray[np.int64]
# Called with the progress from 0 to 1; returning False stops the work.
LayoutProgress = Callable[[float], bool]

MOST_PASSES = 6
MOST_LEVELS = 6
# After a pass that moves less than this share of the nodes, another one would make no visible difference.
STILL = 0.01


class Stopped(Exception):
    """The work was cancelled by its progress callback."""


class _Web(NamedTuple):
    """A weighted graph: the edges of each node in both directions."""

    first: list[int]
    peers: list[int]
    weights: list[float]
    degrees: list[float]

    @property
    def size(self) -> int:
        return len(self.degrees)


def communities(size: int, sources: Numbers, targets: Numbers, report: LayoutProgress) -> Numbers:
    """The community of every node, numbered from 0; deterministic."""
    found = np.arange(size, dtype=np.int64)
    apart = sources != targets
    source, target = sources[apart], targets[apart]
    weights = np.ones(len(source))
    for level in range(MOST_LEVELS):
        web = _web(int(found.max(initial=-1)) + 1, source, target, weights)
        moved = _moved(web, report, level)
        _, labels = np.unique(moved, return_inverse=True)
        labels = labels.astype(np.int64)
        found = labels[found]
        if int(labels.max(initial=-1)) + 1 == web.size:
            break
        source, target, weights = _folded(labels[source], labels[target], weights)
    return found


def _web(size: int, source: Numbers, target: Numbers, weights: Floats) -> _Web:
    ends = np.concatenate((source, target))
    peers = np.concatenate((target, source))
    both = np.concatenate((weights, weights))
    order = np.argsort(ends, kind="stable")
    counts = np.bincount(ends, minlength=size)
    first = np.concatenate(([0], np.cumsum(counts)))
    degrees = np.bincount(ends, weights=both, minlength=size)
    return _Web(first.tolist(), peers[order].tolist(), both[order].tolist(), degrees.tolist())


def _moved(web: _Web, report: LayoutProgress, level: int) -> Numbers:
    """Each node moved to the community with the largest gain, until hardly any node moves."""
    home = list(range(web.size))
    total = list(web.degrees)
    weight = sum(web.degrees) or 1.0
    for turn in range(MOST_PASSES):
        if not report((level + turn / MOST_PASSES) / MOST_LEVELS):
            raise Stopped
        changes = 0
        for node in range(web.size):
            own, degree = home[node], web.degrees[node]
            total[own] -= degree
            best = _best(web, node, home, total, degree / weight)
            total[best] += degree
            if best != own:
                home[node] = best
                changes += 1
        if changes <= STILL * web.size:
            break
    return np.array(home, dtype=np.int64)


def _best(web: _Web, node: int, home: list[int], total: list[float], share: float) -> int:
    pull: dict[int, float] = {}
    for place in range(web.first[node], web.first[node + 1]):
        peer = web.peers[place]
        if peer != node:
            there = home[peer]
            pull[there] = pull.get(there, 0.0) + web.weights[place]
    best = home[node]
    gain = pull.get(best, 0.0) - total[best] * share
    for there, amount in pull.items():
        more = amount - total[there] * share
        if more > gain + 1e-12 or (more > gain - 1e-12 and there < best):
            best, gain = there, more
    return best


def _folded(source: Numbers, target: Numbers, weights: Floats) -> tuple[Numbers, Numbers, Floats]:
    """The weighted edges between communities, merged; edges inside one become loops."""
    low, high = np.minimum(source, target), np.maximum(source, target)
    if len(low) == 0:
        return low, high, weights
    span = int(high.max()) + 1
    keys, places = np.unique(low * span + high, return_inverse=True)
    return keys // span, keys % span, np.bincount(places, weights=weights).astype(np.float64)
