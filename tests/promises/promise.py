"""One promise, the tests that show it, and the last figures of what can be measured."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]


class Figure(NamedTuple):
    """A cell of a measurement's table: the row by its first cells, the column by its heading."""

    says: str
    file: str
    row: str
    column: str

    def read(self) -> str:
        """Return what stands there."""
        columns: list[str] = []
        before = ""
        for line in (ROOT / self.file).read_text("utf-8").splitlines():
            if re.match(r"\|[ -]*---", line):
                columns = _cells(before)
            if line.startswith(f"| {self.row} |") and self.column in columns:
                return _cells(line)[columns.index(self.column)]
            before = line
        raise LookupError(f"{self.file} has no row '{self.row}' with a column '{self.column}'")


class Promise(NamedTuple):
    """The words in bold that open a promise, and what shows it; tests are named below `tests/`."""

    words: str
    tests: tuple[str, ...]
    figures: tuple[Figure, ...] = ()


def promised() -> list[str]:
    """Return the words in bold that open the promises of the README."""
    return re.findall(r"^- \*\*(.+?)\*\*", (ROOT / "README.md").read_text("utf-8"), re.M)


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]
