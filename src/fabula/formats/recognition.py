"""What a file from elsewhere is: by its ending, and where that is not enough by what is in it."""

from __future__ import annotations

from typing import Any, Literal

import orjson

from fabula.errors import InvalidInput
from fabula.formats.world_info import world_info_entries

FileKind = Literal["novel", "story", "bundle", "lorebook"]

_ARCHIVE = b"PK\x03\x04"
_PROSE = (".txt", ".md")
_BOOKS = (".epub", ".docx", ".pdf", ".mobi", ".doc", ".rtf")


def file_kind(name: str, data: bytes) -> FileKind:
    """What a file of this name is; InvalidInput if it is a book that is no plain text."""
    ending = "." + name.lower().rpartition(".")[2]
    if ending in _BOOKS:
        raise InvalidInput(
            f"A file that ends in {ending} is not read.",
            details={"field": "name"},
            suggestion="Save the novel as plain text (.txt) first.",
        )
    if ending == ".zip" or data.startswith(_ARCHIVE):
        return "story"
    if ending in _PROSE:
        return "novel"
    if data.lstrip()[:1] in (b"[", b"{"):
        return _json_kind(data)
    return "story" if ending == ".json" else "bundle"


def lore_entries(data: bytes) -> list[Any] | None:
    """The entries of a lorebook as export writes it, of a World Info book or a bare list; else None."""
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
