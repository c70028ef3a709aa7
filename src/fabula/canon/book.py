"""Lorebooks: the only way to save, change and remove them."""

from __future__ import annotations

from fabula.canon.book_values import BookFields, BookPatch, shown_book
from fabula.canon.step import Step
from fabula.canon.versions import refuse_stale_version, touched
from fabula.errors import InvalidInput
from fabula.model.book import LoreBook
from fabula.model.scan_settings import ScanSettings


def save(step: Step, before: LoreBook | None, told: BookFields | BookPatch) -> LoreBook:
    """Save a new book, or apply a patch to an existing one."""
    if before is None and isinstance(told, BookFields):
        return _created(step, told)
    if before is not None and isinstance(told, BookPatch):
        return _changed(step, before, told)
    raise TypeError("a new book takes fields, a known one takes a patch")


def _created(step: Step, told: BookFields) -> LoreBook:
    books = step.books.all_of(step.project_id)
    last = max((book.position for book in books), default=0)
    book = LoreBook.trusted(
        id=step.new_id(),
        project_id=step.project_id,
        name=told.name,
        source=told.source,
        activation=told.activation,
        enabled=told.enabled,
        settings=told.settings,
        position=last + 1 if told.position is None else told.position,
        extensions=told.extensions,
        version=1,
        created_at=step.now,
        updated_at=step.now,
    )
    step.add([book])
    return book


def _changed(step: Step, book: LoreBook, patch: BookPatch) -> LoreBook:
    refuse_stale_version(
        f"The lorebook '{book.name}'", book.version, patch.expected_version, shown_book(step, book)
    )
    given = patch.given()
    if not given:
        raise InvalidInput("The patch names nothing to change.")
    if "settings" in given:
        settings: ScanSettings = given["settings"]
        named = {name: getattr(settings, name) for name in settings.model_fields_set}
        given["settings"] = book.settings.model_copy(update=named)
    after = book.model_copy(update=given)
    if after == book:
        return book
    after = touched(step, after)
    step.replace([(book, after)])
    return after


def remove(step: Step, book: LoreBook) -> int:
    """Remove a book together with its entries, and return how many those were."""
    entries = step.books.entries_in(step.project_id, book.id)
    step.remove(entries)
    step.remove([book])
    return len(entries)
