"""Several processes behind one port, as one of them knows the others."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Sibling:
    """One of the processes: its number, and what all of them share: a folder, and the token for pages."""

    folder: Path
    number: int
    page_token: str

    @property
    def figures(self) -> Path:
        """The file with what it has counted."""
        return self.folder / f"{self.number}.figures"

    @property
    def calls(self) -> Path:
        """The file in which all of them count the calls of a language model."""
        return self.folder / "calls.db"
