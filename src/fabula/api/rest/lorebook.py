"""`/stories/{storyId}/lorebook`: entries by id and by key, import, export, bulk edit."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from fabula.api.rest.caller import READING, Caller
from fabula.api.rest.paging import PageNumber, PageSize, RestPage, rest_page
from fabula.canon.entry_values import LorebookEntry, LorebookEntryCreate, LorebookEntryPatch
from fabula.model.lore import Category
from fabula.model.wire import Value
from fabula.operations.lorebook import bulk as lore_bulk
from fabula.operations.lorebook import entries as lorebook
from fabula.operations.lorebook.bulk import (
    MAX_IMPORT,
    LorebookBulkDelete,
    LorebookBulkEdit,
    LorebookBulkResult,
    LorebookImport,
    LorebookImported,
)
from fabula.operations.lorebook.estimates import (
    LorebookEstimate,
    LorebookEstimateRequest,
    estimate_entry,
)
from fabula.store.lore_reader import EntryFilter

router = APIRouter(prefix="/stories/{storyId}/lorebook", tags=["lorebook"])

Keyword = Annotated[str | None, Query(max_length=256)]


class LorebookExport(Value):
    """A whole lorebook, as `import` takes it."""

    entries: tuple[LorebookEntry, ...]


@router.get("")
def list_entries(
    call: Caller,
    storyId: str,
    category: Category | None = None,
    enabled: bool | None = None,
    keyword: Keyword = None,
    page: PageNumber = 0,
    size: PageSize = 20,
) -> RestPage[LorebookEntry]:
    """List entries, highest priority first."""
    wanted = EntryFilter(category=category, enabled=enabled, keyword=keyword)
    return rest_page(lorebook.list_entries(call, storyId, wanted, page, size), page, size)


@router.post("", status_code=201)
def create_entry(call: Caller, storyId: str, request: LorebookEntryCreate) -> LorebookEntry:
    """Add an entry, and the entity of its name where its category asks for one."""
    return lorebook.create_entry(call, storyId, request)


@router.post("/import")
def import_entries(call: Caller, storyId: str, request: LorebookImport) -> LorebookImported:
    """Take in up to a hundred entries in one step."""
    return lore_bulk.import_some(call, storyId, request)


@router.get("/export")
def export_entries(call: Caller, storyId: str) -> LorebookExport:
    """Show the whole lorebook, as `/imports` takes it."""
    entries: tuple[LorebookEntry, ...] = ()
    page = 0
    while True:
        part = lorebook.list_entries(call, storyId, EntryFilter(), page, MAX_IMPORT)
        entries += part.items
        page += 1
        if len(entries) >= part.total:
            return LorebookExport.trusted(entries=entries)


@router.patch("")
def edit_entries(call: Caller, storyId: str, request: LorebookBulkEdit) -> LorebookBulkResult:
    """Make the same change to many entries in one step."""
    return lore_bulk.edit_entries(call, storyId, request)


@router.post("/bulk-delete")
def delete_entries(call: Caller, storyId: str, request: LorebookBulkDelete) -> LorebookBulkResult:
    """Delete many entries in one step."""
    return lore_bulk.delete_entries(call, storyId, request)


@router.post("/estimate", dependencies=[READING])
def estimate(call: Caller, storyId: str, request: LorebookEstimateRequest) -> LorebookEstimate:
    """Count the tokens of an entry that is not saved yet."""
    return estimate_entry(call, request)


@router.get("/entries/{entryKey}")
def read_entry_of_key(call: Caller, storyId: str, entryKey: str) -> LorebookEntry:
    """Read an entry by its key."""
    return lorebook.read_entry_of_key(call, storyId, entryKey)


@router.put("/entries/{entryKey}")
def update_entry_of_key(
    call: Caller, storyId: str, entryKey: str, patch: LorebookEntryPatch
) -> LorebookEntry:
    """Change the entry of a key; an entity of that name without an entry gets one."""
    return lorebook.update_entry_of_key(call, storyId, entryKey, patch)


@router.delete("/entries/{entryKey}", status_code=204)
def delete_entry_of_key(call: Caller, storyId: str, entryKey: str) -> Response:
    """Delete the entry of a key, or the entity of that name, with its relations."""
    lorebook.delete_entry_of_key(call, storyId, entryKey)
    return Response(status_code=204)


@router.get("/{entryId}")
def read_entry(call: Caller, storyId: str, entryId: str) -> LorebookEntry:
    """Read an entry by its id."""
    return lorebook.read_entry(call, storyId, entryId)


@router.put("/{entryId}")
def update_entry(call: Caller, storyId: str, entryId: str, patch: LorebookEntryPatch) -> LorebookEntry:
    """Change an entry, and its entity with it."""
    return lorebook.update_entry(call, storyId, entryId, patch)


@router.delete("/{entryId}", status_code=204)
def delete_entry(call: Caller, storyId: str, entryId: str) -> Response:
    """Delete an entry, with its entity and the entity's relations if it has one."""
    lorebook.delete_entry(call, storyId, entryId)
    return Response(status_code=204)
