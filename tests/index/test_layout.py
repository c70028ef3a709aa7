"""Where everybody stands: always the same, near those they belong to, and whoever has a place keeps it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from fabula.index.arrays import Floats
from fabula.index.communities import Numbers, Stopped, communities
from fabula.index.layout import EXACT, laid_out


def always(_: float) -> bool:
    return True


def nowhere(size: int) -> Floats:
    return np.full((size, 2), np.nan)


def cliques(count: int, size: int) -> tuple[Numbers, Numbers]:
    """Rings of everybody with the next five, one edge from each ring to the following."""
    pairs = [
        (ring * size + node, ring * size + (node + step) % size)
        for ring in range(count)
        for node in range(size)
        for step in range(1, 6)
    ]
    pairs += [(ring * size, (ring + 1) * size) for ring in range(count - 1)]
    sources, targets = np.array(pairs, dtype=np.int64).T
    return sources, targets


def test_rings_are_communities() -> None:
    found = communities(120, *cliques(4, 30), always)
    assert len(set(found.tolist())) == 4
    assert all(len(set(found[ring * 30 : ring * 30 + 30].tolist())) == 1 for ring in range(4))


@pytest.mark.parametrize(("count", "size"), [(3, 20), (8, 60)])
def test_a_community_is_drawn_close_together(count: int, size: int) -> None:
    sources, targets = cliques(count, size)
    drawn = laid_out(nowhere(count * size), sources, targets, always)
    related = np.hypot(*(drawn[sources] - drawn[targets]).T).mean()
    anybody = np.hypot(*(drawn[:, None] - drawn[None, :]).transpose(2, 0, 1)).mean()
    assert related < 0.5 * anybody
    again = laid_out(nowhere(count * size), sources, targets, always)
    assert np.array_equal(drawn, again)


@settings(max_examples=examples(15), deadline=None)
@given(data=st.data(), size=st.integers(1, 40))
def test_everybody_has_a_place_and_whoever_had_one_keeps_it(data: st.DataObject, size: int) -> None:
    nodes = st.integers(0, size - 1)
    pairs = data.draw(st.lists(st.tuples(nodes, nodes).filter(lambda pair: pair[0] != pair[1]), max_size=80))
    fixed = data.draw(st.sets(nodes))
    places = nowhere(size)
    for node in fixed:
        places[node] = data.draw(st.tuples(st.floats(-5000, 5000), st.floats(-5000, 5000)))
    edges = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    drawn = laid_out(places, edges[:, 0], edges[:, 1], always)
    assert np.isfinite(drawn).all()
    kept = sorted(fixed)
    assert np.array_equal(drawn[kept], places[kept])
    if not fixed and size > 1:
        apart = np.hypot(*(drawn[:, None] - drawn[None, :]).transpose(2, 0, 1)) + np.eye(size) * 1e9
        assert apart.min() > 10


def test_a_newcomer_stands_next_to_those_it_knows() -> None:
    sources, targets = cliques(2, 30)
    places = laid_out(nowhere(60), sources, targets, always)
    places = np.vstack((places, [[np.nan, np.nan]]))
    drawn = laid_out(places, np.append(sources, 60), np.append(targets, 5), always)
    assert np.array_equal(drawn[:60], places[:60])
    assert np.hypot(*(drawn[60] - drawn[5])) < 400


def test_a_layout_stops_when_it_is_cancelled() -> None:
    sources, targets = cliques(10, 60)
    assert EXACT < 600
    with pytest.raises(Stopped):
        laid_out(nowhere(600), sources, targets, lambda done: done < 0.3)
