"""Recognises the kind of an imported file, by its extension and then by its content."""

from __future__ import annotations

from typing import Any, Literal

import orjson

from fabula.formats.books.book_file import ending_of, is_archive_of_texts, is_book
from fabula.formats.world_info import world_info_entries

FileKind = Literal["novel", "story", "bundle", "lorebook"]

_ARCHIVE = b"PK\x03\x04"


def file_kind(name: str, data: bytes) -> FileKind:
    """The kind of a file; InvalidInput for book formats that are not read."""
    if is_book(name):
        return "novel"
    ending = ending_of(name)
    if ending == ".zip" or data.startswith(_ARCHIVE):
        return "novel" if is_archive_of_texts(data) else "story"
    if data.lstrip()[:1] in (b"[", b"{"):
        return _json_kind(data)
    return "story" if ending == ".json" else "bundle"


def lore_entries(data: bytes) -> list[Any] | None:
    """The entries of an exported lorebook, a World Info book or a bare list; None for anything else."""
    try:
        read = orjson.loads(data)
    except ValueError:
        return None
    if isinstance(read, dict):
        entries = read.get("entries")
        if isinstance(entries, dict):
            return world_info_entries(entries)
        return entries if isinstance(entries, list) else None
    is_lore = isinstance(read, list) and any(isinstance(one, dict) and "entryKey" in one for one in read)
    return read if is_lore else None


def _json_kind(data: bytes) -> FileKind:
    if lore_entries(data) is not None:
        return "lorebook"
    return "bundle" if data.lstrip()[:1] == b"[" else "story"
