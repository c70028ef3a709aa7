"""One of several server processes behind one port, and what it shares with the others."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ServerProcess:
    """One process: its number, the folder it shares with the others, and their common page token."""

    folder: Path
    number: int
    page_token: str

    @property
    def metrics_file(self) -> Path:
        """The file in which it publishes its metrics."""
        return self.folder / f"{self.number}.metrics"

    @property
    def calls(self) -> Path:
        """The file in which all processes count calls to the language model."""
        return self.folder / "calls.db"
