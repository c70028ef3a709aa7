"""Recognises the kind of an imported file, by its extension and then by its content."""

from __future__ import annotations

import codecs
from typing import Any, Literal

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
    if _first_sign(data) in ("[", "{"):
        return _json_kind(data)
    return "story" if ending == ".json" else "bundle"


def lore_entries(data: bytes) -> list[Any] | None:
    """The entries of an exported lorebook of Fabula, or of a bare list; None for anything else."""
    try:
        read = json_value(data)
    except FabulaError:
        return None
    if isinstance(read, dict):
        entries = read.get("entries")
        return entries if isinstance(entries, list) and layout_of(read) is None else None
    is_lore = isinstance(read, list) and any(isinstance(one, dict) and "entryKey" in one for one in read)
    return read if is_lore else None


def _json_kind(data: bytes) -> FileKind:
    if lore_entries(data) is not None or _is_of_others(data):
        return "lorebook"
    return "bundle" if _first_sign(data) == "[" else "story"


def _is_of_others(data: bytes) -> bool:
    try:
        return layout_of(json_value(data)) is not None
    except InvalidInput:
        # Damaged: the reader of lorebooks says where, and an archive of a story has not this form.
        return _first_sign(data) == "{"
    except FabulaError:
        return False


def _first_sign(data: bytes) -> str:
    """The first character of a text that is no blank; JSON of some programs is in UTF-16."""
    is_wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    text = data[:2_000].decode("utf-16" if is_wide else "utf-8-sig", errors="replace")
    return text.lstrip("\ufeff \t\r\n")[:1]
