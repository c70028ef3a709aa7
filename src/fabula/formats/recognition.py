"""Recognises the kind of an imported file, by its extension and then by its content."""

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
    """The kind of a file; InvalidInput for book formats other than plain text."""
    ending = "." + name.lower().rpartition(".")[2]
    if ending in _BOOKS:
        raise InvalidInput(
            f"Files of the type {ending} are not supported.",
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
