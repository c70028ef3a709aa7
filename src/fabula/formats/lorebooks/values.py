"""What reading a lorebook gives, and what writing one takes and says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol

Becomes = Literal["left_out", "changed", "disabled"]
BookKind = Literal["fabula", "sillytavern"]


@dataclass
class FieldCounts:
    """How many entries use each field of a file, by what becomes of it here."""

    runs: Counter[str] = field(default_factory=Counter)
    ignored: Counter[str] = field(default_factory=Counter)
    kept: Counter[str] = field(default_factory=Counter)

    def count(self, name: str, becomes: str) -> None:
        """Count one entry's use of a field."""
        {"runs": self.runs, "ignored": self.ignored, "kept": self.kept}[becomes][name] += 1


class CardText(NamedTuple):
    """A text of a card that becomes an entry of its own: where it stands in the card, and its title."""

    field: str
    title: str
    content: str


class ReadCard(NamedTuple):
    """The character of a card: its name and description, and the texts beside its book."""

    name: str
    nickname: str
    description: str
    texts: tuple[CardText, ...]


@dataclass(frozen=True)
class ReadBook:
    """A book as read: its entries in order, how it is activated, and what is kept of the file around them."""

    format: str
    program: str
    name: str
    entries: list[dict[str, Any]]
    extensions: dict[str, Any]
    counts: FieldCounts
    activation: BookKind = "sillytavern"
    source: Literal["global", "character"] = "global"
    settings: Mapping[str, Any] = field(default_factory=dict)
    card: ReadCard | None = None


class Loss(NamedTuple):
    """What a format cannot say: the entry (empty for the book), the field, and what becomes of it."""

    entry: str
    field: str
    becomes: Becomes


class BookToWrite(Protocol):
    """The fields of a book that is written; `extensions` is what was kept of its file."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def extensions(self) -> dict[str, Any]:
        """What was kept of its file."""


class WrittenBook(NamedTuple):
    """A book as a JSON value of its format, and what could not be said in it."""

    value: Any
    losses: Sequence[Loss]
