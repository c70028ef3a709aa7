"""The lorebook: entries created, changed and deleted together with their entities."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from fabula.call import Call
from fabula.canon.entry import (
    changed_entity,
    entity_for,
    entry_beside,
    joined_to_entity,
    new_entry,
    no_entry,
    only_entity_named,
    parted_from_entity,
)
from fabula.canon.entry_links import refuse_taken_key, remove_whole_entity
from fabula.canon.entry_values import (
    LorebookEntry,
    LorebookEntryCreate,
    LorebookEntryPatch,
    shown,
    shown_all,
)
from fabula.canon.versions import refuse_stale_version, touched
from fabula.errors import InvalidInput
from fabula.model.account import Role
from fabula.model.bounds import PageNumber, PageSize
from fabula.model.lore import Category, LoreEntry
from fabula.operations.table import StoryRequest, operation
from fabula.store.failures import repeatable
from fabula.store.lore_reader import EntryFilter
from fabula.store.page import Page
from fabula.store.reader import Reader
from fabula.store.writer import Writer

OWN_FIELDS = (
    "display_name",
    "keywords",
    "priority",
    "enabled",
    "insertion_position",
    "token_budget",
    "rules",
    "extensions",
)
TEXT_FIELDS = ("entry_key", "content", "ai_context_level", "since", "until")


class ListEntriesRequest(StoryRequest):
    """A part of the lorebook, and which entries are meant."""

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
    """A part of the lorebook, highest priority first."""
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
    with call.store.read() as reader:
        return shown(call, reader, existing_entry(reader, project_id, entry_id))


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
@repeatable
def create_entry(call: Call, request: CreateEntryRequest) -> LorebookEntry:
    """Add an kept, and the entity of its name where its category asks for one."""
    project_id, entry = request.project_id, request.entry
    with call.store.write(project_id, action="lorebook:create", actor=call.actor) as writer:
        kept = put_new_entry(call, writer, entry)
        writer.settle()
        return shown(call, writer, kept)


class UpdateEntryRequest(StoryRequest):
    """A change to an entry."""

    entry_id: str
    patch: LorebookEntryPatch


@operation("lorebook.entry.update", role=Role.EDITOR)
@repeatable
def update_entry(call: Call, request: UpdateEntryRequest) -> LorebookEntry:
    """Change an entry, and its entity with it."""
    project_id, entry_id, patch = request.project_id, request.entry_id, request.patch
    with call.store.write(project_id, action="lorebook:update", actor=call.actor) as writer:
        return change_entry(call, writer, existing_entry(writer, project_id, entry_id), patch)


class UpdateEntryOfKeyRequest(StoryRequest):
    """A change to the entry of a key."""

    entry_key: str
    patch: LorebookEntryPatch


@operation("lorebook.key.update", role=Role.EDITOR)
@repeatable
def update_entry_of_key(call: Call, request: UpdateEntryOfKeyRequest) -> LorebookEntry:
    """Change the entry of a key; an entity of that name without an entry gets one."""
    project_id, key, patch = request.project_id, request.entry_key, request.patch
    with call.store.write(project_id, action="lorebook:update", actor=call.actor) as writer:
        entry = writer.lore.entry_of_key(project_id, key)
        if entry is None:
            entry = entry_beside(call, writer, only_entity_named(writer, key))
            writer.add([entry])
        return change_entry(call, writer, entry, patch)


@operation("lorebook.entry.delete", role=Role.EDITOR)
@repeatable
def delete_entry(call: Call, request: EntryRequest) -> None:
    """Delete an entry, with its entity and the entity's relations if it has one."""
    project_id, entry_id = request.project_id, request.entry_id
    with call.store.write(project_id, action="lorebook:delete", actor=call.actor) as writer:
        remove_entry(writer, existing_entry(writer, project_id, entry_id))


@operation("lorebook.key.delete", role=Role.EDITOR)
@repeatable
def delete_entry_of_key(call: Call, request: EntryOfKeyRequest) -> None:
    """Delete the entry of a key, or the entity of that name, with everything that hangs on it."""
    project_id, key = request.project_id, request.entry_key
    with call.store.write(project_id, action="lorebook:delete", actor=call.actor) as writer:
        entry = writer.lore.entry_of_key(project_id, key)
        if entry is None:
            remove_whole_entity(writer, only_entity_named(writer, key))
        else:
            remove_entry(writer, entry)


def put_new_entry(call: Call, writer: Writer, request: LorebookEntryCreate) -> LoreEntry:
    """Keep a new entry with its entity; LoreKeyDuplicate if the key is taken."""
    refuse_taken_key(writer, request.entry_key, None)
    entity = None
    if request.category is not Category.CUSTOM:
        entity = entity_for(call, writer, request)
    entry = new_entry(call, writer, request, entity)
    writer.add([entry])
    return entry


def change_entry(call: Call, writer: Writer, entry: LoreEntry, patch: LorebookEntryPatch) -> LorebookEntry:
    """Apply a patch to an entry and its entity."""
    before = shown(call, writer, entry)
    refuse_stale_version(f"The entry '{entry.entry_key}'", before.version, patch.expected_version, before)
    given = _checked(patch)
    entity = None if entry.entity_id is None else writer.entity(writer.project_id, entry.entity_id)
    if "entry_key" in given:
        refuse_taken_key(writer, given["entry_key"], entry.id)
    becomes = given.get("category", before.category)
    after = entry
    if entity is None and becomes is not Category.CUSTOM:
        after = joined_to_entity(call, writer, entry, becomes, given)
    elif entity is not None and becomes is Category.CUSTOM and before.category is not Category.CUSTOM:
        after = _with_own(parted_from_entity(entry, entity), given, (*OWN_FIELDS, *TEXT_FIELDS))
    elif entity is not None:
        named = changed_entity(call, writer, entity, given).name
        # A renamed entity has renamed its entry already.
        entry = existing_entry(writer, writer.project_id, entry.id)
        after = entry.model_copy(update={"entry_key": named})
    else:
        after = _with_own(entry, given, (*OWN_FIELDS, *TEXT_FIELDS))
    after = _with_own(after, given, OWN_FIELDS)
    if after != entry:
        refuse_taken_key(writer, after.entry_key, entry.id)
        writer.replace([(entry, touched(writer, after))])
    writer.settle()
    return shown(call, writer, existing_entry(writer, writer.project_id, entry.id))


def _with_own(entry: LoreEntry, given: dict[str, Any], fields: tuple[str, ...]) -> LoreEntry:
    return entry.model_copy(update={name: given[name] for name in fields if name in given})


def _checked(patch: LorebookEntryPatch) -> dict[str, Any]:
    given = patch.given()
    if not given:
        raise InvalidInput("The patch names nothing to change.")
    if "content" in given and not given["content"].strip():
        raise InvalidInput("content must not be blank.", details={"field": "content"})
    return given


def remove_entry(writer: Writer, entry: LoreEntry) -> None:
    """Remove an entry, and its whole entity if it has one."""
    entity = None if entry.entity_id is None else writer.entity(writer.project_id, entry.entity_id)
    if entity is None:
        writer.remove([entry])
    else:
        remove_whole_entity(writer, entity)


def existing_entry(reader: Reader, project_id: str, entry_id: str) -> LoreEntry:
    """The entry; NotFound if the story has none of this id."""
    entry = reader.lore.entry(project_id, entry_id)
    if entry is None:
        reader.story(project_id)
        raise no_entry(entry_id)
    return entry
