"""Read lorebooks and their entries."""

from __future__ import annotations

from sqlalchemy import bindparam, func, select

from fabula.model.book import LoreBook
from fabula.model.lore import LoreEntry
from fabula.store.book_rows import book_from_row
from fabula.store.lore_rows import entry_from_row
from fabula.store.querying import Querying, of_story
from fabula.store.statement import in_story
from fabula.store.tables import lorebook_entries, lorebooks

_BOOK = in_story(lorebooks, lorebooks.c.id == bindparam("id"))


class BookReader(Querying):
    """Reads the lorebooks of all stories; the story's own book has no row."""

    def book(self, project_id: str, book_id: str) -> LoreBook | None:
        """Return the book with this id."""
        row = self.fetch_row(_BOOK, story=project_id, id=book_id)
        return None if row is None else book_from_row(row)

    def all_of(self, project_id: str) -> tuple[LoreBook, ...]:
        """Return the books of a story beside its own, in their order."""
        columns = lorebooks.c
        query = of_story(lorebooks, project_id).order_by(columns.position, columns.created_at, columns.id)
        return tuple(map(book_from_row, self.all(query)))

    def entry_counts(self, project_id: str) -> dict[str, int]:
        """Return the number of entries of each book that has any."""
        book_id = lorebook_entries.c.book_id
        query = select(book_id, func.count()).where(lorebook_entries.c.project_id == project_id)
        return {row[0]: row[1] for row in self.connection.execute(query.group_by(book_id))}

    def next_place(self, project_id: str, book_id: str) -> int:
        """Return the place after the last entry of a book."""
        own = (lorebook_entries.c.project_id == project_id, lorebook_entries.c.book_id == book_id)
        last: int = self.scalar(select(func.coalesce(func.max(lorebook_entries.c.place), -1)).where(*own))
        return last + 1

    def entries_in(self, project_id: str, book_id: str) -> tuple[LoreEntry, ...]:
        """Return all entries of a book in the order in which they came."""
        columns = lorebook_entries.c
        query = of_story(lorebook_entries, project_id).where(columns.book_id == book_id)
        return tuple(map(entry_from_row, self.all(query.order_by(columns.place, columns.id))))
