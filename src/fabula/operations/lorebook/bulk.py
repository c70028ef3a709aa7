"""Operations on many lorebook entries at once: import, edit, delete."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Annotated, Any

from pydantic import Field, ValidationError

from fabula.call import Call
from fabula.canon.book_values import existing_book
from fabula.canon.entry import existing_entry, remove, save
from fabula.canon.entry_values import LorebookEntryCreate, LorebookEntryPatch
from fabula.canon.step import Step, in_step, write
from fabula.errors import FabulaError, InvalidInput
from fabula.model.account import Role
from fabula.model.book import OWN_BOOK
from fabula.model.level import stricter
from fabula.model.lore import LoreEntry
from fabula.model.names import name_key
from fabula.model.parsing import invalid_input
from fabula.model.wire import Id, Value
from fabula.operations.table import StoryRequest, operation
from fabula.store.log import IMPORT_LORE

MAX_IMPORT = 10_000
# The limit per call; a file may contain more.
MAX_IN_A_CALL = 100


class ImportEntriesRequest(StoryRequest):
    """Entries to import into a book; each is checked on its own."""

    book_id: Id = OWN_BOOK
    entries: Annotated[list[Any], Field(min_length=1, max_length=MAX_IMPORT)]
    overwrite_existing: bool = False


class ImportProblem(Value):
    """An entry that was not imported, and why."""

    index: int
    entry_key: str
    code: str
    message: str


class ImportEntriesResponse(Value):
    """How many entries were imported, how many existed already, and what went wrong."""

    imported: int
    skipped: int
    errors: tuple[ImportProblem, ...]


class EditEntriesRequest(StoryRequest):
    """One change to many entries."""

    ids: Annotated[tuple[Id, ...], Field(min_length=1, max_length=MAX_IMPORT)]
    patch: LorebookEntryPatch


class DeleteEntriesRequest(StoryRequest):
    """Entries to delete."""

    ids: Annotated[tuple[Id, ...], Field(min_length=1, max_length=MAX_IMPORT)]


class BulkEditResponse(Value):
    """How many entries were changed."""

    count: int


@operation("lorebook.import", role=Role.EDITOR)
def import_some(call: Call, request: ImportEntriesRequest) -> ImportEntriesResponse:
    """Import the entries of one call in one step; InvalidInput if there are too many."""
    if len(request.entries) > MAX_IN_A_CALL:
        raise InvalidInput(
            f"A call may bring {MAX_IN_A_CALL} entries, this one brings {len(request.entries):,}.",
            details={"field": "entries", "limit": MAX_IN_A_CALL, "count": len(request.entries)},
            suggestion=f"Send them in parts, or as a file to POST /imports, which takes {MAX_IMPORT:,}.",
        )
    return import_entries(call, request)


def import_entries(call: Call, request: ImportEntriesRequest) -> ImportEntriesResponse:
    """Import many entries in one step; invalid ones are reported, the others are saved."""
    project_id = request.project_id
    parsed, problems = checked_entries(request.entries, request.book_id)
    return write(
        call,
        project_id,
        IMPORT_LORE,
        lambda step: _taken_in(step, request, parsed, problems),
    )


def _taken_in(
    step: Step,
    request: ImportEntriesRequest,
    parsed: Sequence[tuple[int, LorebookEntryCreate]],
    unreadable: Sequence[ImportProblem],
) -> ImportEntriesResponse:
    problems = list(unreadable)
    imported = skipped = 0
    existing_book(step, step.project_id, request.book_id)
    keys = (entry.entry_key for _, entry in parsed)
    known = step.lore.entries_of_keys(step.project_id, keys, request.book_id)
    for index, entry in parsed:
        key = name_key(entry.entry_key)
        try:
            existing = known.get(key)
            entry = _as_hidden_as_now(step, existing, entry)
            if existing is not None and not request.overwrite_existing:
                skipped += 1
                continue
            known[key] = save(step, None, entry) if existing is None else _overwrite(step, existing, entry)
            imported += 1
        except FabulaError as error:
            problems.append(_problem(index, entry.entry_key, error))
    return ImportEntriesResponse(
        imported=imported,
        skipped=skipped,
        errors=tuple(sorted(problems, key=lambda problem: problem.index)),
    )


@operation("lorebook.edit", role=Role.EDITOR)
def edit_entries(call: Call, request: EditEntriesRequest) -> BulkEditResponse:
    """Apply the same change to many entries in one step, to all of them or none."""
    project_id = request.project_id
    if request.patch.given().keys() & {"entry_key", "content"} and len(request.ids) > 1:
        raise InvalidInput("Several entries cannot get the same key or content.")
    return _edit(call, project_id, request)


@in_step("lorebook:bulk-edit")
def _edit(step: Step, project_id: str, request: EditEntriesRequest) -> BulkEditResponse:
    for entry_id in dict.fromkeys(request.ids):
        save(step, existing_entry(step, project_id, entry_id), request.patch)
    return BulkEditResponse(count=len(set(request.ids)))


@operation("lorebook.delete", role=Role.EDITOR)
@in_step("lorebook:bulk-delete")
def delete_entries(step: Step, request: DeleteEntriesRequest) -> BulkEditResponse:
    """Delete many entries in one step, all of them or none."""
    project_id = request.project_id
    for entry_id in dict.fromkeys(request.ids):
        remove(step, existing_entry(step, project_id, entry_id))
    return BulkEditResponse(count=len(set(request.ids)))


def checked_entries(
    items: list[Any], book_id: str = OWN_BOOK
) -> tuple[list[tuple[int, LorebookEntryCreate]], list[ImportProblem]]:
    """Return the valid entries for a book with their positions in the list, and the others' problems."""
    parsed: list[tuple[int, LorebookEntryCreate]] = []
    problems: list[ImportProblem] = []
    for index, item in enumerate(items):
        try:
            parsed.append((index, LorebookEntryCreate.model_validate(_in_book(item, book_id))))
        except ValidationError as error:
            key = str(item.get("entryKey", ""))[:200] if isinstance(item, dict) else ""
            problems.append(_problem(index, key, invalid_input(error)))
    return parsed, problems


# Fields of an exported entry that are not imported.
_ORIGIN = (
    "id",
    "storyId",
    "userId",
    "entityId",
    "bookId",
    "place",
    "estimatedTokens",
    "version",
    "createdAt",
    "updatedAt",
)


def _in_book(item: Any, book_id: str) -> Any:
    if not isinstance(item, dict):
        return item
    return {key: value for key, value in item.items() if key not in _ORIGIN} | {"bookId": book_id}


def _as_hidden_as_now(
    step: Step, existing: LoreEntry | None, entry: LorebookEntryCreate
) -> LorebookEntryCreate:
    """Return the entry with a level no weaker than the current one, so that a file reveals no secret."""
    if entry.ai_context_level is None:
        return entry
    named = step.entities_named(step.project_id, [name_key(entry.entry_key)])
    owners = [one for one in named if existing is None or one.id == existing.entity_id]
    levels = [one.ai_context_level for one in owners]
    if existing is not None and existing.entity_id is None:
        levels.append(existing.ai_context_level)
    level = reduce(stricter, levels, entry.ai_context_level)
    return entry if level is entry.ai_context_level else entry.model_copy(update={"ai_context_level": level})


def _overwrite(step: Step, existing: LoreEntry, entry: LorebookEntryCreate) -> LoreEntry:
    fields = {name: getattr(entry, name) for name in entry.model_fields_set - {"entry_key", "book_id"}}
    patch = LorebookEntryPatch.model_construct(_fields_set=set(fields), **fields)
    after = save(step, existing, patch)
    step.settle()
    return after


def _problem(index: int, key: str, error: FabulaError) -> ImportProblem:
    return ImportProblem(index=index, entry_key=key, code=error.code, message=error.message)
