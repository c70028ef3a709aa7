"""Where the texts are, and figures as a table in the terminal."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from bench.report import RESULTS, markdown

DATA = Path(os.environ.get("FABULA_EVAL_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))


class Row(NamedTuple):
    """One way of doing it: on how many cases, and the figures."""

    name: str
    cases: int
    figures: dict[str, float]


class Miss(NamedTuple):
    """A case that was answered otherwise than the set answers it, and why the set cannot be right."""

    case: str
    theirs: str
    ours: str
    why: str


def show(title: str, rows: Sequence[Row]) -> None:
    """Print the rows; a blank stands where a row has no such figure."""
    columns = list(dict.fromkeys(key for row in rows for key in row.figures))
    width = max((len(row.name) for row in rows), default=0)
    print(f"\n{title}\n{'':{width}}  {'cases':>6}" + "".join(f"{column:>9}" for column in columns))
    for row in rows:
        cells = (f"{row.figures[column]:9.1f}" if column in row.figures else " " * 9 for column in columns)
        print(f"{row.name:{width}}  {row.cases:6}" + "".join(cells))


def record(
    name: str, about: str | None, tables: Mapping[str, Sequence[Row]], misses: Sequence[Miss] = ()
) -> None:
    """Keep figures, and the cases that were missed, as a page of `bench/results/`."""
    parts = [f"# {name}", (about or "").strip()]
    for title, rows in tables.items():
        columns = list(dict.fromkeys(key for row in rows for key in row.figures))
        cells = [
            [row.name, str(row.cases)]
            + [f"{row.figures[column]:.1f}" if column in row.figures else "" for column in columns]
            for row in rows
        ]
        parts += [f"## {title}", markdown(["", "cases", *columns], cells)]
    if misses:
        parts += [
            "## Answered otherwise",
            markdown(["case", "set", "engine", "why"], [[*one] for one in misses]),
        ]
    file = RESULTS / f"{name.lower().replace(' ', '_')}.md"
    file.write_text("\n\n".join(parts) + "\n", "utf-8")


def no_data(name: str, folder: Path) -> list[Row]:
    """Say that there is nothing to measure on."""
    print(f"{name}: no data in {folder}, nothing measured")
    return []
