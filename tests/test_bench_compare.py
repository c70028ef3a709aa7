"""A comparison of measurements fails when something became slower over its baseline, and only then."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path

import pytest
from bench.compare import MOST, RUNS, changes, compare, cpu_ratios, middle


def measured(*runs: dict[str, float]) -> dict[str, Callable[[], dict[str, float]]]:
    """A source that finds these, one after the other."""
    found: Iterator[dict[str, float]] = cycle(runs)
    return {"doors": lambda: next(found)}


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    file = tmp_path / "ratios.json"
    file.write_text(json.dumps({"doors": {"story": 4.0, "health": 2.0}}), "utf-8")
    return file


def test_a_row_over_the_limit_fails(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert compare([], file=kept, sources=measured({"story": 4.0 * MOST + 0.1, "health": 2.0})) == 1
    assert "slower" in capsys.readouterr().out


def test_a_row_at_the_limit_and_one_that_is_new_do_not(kept: Path) -> None:
    assert compare([], file=kept, sources=measured({"story": 4.0 * MOST, "health": 0.1, "read": 99.0})) == 0


def test_a_row_that_is_measured_no_more_fails(kept: Path) -> None:
    assert compare([], file=kept, sources=measured({"story": 4.0})) == 1


def test_one_slow_run_of_three_is_forgiven(kept: Path) -> None:
    well, ill = {"story": 4.0, "health": 2.0}, {"story": 40.0, "health": 20.0}
    assert RUNS == 3
    assert compare([], file=kept, sources=measured(well, ill, well)) == 0
    assert compare([], file=kept, sources=measured(ill, well, ill)) == 1


def test_ratios_are_kept_only_when_asked_for(kept: Path) -> None:
    before = kept.read_text("utf-8")
    slower = {"story": 9.0, "health": 2.0}
    assert compare(["doors"], file=kept, sources=measured(slower)) == 1
    assert kept.read_text("utf-8") == before
    assert compare(["doors"], file=kept, sources=measured(slower), keep=True) == 0
    assert json.loads(kept.read_text("utf-8")) == {"doors": slower}
    assert compare(["doors"], file=kept, sources=measured(slower)) == 0


def test_what_nobody_measures_cannot_be_compared(kept: Path) -> None:
    with pytest.raises(SystemExit, match="nothing to compare in nonsense"):
        compare(["nonsense"], file=kept, sources=measured({}))


def test_a_ratio_is_the_median_of_the_processor_over_that_of_the_baseline() -> None:
    mine = {"read": {"cpu_p50": 0.5, "p50": 9.0}, "load": {"seconds": 1.0}, "only mine": {"cpu_p50": 1.0}}
    theirs = {"read": {"cpu_p50": 0.1, "p50": 1.0}, "load": {"seconds": 1.0}}
    assert cpu_ratios(mine, theirs) == {"read": 5.0}
    assert middle([{"a": 1.0, "b": 1.0}, {"a": 3.0}, {"a": 2.0}]) == {"a": 2.0}
    assert [change.verdict for change in changes({"a": 1.0}, {"b": 1.0})] == ["not measured any more", "new"]
