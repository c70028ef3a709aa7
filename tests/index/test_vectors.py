"""Search in the matrix finds what comparing one by one finds."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fabula.index.vectors import VectorIndex
from fabula.store.vector_reader import VectorKey
from plain_embedder import DIMENSIONS, vector_of

KEYS = st.builds(
    VectorKey, st.sampled_from(["entity", "entry"]), st.sampled_from("abcdef"), st.integers(0, 40)
)
CHANGES = st.lists(st.tuples(KEYS, st.none() | st.integers(0, 1000)), max_size=120)


@given(CHANGES, st.sets(KEYS))
def test_any_changes_leave_what_one_by_one_comparison_finds(changes: Any, allowed: set[VectorKey]) -> None:
    index, plain = VectorIndex(DIMENSIONS), dict[VectorKey, Any]()
    for key, seed in changes:
        if seed is None:
            index.drop(key)
            plain.pop(key, None)
        else:
            vector = vector_of(str(seed))
            index.put(key, vector)
            plain[key] = vector
    query = vector_of("question")
    assert len(index) == len(plain)
    for mask, shown in ((None, plain.keys()), (index.mask(allowed), plain.keys() & allowed)):
        found = index.similarities(query, mask)
        assert len(found) == len(index.keys)
        for row, key in enumerate(index.keys):
            if key in shown:
                assert found[row] == np.vecdot(plain[key], query)
                assert index.row_of(key) == row
            else:
                assert found[row] == -1


def test_a_dropped_row_is_used_again() -> None:
    index = VectorIndex(DIMENSIONS)
    for number in range(200):
        index.put(VectorKey("entity", str(number), 0), vector_of(str(number)))
    index.keep("entity", {VectorKey("entity", "7", 0)})
    for number in range(1000, 1100):
        index.put(VectorKey("entity", str(number), 0), vector_of(str(number)))
    assert len(index.keys) == 200
    assert len(index) == 101


def test_whoever_remembers_rows_is_told_when_they_change_hands() -> None:
    index, other = VectorIndex(DIMENSIONS), VectorIndex(DIMENSIONS)
    one, two = VectorKey("entity", "one", 0), VectorKey("entity", "two", 0)
    index.put(one, vector_of("1"))
    other.put(two, vector_of("2"))
    before = index.arrangement_of("entity")
    assert before != other.arrangement_of("entity")
    index.put(one, vector_of("3"))
    index.put(VectorKey("scene", "one", 0), vector_of("4"))
    assert index.arrangement_of("entity") == before
    index.drop(one)
    index.put(two, vector_of("2"))
    assert index.row_of(two) == 0
    assert index.arrangement_of("entity") != before
