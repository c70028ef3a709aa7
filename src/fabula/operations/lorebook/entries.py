"""Operations on lorebook entries, which are changed together with their entities."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from fabula.call import Call
from fabula.canon import entity as entities
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
from fabula.model.bounds import PageNumber, PageSize
from fabula.model.lore import Category
from fabula.operations.table import StoryRequest, operation
from fabula.store.kinds import ENTRY
from fabula.store.lore_reader import EntryFilter
from fabula.store.page import Page


class ListEntriesRequest(StoryRequest):
    """A page of the lorebook, optionally filtered."""

    category: Category | None = None
    enabled: bool | None = None
    keyword: Annotated[str, Field(max_length=256)] | None = None
    page: PageNumber = 0
    size: PageSize = 20


@operation("lorebook.entry.list", role=Role.READER)
def list_entries(call: Call, request: ListEntriesRequest) -> Page[LorebookEntry]:
    """List entries, highest priority first."""
    wanted = EntryFilter(category=request.category, enabled=request.enabled, keyword=request.keyword)
    return entries_page(call, request.project_id, wanted, request.page, request.size)


def entries_page(
    call: Call, project_id: str, wanted: EntryFilter, page: int, size: int
) -> Page[LorebookEntry]:
    """Return a page of the lorebook, highest priority first."""
    with call.store.read() as reader:
        reader.story(project_id)
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
    """One entry, by its key."""

    entry_key: str


@operation("lorebook.key.read", role=Role.READER)
def read_entry_of_key(call: Call, request: EntryOfKeyRequest) -> LorebookEntry:
    """Read an entry by its key."""
    project_id, key = request.project_id, request.entry_key
    with call.store.read() as reader:
        reader.story(project_id)
        entry = reader.lore.entry_of_key(project_id, key)
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
    """A change to the entry with a key."""

    entry_key: str
    patch: LorebookEntryPatch


@operation("lorebook.key.update", role=Role.EDITOR)
@in_step("lorebook:update")
def update_entry_of_key(step: Step, request: UpdateEntryOfKeyRequest) -> LorebookEntry:
    """Change the entry with a key; an entity of that name without an entry gets one."""
    project_id, key, patch = request.project_id, request.entry_key, request.patch
    entry = step.lore.entry_of_key(project_id, key)
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
    entry = step.lore.entry_of_key(project_id, key)
    if entry is None:
        entities.remove(step, [only_entity_named(step, project_id, key)])
    else:
        remove(step, entry)
