"""Lorebooks: the story's own book, and the books that came from other programs."""

from __future__ import annotations

from typing import Any, Literal

from fabula.model.scan_settings import BookSource, ScanSettings
from fabula.model.wire import Value

# Every story has this book, which has no row.
OWN_BOOK = "own"

# By which rules the entries of a book come into a context: Fabula's detection, or a scan as in SillyTavern.
BookActivation = Literal["fabula", "sillytavern"]


class LoreBook(Value):
    """A lorebook beside the story's own; `settings` are for scanning it.

    `extensions` keeps the fields of the file it came from.
    """

    id: str
    project_id: str
    name: str
    source: BookSource
    activation: BookActivation
    enabled: bool
    settings: ScanSettings
    position: int
    extensions: dict[str, Any]
    version: int
    created_at: str
    updated_at: str

    @property
    def is_aside(self) -> bool:
        """Whether Fabula's detection and recall leave its entries alone: it is scanned, or switched off."""
        return self.is_scanned or not self.enabled

    @property
    def is_scanned(self) -> bool:
        """Whether its entries are activated by a scan, as in SillyTavern, and not by Fabula's detection."""
        return self.activation == "sillytavern"
