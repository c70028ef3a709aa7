"""Lorebooks as they are shown and sent, and how one is found."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from fabula.errors import NotFound
from fabula.model.book import OWN_BOOK, BookActivation, LoreBook
from fabula.model.bounds import Version
from fabula.model.scan_settings import BookSource, ScanSettings
from fabula.model.story import Story
from fabula.model.wire import Name, OpenJson, Value
from fabula.store.reader import Reader

BookPosition = Annotated[int, Field(ge=-1_000_000, le=1_000_000, strict=True)]


class BookFields(Value):
    """The fields of a new lorebook; without a position it is the last one."""

    name: Name
    source: BookSource = "global"
    activation: BookActivation = "fabula"
    enabled: bool = True
    settings: ScanSettings = ScanSettings()
    position: BookPosition | None = None
    extensions: OpenJson = Field(default_factory=dict)


class BookPatch(Value):
    """The fields of a lorebook to change; the others stay as they are, and so do settings not named."""

    name: Name | None = None
    source: BookSource | None = None
    activation: BookActivation | None = None
    enabled: bool | None = None
    settings: ScanSettings | None = None
    position: BookPosition | None = None
    extensions: OpenJson | None = None
    expected_version: Version | None = None

    def given(self) -> dict[str, Any]:
        """Return the fields to change; null counts as absent."""
        fields = {name: getattr(self, name) for name in self.model_fields_set - {"expected_version"}}
        return {name: value for name, value in fields.items() if value is not None}


class StoryLorebook(Value):
    """A lorebook of a story as shown; the story's own has the id `own` and version 0, as it never changes."""

    id: str
    story_id: str
    name: str
    source: BookSource
    activation: BookActivation
    enabled: bool
    settings: ScanSettings
    position: int
    entry_count: int
    extensions: dict[str, Any]
    version: int
    created_at: str
    updated_at: str


def shown_book(reader: Reader, book: LoreBook) -> StoryLorebook:
    """Return a book as it is shown."""
    return _shown(book, reader.books.entry_counts(book.project_id).get(book.id, 0))


def shown_books(reader: Reader, project_id: str) -> tuple[StoryLorebook, ...]:
    """Return all books of a story as they are shown, its own first."""
    counts = reader.books.entry_counts(project_id)
    books = (own_book(reader.story(project_id)), *reader.books.all_of(project_id))
    return tuple(_shown(book, counts.get(book.id, 0)) for book in books)


def own_book(story: Story) -> LoreBook:
    """Return the book that every story has."""
    return LoreBook.trusted(
        id=OWN_BOOK,
        project_id=story.id,
        name=story.title,
        source="global",
        activation="fabula",
        enabled=True,
        settings=ScanSettings(),
        position=0,
        extensions={},
        version=0,
        created_at=story.created_at,
        updated_at=story.created_at,
    )


def existing_book(reader: Reader, project_id: str, book_id: str) -> LoreBook | None:
    """Return the book, None for the story's own; NotFound if the story has none with this id."""
    if book_id == OWN_BOOK:
        return None
    book = reader.books.book(project_id, book_id)
    if book is None:
        reader.story(project_id)
        raise NotFound(f"There is no lorebook '{book_id}' in this story.", details={"id": book_id})
    return book


def _shown(book: LoreBook, count: int) -> StoryLorebook:
    fields = {name: value for name, value in book if name != "project_id"}
    return StoryLorebook.trusted(**fields, story_id=book.project_id, entry_count=count)
