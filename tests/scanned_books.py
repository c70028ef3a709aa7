"""Stories with lorebooks that are scanned as in SillyTavern, made of World Info objects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from fabula.formats.lorebooks.overlay import read_fields
from fabula.formats.lorebooks.reading import fabula_fields
from fabula.story_memory import StoryMemory


def scanned_book(story: StoryMemory, entries: Iterable[Mapping[str, Any]], **book: Any) -> str:
    """Give a story a book with these entries, and return its id."""
    named = {"name": "Borrowed", "activation": "sillytavern", **book}
    book_id: str = story.ask("lorebook.book.create", **named).id
    for number, original in enumerate(entries):
        scanned_entry(story, book_id, f"entry {number}", original)
    return book_id


def scanned_entry(
    story: StoryMemory, book_id: str, name: str, original: Mapping[str, Any], **more: Any
) -> str:
    """Add an entry as a file of World Info has it, and return its id."""
    fields = {**fabula_fields(read_fields(original)), "extensions": {"sillytavern": dict(original)}, **more}
    fields.pop("content", None)
    made: str = story.entry(name, str(original.get("content", "")), book_id=book_id, **fields).id
    return made
