"""Operations on lorebooks: the story's own, and those beside it."""

from __future__ import annotations

from typing import Literal

from fabula.call import Call
from fabula.canon import book as books
from fabula.canon.book_values import (
    BookFields,
    BookPatch,
    StoryLorebook,
    existing_book,
    own_book,
    shown_book,
    shown_books,
)
from fabula.canon.entry import move_to_book
from fabula.canon.step import Step, in_step
from fabula.errors import InvalidInput
from fabula.model.account import Role
from fabula.model.book import OWN_BOOK, LoreBook
from fabula.model.wire import Id, Value
from fabula.operations.table import Request, operation
from fabula.store.reader import Reader

ORIGINAL = "sillytavern"


class KnowledgeLorebookListResponse(Value):
    """The lorebooks of a story, its own first."""

    items: tuple[StoryLorebook, ...]
    total_count: int


class KnowledgeLorebookListRequest(Request[KnowledgeLorebookListResponse]):
    """The lorebooks of a story."""


class KnowledgeLorebookCreateResponse(StoryLorebook):
    """The new lorebook."""


class KnowledgeLorebookCreateRequest(BookFields, Request[KnowledgeLorebookCreateResponse]):
    """A new lorebook.

    With `adoptImported`, the custom entries of the story's own book that came from a World Info file move
    into it.
    """

    adopt_imported: bool = False


class KnowledgeLorebookReadResponse(StoryLorebook):
    """The lorebook."""


class KnowledgeLorebookReadRequest(Request[KnowledgeLorebookReadResponse]):
    """A lorebook; the story's own has the id `own`."""

    id: Id


class KnowledgeLorebookUpdateResponse(StoryLorebook):
    """The lorebook after the change."""


class KnowledgeLorebookUpdateRequest(Request[KnowledgeLorebookUpdateResponse]):
    """A change to a lorebook."""

    id: Id
    patch: BookPatch


class KnowledgeLorebookDeleteResponse(Value):
    """The effect of the deletion."""

    deleted: Literal[True] = True
    entry_count: int


class KnowledgeLorebookDeleteRequest(Request[KnowledgeLorebookDeleteResponse]):
    """A lorebook to delete."""

    id: Id


@operation("lorebook.book.list", role=Role.READER, channel="knowledge:lorebook:list")
def list_books(call: Call, request: KnowledgeLorebookListRequest) -> KnowledgeLorebookListResponse:
    """List the lorebooks of a story, its own first."""
    with call.store.read() as reader:
        found = shown_books(reader, request.project_id)
    return KnowledgeLorebookListResponse.trusted(items=found, total_count=len(found))


@operation("lorebook.book.create", role=Role.EDITOR, channel="knowledge:lorebook:create")
@in_step("lorebook:book-create")
def create_book(step: Step, request: KnowledgeLorebookCreateRequest) -> KnowledgeLorebookCreateResponse:
    """Create a lorebook beside the story's own, and move imported entries into it if asked to."""
    book = books.save(step, None, request)
    if request.adopt_imported:
        own = step.books.entries_in(step.project_id, OWN_BOOK)
        kept = [
            one for one in own if one.entity_id is None and isinstance(one.extensions.get(ORIGINAL), dict)
        ]
        move_to_book(step, book.id, kept)
    return KnowledgeLorebookCreateResponse.trusted(**dict(shown_book(step, book)))


@operation("lorebook.book.read", role=Role.READER, channel="knowledge:lorebook:read")
def read_book(call: Call, request: KnowledgeLorebookReadRequest) -> KnowledgeLorebookReadResponse:
    """Read a lorebook."""
    with call.store.read() as reader:
        book = existing_book(reader, request.project_id, request.id)
        shown = shown_book(reader, book or own_book(reader.story(request.project_id)))
    return KnowledgeLorebookReadResponse.trusted(**dict(shown))


@operation("lorebook.book.update", role=Role.EDITOR, channel="knowledge:lorebook:update")
@in_step("lorebook:book-update")
def update_book(step: Step, request: KnowledgeLorebookUpdateRequest) -> KnowledgeLorebookUpdateResponse:
    """Change a lorebook: its name, order, settings, or by which rules its entries are activated."""
    book = books.save(step, _changeable(step, request.project_id, request.id), request.patch)
    return KnowledgeLorebookUpdateResponse.trusted(**dict(shown_book(step, book)))


@operation("lorebook.book.delete", role=Role.EDITOR, channel="knowledge:lorebook:delete")
@in_step("lorebook:book-delete")
def delete_book(step: Step, request: KnowledgeLorebookDeleteRequest) -> KnowledgeLorebookDeleteResponse:
    """Delete a lorebook together with its entries."""
    count = books.remove(step, _changeable(step, request.project_id, request.id))
    return KnowledgeLorebookDeleteResponse(entry_count=count)


def _changeable(reader: Reader, project_id: str, book_id: str) -> LoreBook:
    """Return the book; InvalidInput for the story's own, which has no fields to change."""
    book = existing_book(reader, project_id, book_id)
    if book is None:
        raise InvalidInput(
            "The story's own lorebook cannot be changed or deleted.",
            details={"field": "id"},
            suggestion="Change its entries instead.",
        )
    return book
