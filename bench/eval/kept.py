"""The figures of the last run of each measurement, kept in `bench/results/eval/` for the score card."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bench.eval.table import Row
from bench.report import RESULTS

FOLDER = RESULTS / "eval"


class Kept(NamedTuple):
    """What a measurement found: its tables by their titles; `is_sample` if it was run in a hurry."""

    tables: dict[str, list[Row]]
    is_sample: bool

    def rows(self) -> Iterator[Row]:
        """Every row of every table."""
        for rows in self.tables.values():
            yield from rows


def keep(name: str, result: object, *, is_sample: bool, folder: Path = FOLDER) -> None:
    """Keep what a measurement returned; one that found no data leaves the last figures as they are."""
    tables = tables_of(result)
    if not any(tables.values()):
        return
    told = {
        title: [
            [row.name, row.cases, {key: round(value, 2) for key, value in row.figures.items()}]
            for row in rows
        ]
        for title, rows in tables.items()
    }
    folder.mkdir(parents=True, exist_ok=True)
    content = json.dumps({"sample": is_sample, "tables": told}, ensure_ascii=False, indent=1)
    (folder / f"{name}.json").write_text(content + "\n", "utf-8")


def kept(name: str, folder: Path = FOLDER) -> Kept | None:
    """The figures of the last run of a measurement; None if there was none."""
    file = folder / f"{name}.json"
    if not file.exists():
        return None
    content: dict[str, Any] = json.loads(file.read_text("utf-8"))
    tables = {title: [Row(*row) for row in rows] for title, rows in content["tables"].items()}
    return Kept(tables, content["sample"])


def tables_of(result: object) -> dict[str, list[Row]]:
    """The tables that a measurement returned, whether one or several."""
    if isinstance(result, Mapping):
        return {str(title): [row for row in rows if isinstance(row, Row)] for title, rows in result.items()}
    if isinstance(result, Sequence):
        return {"": [row for row in result if isinstance(row, Row)]}
    return {}
