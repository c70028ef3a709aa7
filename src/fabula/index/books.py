"""The lorebooks of a story beside its own, and what readers have compiled of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from fabula.model.book import OWN_BOOK, LoreBook
from fabula.model.lore import LoreEntry
from fabula.store.kinds import BOOK
from fabula.store.reader import Reader

BYTES_PER_ENTRY = 6_000

T = TypeVar("T")

# Makes something of a book: of its entries, or of those that changed, their ids, and what it made before.
Compile = Callable[[LoreBook, Sequence[LoreEntry], Collection[str], T | None], T]


@dataclass(slots=True)
class _Compiled:
    """What was made of a book, the number of its entries, and those that have changed since."""

    made: Any
    size: int
    stale: set[str] = field(default_factory=set)


class StoryBooks:
    """The books of a story, read when first needed; each compiled book is kept until it changes."""

    def __init__(self, project_id: str) -> None:
        self._project_id = project_id
        self._books: dict[str, LoreBook] | None = None
        self._compiled: dict[str, _Compiled] = {}

    @property
    def weight(self) -> int:
        """About how many bytes of memory it takes."""
        return sum(book.size for book in self._compiled.values()) * BYTES_PER_ENTRY

    def all(self, reader: Reader) -> Iterable[LoreBook]:
        """The books in their order."""
        return self._known(reader).values()

    def is_enabled(self, reader: Reader, book_id: str) -> bool:
        """Whether the entries of a book may be told at all."""
        book = None if book_id == OWN_BOOK else self._known(reader).get(book_id)
        return book is None or book.enabled

    def aside(self, reader: Reader) -> frozenset[str]:
        """The books whose entries Fabula's own detection and recall leave alone: scanned, or switched off."""
        return frozenset(key for key, book in self._known(reader).items() if book.is_aside)

    def compiled(self, reader: Reader, book: LoreBook, compile: Compile[T]) -> T:
        """What `compile` makes of a book, once; then again of what it made and the entries that changed."""
        known = self._compiled.get(book.id)
        if known is None:
            entries = reader.books.entries_in(self._project_id, book.id)
            known = self._compiled[book.id] = _Compiled(compile(book, entries, (), None), len(entries))
        elif known.stale:
            found = reader.lore.entries(self._project_id, known.stale).values()
            entries = tuple(entry for entry in found if entry.book_id == book.id)
            known.made = compile(book, entries, known.stale, known.made)
            known.stale = set()
        made: T = known.made
        return made

    def entry_changed(self, entry_id: str, was_in: str | None, is_in: str) -> None:
        """Note that an entry of a book has changed; None stands for a book that is not known."""
        if was_in is None:
            self._compiled.clear()
        for book_id in {was_in, is_in} & self._compiled.keys():
            self._compiled[book_id or OWN_BOOK].stale.add(entry_id)

    def changed(self, book_id: str, image: dict[str, Any] | None) -> bool:
        """Follow a change of a book; whether other rules apply to its entries now."""
        if image is None:
            self._compiled.pop(book_id, None)
        if self._books is None:
            return False
        before = self._books.get(book_id)
        after = None if image is None else BOOK.value(self._project_id, image)
        if isinstance(after, LoreBook):
            self._books[book_id] = after
            ordered = sorted(self._books.values(), key=lambda one: (one.position, one.created_at, one.id))
            self._books = {book.id: book for book in ordered}
        else:
            self._books.pop(book_id, None)
        now = self._books.get(book_id)
        return (before is not None and before.is_aside) != (now is not None and now.is_aside)

    def _known(self, reader: Reader) -> dict[str, LoreBook]:
        if self._books is None:
            self._books = {book.id: book for book in reader.books.all_of(self._project_id)}
        return self._books
