"""Read the lorebook."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import ColumnElement, and_, bindparam, func, or_, select

from fabula.model.book import OWN_BOOK
from fabula.model.lore import Category, LoreEntry
from fabula.model.names import name_key
from fabula.store.lore_rows import entry_from_row
from fabula.store.page import Page
from fabula.store.querying import Querying
from fabula.store.statement import in_story, listed, rows_by
from fabula.store.tables import kg_entities, lorebook_entries

_ENTRY = in_story(lorebook_entries, lorebook_entries.c.id == bindparam("id"))
_ENTRIES = rows_by(lorebook_entries.c.id)
_OF_KEYS = in_story(
    lorebook_entries, lorebook_entries.c.book_id == bindparam("book"), listed(lorebook_entries.c.key_fold)
)
_OF_ENTITIES = rows_by(lorebook_entries.c.entity_id)


@dataclass(frozen=True, slots=True)
class EntryFilter:
    """The filter of a list of entries; `keyword` searches keys, names, keywords and contents."""

    category: Category | None = None
    enabled: bool | None = None
    keyword: str | None = None
    book_id: str | None = None


class LoreReader(Querying):
    """Reads the lorebooks of all stories."""

    def entry(self, project_id: str, entry_id: str) -> LoreEntry | None:
        """Return the entry with this id."""
        row = self.fetch_row(_ENTRY, story=project_id, id=entry_id)
        return None if row is None else entry_from_row(row)

    def entry_of_key(self, project_id: str, entry_key: str, book_id: str = OWN_BOOK) -> LoreEntry | None:
        """Return the entry of a book with this key, ignoring case and width."""
        row = self.fetch_row(_OF_KEYS, story=project_id, book=book_id, listed=[name_key(entry_key)])
        return None if row is None else entry_from_row(row)

    def entries(self, project_id: str, ids: Iterable[str]) -> dict[str, LoreEntry]:
        """Return the entries with these ids, by id."""
        rows = self.fetch_rows(_ENTRIES, story=project_id, listed=ids)
        return {row["id"]: entry_from_row(row) for row in rows}

    def entries_of_keys(
        self, project_id: str, keys: Iterable[str], book_id: str = OWN_BOOK
    ) -> dict[str, LoreEntry]:
        """Return the entries of a book with these keys, by folded key."""
        folded = {name_key(key) for key in keys}
        rows = self.fetch_rows(_OF_KEYS, story=project_id, book=book_id, listed=folded)
        return {row["key_fold"]: entry_from_row(row) for row in rows}

    def entries_of(self, project_id: str, entity_ids: Iterable[str]) -> dict[str, LoreEntry]:
        """Return the entries of these entities, by entity."""
        rows = self.fetch_rows(_OF_ENTITIES, story=project_id, listed=entity_ids)
        return {row["entity_id"]: entry_from_row(row) for row in rows}

    def page(self, project_id: str, wanted: EntryFilter, limit: int, offset: int) -> Page[LoreEntry]:
        """Return a page of the entries, by descending priority, then by key."""
        entries, entities = lorebook_entries, kg_entities
        joined = entries.outerjoin(
            entities,
            and_(entities.c.project_id == entries.c.project_id, entities.c.id == entries.c.entity_id),
        )
        conditions = [entries.c.project_id == project_id, *_conditions(wanted)]
        total: int = self.scalar(select(func.count()).select_from(joined).where(*conditions))
        rows = self.all(
            select(entries)
            .select_from(joined)
            .where(*conditions)
            .order_by(entries.c.priority.desc(), entries.c.key_fold, entries.c.id)
            .limit(limit)
            .offset(offset)
        )
        return Page(tuple(map(entry_from_row, rows)), total)


def _conditions(wanted: EntryFilter) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if wanted.enabled is not None:
        conditions.append(lorebook_entries.c.enabled == int(wanted.enabled))
    if wanted.category is not None:
        conditions.append(lorebook_entries.c.category == wanted.category.value)
    if wanted.book_id is not None:
        conditions.append(lorebook_entries.c.book_id == wanted.book_id)
    if wanted.keyword:
        conditions.append(_mentions(wanted.keyword))
    return conditions


def _mentions(keyword: str) -> ColumnElement[bool]:
    folded = name_key(keyword)
    return or_(
        lorebook_entries.c.search_fold.contains(folded, autoescape=True),
        kg_entities.c.search_fold.contains(folded, autoescape=True),
    )
