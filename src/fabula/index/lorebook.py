"""The lorebook entries of a story, their entities, and the keywords that activate them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from fabula.matching import Term
from fabula.model.activation import ActivationRules
from fabula.model.book import OWN_BOOK
from fabula.model.level import AiContextLevel, may_be_told


class EntryOwner(NamedTuple):
    """An entry as the owner of terms, distinct from entity ids."""

    entry_id: str


BYTES_EACH = 300


class Lorebook:
    """The entries of a story with their entities; entries without one also by level.

    Those of the books `aside` are not told unless a scan or the caller asks for them.
    """

    def __init__(self, aside: frozenset[str] = frozenset()) -> None:
        self._books_aside = aside
        self.aside: set[str] = set()
        self.book_of: dict[str, str] = {}
        self.entity_of: dict[str, str | None] = {}
        self.entry_of: dict[str, str] = {}
        self.always: set[str] = set()
        self.guarded: dict[str, AiContextLevel] = {}

    @property
    def weight(self) -> int:
        """About how many bytes of memory it takes."""
        return len(self.entity_of) * BYTES_EACH

    def put(
        self, entry_id: str, entity_id: str | None, level: AiContextLevel, book_id: str = OWN_BOOK
    ) -> None:
        """Add or update an entry; the level only counts for an entry without an entity."""
        self.drop(entry_id)
        self.entity_of[entry_id] = entity_id
        if book_id != OWN_BOOK:
            self.book_of[entry_id] = book_id
        if book_id in self._books_aside:
            self.aside.add(entry_id)
        if entity_id is not None:
            self.entry_of[entity_id] = entry_id
        elif level is AiContextLevel.ALWAYS:
            if entry_id not in self.aside:
                self.always.add(entry_id)
        elif not may_be_told(level, named=False):
            self.guarded[entry_id] = level

    def drop(self, entry_id: str) -> None:
        """Remove an entry."""
        entity_id = self.entity_of.pop(entry_id, None)
        if entity_id is not None and self.entry_of.get(entity_id) == entry_id:
            del self.entry_of[entity_id]
        self.aside.discard(entry_id)
        self.book_of.pop(entry_id, None)
        self.always.discard(entry_id)
        self.guarded.pop(entry_id, None)


def entry_terms(
    entry_id: str, entity_id: str | None, key: str, keywords: list[str], rules: ActivationRules
) -> Iterator[Term]:
    """The keywords that activate an entry, and its key if it has no entity."""
    words = keywords if entity_id is not None else [key, *keywords]
    for word in words:
        yield Term(word, EntryOwner(entry_id), "keyword", rules.case_sensitive, rules.whole_word)
