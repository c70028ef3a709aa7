"""Calls of a model that are counted by several processes together."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from fabula.errors import RateLimited
from fabula.llm.rate import WINDOW_S, CallRate
from fabula.store.call_rate import SharedCallRate


@dataclass
class Hands:
    """A clock that is set by hand."""

    now: float = 0.0

    def monotonic(self) -> float:
        return self.now


def refusal(rate: CallRate | SharedCallRate, caller: str) -> dict[str, int] | None:
    try:
        rate.admit(caller)
    except RateLimited as refused:
        return refused.details
    return None


@settings(max_examples=examples(15))
@given(
    limit=st.integers(1, 4),
    calls=st.lists(
        st.tuples(st.integers(0, 2), st.sampled_from("甲乙"), st.floats(0, 70) | st.just(60.0)), max_size=20
    ),
)
def test_processes_that_share_a_file_count_as_one_would(
    limit: int, calls: list[tuple[int, str, float]]
) -> None:
    clock = Hands(1e6 + 0.1)
    one = CallRate(limit, clock.monotonic)
    with TemporaryDirectory() as name:
        shared = [SharedCallRate(Path(name) / "calls.db", limit, clock.monotonic) for _ in range(3)]
        for number, caller, pause in calls:
            clock.now += pause
            assert refusal(shared[number], caller) == refusal(one, caller)


def test_many_at_once_get_no_more_than_there_is(tmp_path: Path) -> None:
    admitted = []

    def work() -> None:
        rate = SharedCallRate(tmp_path / "calls.db", 7, lambda: 0.0)
        admitted.extend(1 for _ in range(5) if refusal(rate, "甲") is None)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(admitted) == 7


def test_a_limit_of_zero_is_none_and_needs_no_file(tmp_path: Path) -> None:
    rate = SharedCallRate(tmp_path / "calls.db", 0, lambda: 0.0)
    assert [refusal(rate, "甲") for _ in range(100)] == [None] * 100
    assert not (tmp_path / "calls.db").exists()


def test_a_file_that_cannot_be_used_leaves_the_count_of_this_process(tmp_path: Path) -> None:
    clock = Hands()
    rate = SharedCallRate(tmp_path / "nowhere" / "calls.db", 2, clock.monotonic)
    assert [refusal(rate, "甲") is None for _ in range(3)] == [True, True, False]
    clock.now = WINDOW_S
    assert refusal(rate, "甲") is None


def test_a_file_of_something_else_does_not_keep_anybody_from_a_model(tmp_path: Path) -> None:
    file = tmp_path / "calls.db"
    file.write_text("not a database at all, but long enough to be taken for one" * 20)
    rate = SharedCallRate(file, 1, lambda: 0.0)
    rate.admit("甲")
    with pytest.raises(RateLimited):
        rate.admit("甲")
