"""The lorebooks in a story folder and their entries, as rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fabula.formats.folder_read import FolderShapes
from fabula.formats.folder_shapes import LOCAL_USER, EntryPart, usual_id
from fabula.model.book import OWN_BOOK, LoreBook
from fabula.model.lore import LoreEntry
from fabula.model.names import name_key


def folder_books(told: FolderShapes, common: Mapping[str, Any]) -> Iterator[tuple[str, LoreBook]]:
    """Yield the path and the row of every lorebook; `common` has the story, the version and the times."""
    for path, shape in told.books:
        yield path, LoreBook.trusted(**dict(shape), **common)


def folder_entry(
    shape: EntryPart, key: str, entity_id: str | None, book_id: str, common: Mapping[str, Any]
) -> LoreEntry:
    """Return the row of an entry."""
    identity = (name_key(key),) if book_id == OWN_BOOK else (book_id, name_key(key))
    return LoreEntry.trusted(
        id=shape.id or usual_id("entry", *identity),
        entity_id=entity_id,
        user_id=LOCAL_USER if shape.user_id is None else shape.user_id,
        book_id=book_id,
        place=shape.place,
        entry_key=key,
        display_name=key if shape.display_name is None else shape.display_name,
        content=shape.content,
        keywords=shape.keywords,
        priority=shape.priority,
        enabled=shape.enabled,
        insertion_position=shape.insertion_position,
        token_budget=shape.token_budget,
        ai_context_level=shape.ai_context_level,
        secrecy=shape.secrecy,
        rules=shape.rules,
        since=shape.since,
        until=shape.until,
        valid_from=shape.valid_from,
        valid_to=shape.valid_to,
        told=shape.told,
        extensions=shape.extensions,
        **common,
    )
