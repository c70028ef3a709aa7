"""Recognises a lorebook or a card in a file of any kind, and reads it."""

from __future__ import annotations

import posixpath
from dataclasses import replace
from typing import Any

from fabula.errors import InvalidInput
from fabula.formats.books.book_file import ending_of
from fabula.formats.folder_names import STORY
from fabula.formats.lorebooks.archives import CARD, MANIFEST, byaf_card, charx_card, files_in, names_in
from fabula.formats.lorebooks.card_book import V1, first_version
from fabula.formats.lorebooks.cards import read_card
from fabula.formats.lorebooks.formats import LAYOUTS
from fabula.formats.lorebooks.json_file import json_value
from fabula.formats.lorebooks.layout import Layout
from fabula.formats.lorebooks.markdown import is_lore, read_markdown
from fabula.formats.lorebooks.overlay import title_of
from fabula.formats.lorebooks.png import card_texts, is_png
from fabula.formats.lorebooks.reading import read_book
from fabula.formats.lorebooks.tables import is_table, read_table
from fabula.formats.lorebooks.values import ReadBook
from fabula.formats.novel_text import decoded

_ZIP = b"PK\x03\x04"
_TABLES = {".csv": "csv", ".tsv": "tsv", ".tab": "tsv"}
_OWN_ENDINGS = (".png", ".apng", ".charx", ".byaf", ".lorebook", ".scenario")


def is_lore_file(name: str, data: bytes) -> bool:
    """Whether a file is a lorebook or a card of another program; JSON is looked at with `layout_of`."""
    ending = ending_of(name)
    if ending in _OWN_ENDINGS or is_png(data):
        return True
    if data.startswith(_ZIP):
        return _archive_kind(data) is not None
    table = _TABLES.get(ending)
    return table is not None and _is_table(data)


def layout_of(value: Any) -> Layout | None:
    """The layout of a JSON value; None if it is no lorebook of another program."""
    return next((layout for layout in LAYOUTS if layout.matches(value)), None)


def read_lore_file(name: str, data: bytes) -> ReadBook:
    """The book in a file, and the card around it; errors say what is wrong with the file."""
    stem = title_of(posixpath.splitext(posixpath.basename(name.replace("\\", "/")))[0])
    if is_png(data):
        return _in_picture(data, stem)
    if data.startswith(_ZIP) or ending_of(name) in (".charx", ".byaf"):
        return _in_archive(data, stem)
    table = _TABLES.get(ending_of(name))
    if table is not None:
        return read_table(data, table, stem)
    return read_lore_value(json_value(data), stem)


def read_lore_value(value: Any, stem: str) -> ReadBook:
    """The book in a JSON value; InvalidInput if it is none."""
    layout = layout_of(value)
    if layout is None:
        raise InvalidInput(
            "This is no lorebook or character card that Fabula knows.",
            details={"field": "data", "reason": "not_known"},
            suggestion="docs/lorebook_formats.md lists what can be read.",
        )
    if layout is V1:
        value = first_version(value)
    book = read_book(layout, value, stem)
    return replace(book, card=read_card(value)) if layout.is_card else book


def _in_picture(data: bytes, stem: str) -> ReadBook:
    """The newest card in a picture that can be read; the error of the first if none can."""
    refused: InvalidInput | None = None
    for text in card_texts(data).values():
        try:
            return read_lore_value(json_value(text), stem)
        except InvalidInput as error:
            refused = refused or InvalidInput(
                f"The character card in this PNG is damaged. {error.message}",
                details={**(error.details or {}), "reason": "card_damaged"},
                suggestion="Export the card again from the program that made it.",
            )
    assert refused is not None
    raise refused


def _in_archive(data: bytes, stem: str) -> ReadBook:
    kind = _archive_kind(data)
    if kind == "byaf":
        return replace(read_lore_value(byaf_card(data), stem), program="Backyard AI")
    if kind == "markdown":
        return read_markdown(files_in(data, _is_note), stem)
    return replace(read_lore_value(charx_card(data), stem), program="CharX")


def _archive_kind(data: bytes) -> str | None:
    names = names_in(data)
    if CARD in names:
        return "charx"
    if MANIFEST in names and any(name.startswith("characters/") for name in names):
        return "byaf"
    if any(posixpath.basename(name) == STORY for name in names):
        return None
    notes = [name for name in names if name.lower().endswith(".md")]
    return "markdown" if notes and is_lore(files_in(data, _is_note)) else None


def _is_note(name: str) -> bool:
    return name.lower().endswith(".md") or posixpath.basename(name) == "metadata.json"


def _is_table(data: bytes) -> bool:
    text = decoded(data[:100_000]).text
    return any(is_table(text, delimiter) for delimiter in ",\t;")
