"""Retrieval in figures, on one page: how long it takes, and how good it is through the product's own doors.

Each part is measured by itself and takes the place of what it found before in bench/results/retrieval.*.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from bench.report import RESULTS, Row, TableOf, markdown

NAME = "retrieval"
PARTS = {"quality": "What is found", "speed": "How long it takes"}


def show(tables: Sequence[TableOf]) -> None:
    """Print tables."""
    console = Console(width=None if Console().is_terminal else 170)
    for title, columns, rows in tables:
        table = Table(*columns, title=title, title_justify="left")
        for row in rows:
            table.add_row(*row)
        console.print(table)


def keep(part: str, tables: Sequence[TableOf], figures: Any, notes: str, name: str = NAME) -> None:
    """Put a part in the place of what was found before, and write the page anew."""
    RESULTS.mkdir(exist_ok=True)
    file = RESULTS / f"{name}.json"
    known = json.loads(file.read_text("utf-8")) if file.exists() else {}
    known[part] = {
        "about": {"python": platform.python_version(), "processors": os.cpu_count()},
        "notes": notes.strip(),
        "tables": [{"title": title, "columns": columns, "rows": rows} for title, columns, rows in tables],
        "figures": figures,
    }
    whole = {key: known[key] for key in PARTS if key in known}
    file.write_text(json.dumps(whole, ensure_ascii=False, indent=1) + "\n", "utf-8")
    (RESULTS / f"{name}.md").write_text("\n\n".join(_page(whole)) + "\n", "utf-8")


def _page(whole: dict[str, Any]) -> list[str]:
    parts = ["# Retrieval, measured"]
    for key, found in whole.items():
        about = found["about"]
        parts += [f"## {PARTS[key]}", f"Python {about['python']}, {about['processors']} processors"]
        parts += [found["notes"]]
        for table in found["tables"]:
            parts += [f"### {table['title']}", markdown(table["columns"], table["rows"])]
    return parts


def cells(values: Sequence[float | None], digits: int = 1) -> Row:
    """Figures for people, a blank where there is none."""
    return ["" if value is None else f"{value:.{digits}f}" for value in values]
