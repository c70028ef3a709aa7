"""Layouts: where in a file the entries of a book stand, and what a new file of the kind looks like."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from fabula.formats.lorebooks.columns import Column, Family, Path


@dataclass(frozen=True)
class Layout:
    """A kind of file: how it is recognised, and the book in it.

    `container` leads to the object of the book, `entries` is the field in it that has the entries; without
    one, the container is the list itself. `columns` are the book's own fields: its name and scan settings.
    """

    format: str
    program: str
    family: Family
    matches: Callable[[Any], bool]
    container: Path = ()
    entries: str | None = "entries"
    is_keyed: bool = False
    blank: Any = field(default_factory=dict)
    ending: str = ".json"
    columns: tuple[Column, ...] = ()
    is_card: bool = False
    settings: Mapping[str, Any] = field(default_factory=dict)

    def book(self, document: Any) -> Any:
        """The object of the book in a file; None if there is none."""
        for step in self.container:
            document = document.get(step) if isinstance(document, dict) else None
        return document

    def items(self, document: Any) -> Any:
        """The entries of a file, as they stand there; None if there are none."""
        book = self.book(document)
        if self.entries is None:
            return book
        return book.get(self.entries) if isinstance(book, dict) else None


def first_object(found: Any) -> dict[str, Any]:
    """The first object of a list or of an object's values; empty if there is none."""
    values = found.values() if isinstance(found, dict) else found if isinstance(found, list) else ()
    return next((value for value in values if isinstance(value, dict)), {})
