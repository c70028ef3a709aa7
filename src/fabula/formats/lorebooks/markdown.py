"""Lorebooks as folders of Markdown with YAML front matter: Obsidian, Novelcrafter, and our own."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from fabula.errors import FabulaError, InvalidInput
from fabula.formats.folder_names import file_name
from fabula.formats.folder_text import document
from fabula.formats.lorebooks.named import changed_cells, is_known, read_named
from fabula.formats.lorebooks.overlay import ORIGIN, EntryFields, original, storable, title_of
from fabula.formats.lorebooks.reading import UniqueNames, refuse_too_many
from fabula.formats.lorebooks.tables import edits_of, named_entry
from fabula.formats.lorebooks.unsaid import unsaid_fields
from fabula.formats.lorebooks.values import BookToWrite, FieldCounts, Loss, ReadBook, WrittenBook
from fabula.formats.novel_text import decoded
from fabula.formats.safe_yaml import YamlLimits, read_yaml

FAMILY = "markdown"
FORMAT = "markdown"
# Novelcrafter writes an entry as a folder of its own, with what it knows of it beside the text.
_CODEX = "entry.md"
_BESIDE = ("metadata.json", "notes.md")
_HEAD = re.compile(r"\A﻿?---[ \t]*\n(.*?\n|)(?:---|\.\.\.)[ \t]*(?:\n\s*|\Z)", re.DOTALL)
_TELLING = ("aliases", "alias", "keywords", "keys", "type", "category", "alwaysIncludeInContext")
_CODEX_ID = re.compile(r"-[A-Za-z0-9]{20,32}\Z")
_LIMITS = YamlLimits(size=1 << 20, depth=20, values=20_000, doubtful=20_000)


class _Page(NamedTuple):
    """A Markdown file: the front matter as written, the text, and the blank space after it."""

    head: str
    front: dict[str, Any]
    body: str
    tail: str


def is_lore(files: Mapping[str, bytes]) -> bool:
    """Whether a folder of Markdown is a lorebook rather than a novel: most files say what they describe."""
    pages = [path for path in files if _is_page(path)]
    if any(posixpath.basename(path) == _CODEX for path in pages):
        return True
    telling = sum(_is_telling(files[path]) for path in pages)
    return bool(pages) and telling * 2 >= len(pages)


def read_markdown(files: Mapping[str, bytes], name: str = "") -> ReadBook:
    """The book in a folder, given by path; InvalidInput with the path of a file that cannot be read."""
    names, counts = UniqueNames(), FieldCounts()
    entries: list[dict[str, Any]] = []
    others: list[str] = []
    is_codex = any(posixpath.basename(path) == _CODEX for path in files)
    refuse_too_many(sum(map(_is_page, files)))
    for path in sorted(files):
        if not _is_page(path) or (is_codex and posixpath.basename(path) != _CODEX):
            if posixpath.basename(path) not in _BESIDE or not is_codex:
                others.append(path)
            continue
        page = _page(path, files[path])
        beside = _beside(path, files) if is_codex else {}
        said = read_named(_told(path, page.front, beside)) | {"content": page.body}
        for field, value in page.front.items():
            if value not in (None, "", [], {}):
                counts.count(str(field), "runs" if is_known(field) else "kept")
        kept = {"path": path, "head": page.head, "tail": page.tail}
        if beside:
            kept["beside"] = storable(beside)
        entries.append(named_entry(said, names, len(entries), {FAMILY: storable(kept)}))
    for _ in others:
        counts.count("files", "ignored")
    if not entries:
        raise InvalidInput(
            "There is no Markdown file in this folder.",
            details={"field": "data", "reason": "no_markdown"},
            suggestion="Pack the notes as a ZIP file of .md files.",
        )
    return ReadBook(
        format=FORMAT,
        program="Markdown",
        name=name,
        entries=entries,
        extensions={ORIGIN: {"format": FORMAT, "name": ""}, FAMILY: {}},
        counts=counts,
        activation="fabula",
    )


def write_markdown(book: BookToWrite, entries: Sequence[EntryFields]) -> WrittenBook:
    """The book as texts by path, and what could not be said."""
    files: dict[str, str] = {}
    losses: list[Loss] = []
    came = FAMILY in book.extensions
    for entry in entries:
        kept = original(entry.extensions.get(FAMILY)) if came else None
        is_kept = isinstance(kept, dict) and isinstance(kept.get("path"), str)
        known: dict[str, Any] = kept if isinstance(kept, dict) and is_kept else {}
        path = _free_path(
            known.get("path") or f"{file_name(entry.display_name or entry.entry_key)}.md", files
        )
        beside = original(known.get("beside")) or {}
        head = known.get("head", "")
        front = _front(head)
        before = read_named(_told(path, front, beside) if is_kept else {})
        changes = edits_of(entry, {**before, "content": entry.content})
        if changes or not is_kept:
            front = changed_cells(front, changes)
            # A note that says nothing of itself would be read as a chapter of a novel.
            is_said = is_kept or any(name in front for name in _TELLING)
            head = _written_head(front if is_said else {**front, "aliases": []})
        files[path] = head + entry.content + known.get("tail", "\n")
        files |= {posixpath.join(posixpath.dirname(path), name): text for name, text in beside.items()}
        losses.extend(unsaid_fields(entry, FAMILY))
    return WrittenBook(files, losses)


def _is_page(path: str) -> bool:
    parts = path.split("/")
    return path.lower().endswith(".md") and not any(part.startswith((".", "__MACOSX")) for part in parts)


def _is_telling(data: bytes) -> bool:
    if not data.lstrip(b"\xef\xbb\xbf").startswith(b"---"):
        return False
    try:
        front = _page("", data).front
    except FabulaError:
        return False
    return any(name in front for name in _TELLING)


def _page(path: str, data: bytes) -> _Page:
    text = decoded(data).text
    found = _HEAD.match(text)
    head = found[0] if found else ""
    rest = text[len(head) :]
    body = rest.rstrip()
    try:
        return _Page(head, _front(head), body, rest[len(body) :])
    except FabulaError as error:
        raise InvalidInput(
            f"{path}: {error.message}",
            details={"path": path, **(error.details or {}), "reason": "front_matter"},
            suggestion=error.suggestion,
        ) from None


def _front(head: str) -> dict[str, Any]:
    found = _HEAD.match(head)
    if found is None or not found[1].strip():
        return {}
    said = read_yaml(found[1].encode(), _LIMITS).value
    return said if isinstance(said, dict) else {}


def _written_head(front: dict[str, Any]) -> str:
    return f"---\n{document(front).decode()}---\n\n" if front else ""


def _beside(path: str, files: Mapping[str, bytes]) -> dict[str, str]:
    folder = posixpath.dirname(path)
    found = {name: files.get(posixpath.join(folder, name)) for name in _BESIDE}
    return {name: decoded(data).text for name, data in found.items() if data is not None}


def _told(path: str, front: dict[str, Any], beside: Mapping[str, str]) -> dict[str, Any]:
    """What is said of an entry: by its front matter, else by what stands beside it, else by its path."""
    stem = posixpath.splitext(posixpath.basename(path))[0]
    if posixpath.basename(path) == _CODEX:
        stem = _CODEX_ID.sub("", posixpath.basename(posixpath.dirname(path)))
    attributes: Any = {}
    try:
        attributes = orjson.loads(beside.get("metadata.json", "{}")).get("attributes", {})
    except (ValueError, AttributeError):
        attributes = {}
    said = {**(attributes if isinstance(attributes, dict) else {}), **front}
    has_name = any(
        is_known(name) and title_of(value) for name, value in said.items() if name in ("name", "title")
    )
    said.pop("description", None)
    return said if has_name else {**said, "name": stem}


def _free_path(wish: str, files: Mapping[str, str]) -> str:
    stem, ending = posixpath.splitext(wish)
    path, number = wish, 2
    while path in files:
        path, number = f"{stem} ({number}){ending}", number + 1
    return path
