"""Operations on lorebook entries, which are changed together with their entities."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from fabula.call import Call
from fabula.canon import entity as entities
from fabula.canon.book_values import existing_book
from fabula.canon.entry import add_beside, existing_entry, kept, no_entry, only_entity_named, remove, save
from fabula.canon.entry_values import (
    LorebookEntry,
    LorebookEntryCreate,
    LorebookEntryPatch,
    shown,
    shown_all,
)
from fabula.canon.step import Step, in_step
from fabula.model.account import Role
from fabula.model.book import OWN_BOOK
from fabula.model.bounds import PageNumber, PageSize
from fabula.model.lore import Category, LoreEntry
from fabula.model.wire import Id
from fabula.operations.table import StoryRequest, operation
from fabula.store.kinds import ENTRY
from fabula.store.lore_reader import EntryFilter
from fabula.store.page import Page


class ListEntriesRequest(StoryRequest):
    """A page of the lorebook, optionally filtered; without `bookId` it has the entries of all books."""

    book_id: Id | None = None
    category: Category | None = None
    enabled: bool | None = None
    keyword: Annotated[str, Field(max_length=256)] | None = None
    page: PageNumber = 0
    size: PageSize = 20


@operation("lorebook.entry.list", role=Role.READER)
def list_entries(call: Call, request: ListEntriesRequest) -> Page[LorebookEntry]:
    """List entries, highest priority first."""
    wanted = EntryFilter(request.category, request.enabled, request.keyword, request.book_id)
    return entries_page(call, request.project_id, wanted, request.page, request.size)


def entries_page(
    call: Call, project_id: str, wanted: EntryFilter, page: int, size: int
) -> Page[LorebookEntry]:
    """Return a page of the lorebook, highest priority first."""
    with call.store.read() as reader:
        reader.story(project_id)
        existing_book(reader, project_id, wanted.book_id or OWN_BOOK)
        found = reader.lore.page(project_id, wanted, size, page * size)
        return Page(shown_all(call, reader, found.items), found.total)


class EntryRequest(StoryRequest):
    """One entry, by its id."""

    entry_id: str


@operation("lorebook.entry.read", role=Role.READER)
def read_entry(call: Call, request: EntryRequest) -> LorebookEntry:
    """Read an entry by its id."""
    project_id, entry_id = request.project_id, request.entry_id
    with call.store.read() as reader, call.indexes.glimpse(reader, project_id) as index:
        known: LorebookEntry | None = None if index is None else index.shown.get(ENTRY.name, entry_id)
        if known is not None:
            return known
        found = shown(call, reader, existing_entry(reader, project_id, entry_id))
        if index is not None:
            index.shown.put(ENTRY.name, entry_id, found, [found.entity_id] if found.entity_id else ())
        return found


class EntryOfKeyRequest(StoryRequest):
    """One entry of a book, by its key."""

    entry_key: str
    book_id: Id = OWN_BOOK


@operation("lorebook.key.read", role=Role.READER)
def read_entry_of_key(call: Call, request: EntryOfKeyRequest) -> LorebookEntry:
    """Read an entry by its key."""
    project_id, key = request.project_id, request.entry_key
    with call.store.read() as reader:
        reader.story(project_id)
        existing_book(reader, project_id, request.book_id)
        entry = reader.lore.entry_of_key(project_id, key, request.book_id)
        if entry is None:
            raise no_entry(key)
        return shown(call, reader, entry)


class CreateEntryRequest(StoryRequest):
    """A new entry of a story."""

    entry: LorebookEntryCreate


@operation("lorebook.entry.create", role=Role.EDITOR)
@in_step("lorebook:create")
def create_entry(step: Step, request: CreateEntryRequest) -> LorebookEntry:
    """Create an entry, and the entity of its name unless its category is custom."""
    entry = request.entry
    return kept(step, save(step, None, entry))


class UpdateEntryRequest(StoryRequest):
    """A change to an entry."""

    entry_id: str
    patch: LorebookEntryPatch


@operation("lorebook.entry.update", role=Role.EDITOR)
@in_step("lorebook:update")
def update_entry(step: Step, request: UpdateEntryRequest) -> LorebookEntry:
    """Change an entry together with its entity."""
    project_id, entry_id, patch = request.project_id, request.entry_id, request.patch
    return kept(step, save(step, existing_entry(step, project_id, entry_id), patch))


class UpdateEntryOfKeyRequest(StoryRequest):
    """A change to the entry of a book with a key."""

    entry_key: str
    book_id: Id = OWN_BOOK
    patch: LorebookEntryPatch


@operation("lorebook.key.update", role=Role.EDITOR)
@in_step("lorebook:update")
def update_entry_of_key(step: Step, request: UpdateEntryOfKeyRequest) -> LorebookEntry:
    """Change the entry with a key; an entity of that name without an entry gets one."""
    project_id, key, patch = request.project_id, request.entry_key, request.patch
    entry = _entry_of_key(step, project_id, key, request.book_id)
    if entry is None:
        entry = add_beside(step, only_entity_named(step, project_id, key))
    return kept(step, save(step, entry, patch))


@operation("lorebook.entry.delete", role=Role.EDITOR)
@in_step("lorebook:delete")
def delete_entry(step: Step, request: EntryRequest) -> None:
    """Delete an entry, with its entity and the entity's relations if it has one."""
    project_id, entry_id = request.project_id, request.entry_id
    remove(step, existing_entry(step, project_id, entry_id))


@operation("lorebook.key.delete", role=Role.EDITOR)
@in_step("lorebook:delete")
def delete_entry_of_key(step: Step, request: EntryOfKeyRequest) -> None:
    """Delete the entry with a key, or the entity of that name, with everything that depends on it."""
    project_id, key = request.project_id, request.entry_key
    entry = _entry_of_key(step, project_id, key, request.book_id)
    if entry is None:
        entities.remove(step, [only_entity_named(step, project_id, key)])
    else:
        remove(step, entry)


def _entry_of_key(step: Step, project_id: str, key: str, book_id: str) -> LoreEntry | None:
    """Return the entry of a book with a key; None if the own book has none, where an entity may have it."""
    existing_book(step, project_id, book_id)
    entry = step.lore.entry_of_key(project_id, key, book_id)
    if entry is None and book_id != OWN_BOOK:
        raise no_entry(key)
    return entry
