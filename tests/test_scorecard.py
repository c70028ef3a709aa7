"""The score card is what its command writes, names only what is measured, and invents no figure."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from bench.eval.__main__ import MEASUREMENTS
from bench.eval.kept import Kept, keep, kept
from bench.eval.scorecard import LINES, PAGE, card
from bench.eval.table import Row

_FIGURE = re.compile(r"(?<=\| )(?:\d+(?:\.\d+)?|–)(?= \|)")
_QUICK = re.compile(" --quick")
ALL = [line for lines in LINES.values() for line in lines]


def test_the_page_has_the_shape_that_the_command_writes() -> None:
    written, page = card(kept, list(MEASUREMENTS)), PAGE.read_text("utf-8")
    assert _shape(page) == _shape(written)
    assert _headings(page) == _headings(written)


def _shape(page: str) -> str:
    """The summary without its figures; the rows of single measurements differ with the sets at hand."""
    return _QUICK.sub("", _FIGURE.sub("0", page.split("## Every figure")[0]))


def _headings(page: str) -> list[str]:
    return [line for line in page.splitlines() if line.startswith("#")]


def test_every_line_names_a_measurement_and_every_measurement_stands_on_the_page() -> None:
    assert {line.measurement for line in ALL} <= set(MEASUREMENTS)
    page = PAGE.read_text("utf-8")
    for name in MEASUREMENTS:
        assert f"`python -m bench.eval {name}" in page


def _found(is_sample: bool = False) -> Kept:
    rows = [Row("graph", 3, {"R@5": 99.0, "all@5": 97.0}), Row("BM25", 3, {"R@5": 12.3, "all@5": 4.5})]
    halves = [Row(f"{row.name}, not looked at", row.cases, row.figures) for row in rows]
    return Kept({title: [*rows, *halves] for title in ("2Wiki", "MuSiQue", "HotpotQA")}, is_sample)


def test_a_figure_stands_beside_the_floor_of_the_same_run() -> None:
    page = card(lambda name: _found() if name == "multihop" else None, ["multihop"])
    (line,) = [one for one in page.splitlines() if one.startswith("| MuSiQue")]
    assert "| R@5 | 3 | 99.0 | 12.3 |" in line


def test_what_was_not_run_is_a_dash() -> None:
    page = card(lambda _: None, ["multihop"])
    (line,) = [one for one in page.splitlines() if one.startswith("| MuSiQue")]
    assert "| R@5 | – | – | – |" in line
    assert "was not run with the last card" in page


def test_a_sample_is_said_to_be_one() -> None:
    page = card(lambda name: _found(is_sample=True) if name == "multihop" else None, ["multihop"])
    assert "`python -m bench.eval multihop --quick`" in page


def test_a_row_that_a_measurement_no_longer_has_is_an_error() -> None:
    empty = Kept({"MuSiQue": []}, is_sample=False)
    with pytest.raises(KeyError, match="multihop has no row"):
        card(lambda name: empty if name == "multihop" else None, ["multihop"])


def test_figures_are_kept_as_they_were_found(tmp_path: Path) -> None:
    rows = [Row("ours", 7, {"F1": 61.25})]
    keep("one", rows, is_sample=False, folder=tmp_path)
    keep("several", {"a": rows, "b": []}, is_sample=True, folder=tmp_path)
    assert kept("one", tmp_path) == Kept({"": rows}, is_sample=False)
    assert kept("several", tmp_path) == Kept({"a": rows, "b": []}, is_sample=True)
    assert kept("another", tmp_path) is None


def test_a_run_without_data_leaves_the_last_figures(tmp_path: Path) -> None:
    rows = [Row("ours", 7, {"F1": 61.25})]
    keep("one", rows, is_sample=False, folder=tmp_path)
    keep("one", [], is_sample=False, folder=tmp_path)
    assert kept("one", tmp_path) == Kept({"": rows}, is_sample=False)
