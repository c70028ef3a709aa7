"""Recognises the kind of an imported file, by its extension and then by its content."""

from __future__ import annotations

from typing import Any, Literal

import orjson

from fabula.errors import FabulaError, InvalidInput
from fabula.formats.books.book_file import ending_of, is_archive_of_texts, is_book
from fabula.formats.lorebooks.json_file import json_value
from fabula.formats.lorebooks.opening import is_lore_file, layout_of

FileKind = Literal["novel", "story", "bundle", "lorebook"]

_ARCHIVE = b"PK\x03\x04"


def file_kind(name: str, data: bytes) -> FileKind:
    """The kind of a file; InvalidInput for book formats that are not read."""
    if is_book(name):
        return "novel"
    if is_lore_file(name, data):
        return "lorebook"
    ending = ending_of(name)
    if ending == ".zip" or data.startswith(_ARCHIVE):
        return "novel" if is_archive_of_texts(data) else "story"
    if data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"[", b"{"):
        return _json_kind(data)
    return "story" if ending == ".json" else "bundle"


def lore_entries(data: bytes) -> list[Any] | None:
    """The entries of an exported lorebook of Fabula, or of a bare list; None for anything else."""
    try:
        read = orjson.loads(data)
    except ValueError:
        return None
    if isinstance(read, dict):
        entries = read.get("entries")
        return entries if isinstance(entries, list) and layout_of(read) is None else None
    is_lore = isinstance(read, list) and any(isinstance(one, dict) and "entryKey" in one for one in read)
    return read if is_lore else None


def _json_kind(data: bytes) -> FileKind:
    if lore_entries(data) is not None or _is_of_others(data):
        return "lorebook"
    return "bundle" if data.lstrip()[:1] == b"[" else "story"


def _is_of_others(data: bytes) -> bool:
    try:
        return layout_of(json_value(data)) is not None
    except InvalidInput:
        # Damaged: the reader of lorebooks says where, and an archive of a story has not this form.
        return data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"{"
    except FabulaError:
        return False
