"""Counts and spreads: sums that fit, whoever notes them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.meters import SECONDS, LabelledCounter, Spread


@given(st.lists(st.floats(0, 100, allow_nan=False)))
def test_every_step_counts_what_is_not_above_it(values: list[float]) -> None:
    spread = Spread(SECONDS)
    for value in values:
        spread.note(value)
    found = spread.spreading()
    assert dict(found.steps) == {
        step: sum(value <= step for value in values) for step in (*SECONDS, float("inf"))
    }
    assert found.total == pytest.approx(sum(values))


def test_threads_lose_no_count() -> None:
    tally = LabelledCounter("one", "other")
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: tally.add("one"), range(2000)))
    assert tally.counts() == {"one": 2000, "other": 0}


def test_a_word_that_was_not_foreseen_is_refused() -> None:
    with pytest.raises(KeyError):
        LabelledCounter("one").add("two")
