"""Entry keys: unique within a book, and equal to the entity's name for an entry with an entity."""

from __future__ import annotations

from fabula.canon.versions import touched
from fabula.errors import LoreKeyDuplicate
from fabula.model.book import OWN_BOOK
from fabula.model.entity import Entity
from fabula.model.lore import LoreEntry
from fabula.store.writer import Writer


def rename_entry_with(writer: Writer, before: Entity, after: Entity) -> None:
    """Rename an entity's entry along with the entity."""
    if before.name == after.name:
        return
    entry = writer.lore.entries_of(writer.project_id, [before.id]).get(before.id)
    if entry is None:
        return
    refuse_taken_key(writer, after.name, entry.id)
    shown = after.name if entry.display_name == before.name else entry.display_name
    writer.replace([(entry, touched(writer, entry, entry_key=after.name, display_name=shown))])


def refuse_taken_key(writer: Writer, key: str, own_id: str | None, book_id: str = OWN_BOOK) -> None:
    """Refuse a key that another entry of the book has."""
    other = writer.lore.entry_of_key(writer.project_id, key, book_id)
    if other is not None and other.id != own_id:
        raise key_taken(other)


def key_taken(entry: LoreEntry) -> LoreKeyDuplicate:
    """Return the error for a duplicate entry key."""
    return LoreKeyDuplicate(
        f"There is an entry with the key '{entry.entry_key}' already.",
        details={"existingId": entry.id, "entryKey": entry.entry_key},
    )
