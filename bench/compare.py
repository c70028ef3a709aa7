"""Whether anything became slower: `python -m bench compare [name …]`, and with `--keep` the new ratios.

A figure alone says more about the machine than about Fabula, so what is compared is the figure over its
baseline of the same run: the median of three runs, with what is committed in bench/results/ratios.json.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import NamedTuple

from bench import doors, in_process, searching
from bench.child import MAKES_DATABASES, prepare, run_child
from bench.measure import Results, figure
from bench.report import RESULTS, number
from bench.retrieval_report import show

NAME = "compare"
RUNS = 3
MOST = 1.3
SIZE, FULL_SIZE = 5_000, 50_000
BESIDE = {
    "loading": "sqlite executemany",
    "crud": "plain sqlite",
    "graph": "recursive CTE",
    "relevant": "key-by-key scan",
}
KEPT = RESULTS / "ratios.json"

Ratios = dict[str, float]


class Change(NamedTuple):
    """A row now and as it was committed; one of the two is None where there is no such row."""

    row: str
    kept: float | None
    now: float | None

    @property
    def factor(self) -> float | None:
        """How many times as slow it is."""
        return None if self.kept is None or self.now is None else figure(self.now / self.kept)

    @property
    def verdict(self) -> str:
        """What is to be said about it."""
        if self.now is None:
            return "not measured any more"
        if self.factor is None:
            return "new"
        return "slower" if self.factor > MOST else "kept"

    @property
    def is_failure(self) -> bool:
        """Whether the comparison fails because of it."""
        return self.verdict in ("slower", "not measured any more")


def cpu_ratios(mine: Results, theirs: Results) -> Ratios:
    """The processor's time for everything that both measured, its median or the whole, mine over theirs."""
    return {
        name: figure(figures[key] / max(theirs[name][key], 1e-4))
        for name, figures in mine.items()
        for key in ("cpu_p50", "cpu_seconds")
        if key in figures and key in theirs.get(name, {})
    }


def _in_process() -> Ratios:
    found = in_process.measure(quick=True)
    return cpu_ratios(found["fabula"], found["plain sqlite"])


def _search() -> Ratios:
    found = searching.measure(quick=True)[str(searching.SMALL)]
    return cpu_ratios(
        found, {name.removesuffix(searching.PLAIN): found[name] for name in found if searching.PLAIN in name}
    )


def _world(size: int, names: Sequence[str]) -> Ratios:
    """Measurements of one world, each over what one would write without Fabula."""
    found: Ratios = {}
    with tempfile.TemporaryDirectory(prefix="fabula-bench-") as folder:
        prepare(Path(folder), size, quick=True)
        for name in (MAKES_DATABASES, *names):
            mine = run_child(Path(folder), name, "measure")
            found |= cpu_ratios(mine, run_child(Path(folder), name, "baseline")[BESIDE[name]])
    return found


SOURCES: Mapping[str, Callable[[], Ratios]] = {
    doors.NAME: doors.ratios,
    "crud": partial(_world, SIZE, ("crud",)),
    in_process.NAME: _in_process,
    searching.NAME: _search,
    "full size": partial(_world, FULL_SIZE, ("crud", "graph", "relevant")),
}


def middle(runs: Sequence[Ratios]) -> Ratios:
    """The median of each row that every run has."""
    return {row: median(run[row] for run in runs) for row in runs[0] if all(row in run for run in runs)}


def changes(kept: Ratios, now: Ratios) -> list[Change]:
    """Every row of both, the committed ones first."""
    rows = dict.fromkeys((*kept, *now))
    return [Change(row, kept.get(row), now.get(row)) for row in rows]


def compare(
    names: Sequence[str],
    *,
    keep: bool = False,
    file: Path = KEPT,
    sources: Mapping[str, Callable[[], Ratios]] = SOURCES,
) -> int:
    """Measure what is named, or everything; returns 1 if a row is slower than committed or is gone."""
    unknown = set(names) - set(sources)
    if unknown:
        raise SystemExit(
            f"nothing to compare in {', '.join(sorted(unknown))}; there are {', '.join(sources)}"
        )
    known: dict[str, Ratios] = json.loads(file.read_text("utf-8")) if file.exists() else {}
    failures = 0
    for name in names or tuple(sources):
        runs = []
        for number_of_run in range(RUNS):
            print(f"{name}, run {number_of_run + 1} of {RUNS}", file=sys.stderr, flush=True)
            runs.append(sources[name]())
        now = middle(runs)
        found = changes(known.get(name, {}), now)
        show([(f"{name}, over its baseline", ["row", "committed", "now", "factor", ""], [*map(_row, found)])])
        failures += sum(change.is_failure for change in found)
        known[name] = now
    if keep:
        file.write_text(json.dumps(known, ensure_ascii=False, indent=1) + "\n", "utf-8")
        return 0
    return 1 if failures else 0


def _row(change: Change) -> list[str]:
    return [change.row, *map(number, (change.kept, change.now, change.factor)), change.verdict]
