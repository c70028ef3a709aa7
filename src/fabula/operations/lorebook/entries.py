"""The lorebook: entries created, changed and deleted together with their entities."""

from __future__ import annotations

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
from fabula.store.lore_reader import EntryFilter
from fabula.store.page import Page


def list_entries(
    call: Call, project_id: str, wanted: EntryFilter, page: int, size: int
) -> Page[LorebookEntry]:
    """A part of the lorebook, highest priority first."""
    with call.store.read() as reader:
        reader.story(project_id)
        found = reader.lore.page(project_id, wanted, size, page * size)
        return Page(shown_all(call, reader, found.items), found.total)


def read_entry(call: Call, project_id: str, entry_id: str) -> LorebookEntry:
    """Read an entry by its id."""
    with call.store.read() as reader:
        return shown(call, reader, existing_entry(reader, project_id, entry_id))


def read_entry_of_key(call: Call, project_id: str, key: str) -> LorebookEntry:
    """Read an entry by its key."""
    with call.store.read() as reader:
        reader.story(project_id)
        entry = reader.lore.entry_of_key(project_id, key)
        if entry is None:
            raise no_entry(key)
        return shown(call, reader, entry)


@in_step("lorebook:create")
def create_entry(step: Step, project_id: str, request: LorebookEntryCreate) -> LorebookEntry:
    """Add an entry, and the entity of its name where its category asks for one."""
    return kept(step, save(step, None, request))


@in_step("lorebook:update")
def update_entry(step: Step, project_id: str, entry_id: str, patch: LorebookEntryPatch) -> LorebookEntry:
    """Change an entry, and its entity with it."""
    return kept(step, save(step, existing_entry(step, project_id, entry_id), patch))


@in_step("lorebook:update")
def update_entry_of_key(step: Step, project_id: str, key: str, patch: LorebookEntryPatch) -> LorebookEntry:
    """Change the entry of a key; an entity of that name without an entry gets one."""
    entry = step.lore.entry_of_key(project_id, key)
    if entry is None:
        entry = add_beside(step, only_entity_named(step, project_id, key))
    return kept(step, save(step, entry, patch))


@in_step("lorebook:delete")
def delete_entry(step: Step, project_id: str, entry_id: str) -> None:
    """Delete an entry, with its entity and the entity's relations if it has one."""
    remove(step, existing_entry(step, project_id, entry_id))


@in_step("lorebook:delete")
def delete_entry_of_key(step: Step, project_id: str, key: str) -> None:
    """Delete the entry of a key, or the entity of that name, with everything that hangs on it."""
    entry = step.lore.entry_of_key(project_id, key)
    if entry is None:
        entities.remove(step, [only_entity_named(step, project_id, key)])
    else:
        remove(step, entry)
