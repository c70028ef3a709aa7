"""Writes a book as a file of a format, with the list of what the format cannot say."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, get_args

import orjson

from fabula.formats.lorebooks.card_book import V2, V3
from fabula.formats.lorebooks.cards import with_texts
from fabula.formats.lorebooks.formats import FAMILIES, LAYOUT_OF
from fabula.formats.lorebooks.layout import Layout
from fabula.formats.lorebooks.markdown import write_markdown
from fabula.formats.lorebooks.overlay import EntryFields
from fabula.formats.lorebooks.png import plain_picture, with_cards
from fabula.formats.lorebooks.tables import table_bytes, write_table
from fabula.formats.lorebooks.values import BookToWrite, Loss
from fabula.formats.lorebooks.writing import write_book

LoreFormat = Literal[
    "sillytavern",
    "card-v2",
    "card-v3",
    "card-v2-png",
    "card-v3-png",
    "character-book",
    "lorebook-v3",
    "novelai",
    "novelai-scenario",
    "risu",
    "risu-module",
    "agnai",
    "kobold",
    "aidungeon",
    "nativetavern",
    "markdown",
    "csv",
    "tsv",
]
LORE_FORMATS: tuple[LoreFormat, ...] = get_args(LoreFormat)

_TABLES = {"csv": "text/csv", "tsv": "text/tab-separated-values"}
_PICTURES = {"card-v2-png": (("chara", V2),), "card-v3-png": (("chara", V2), ("ccv3", V3))}
_BEGINNING_OF_TIME = (1980, 1, 1, 0, 0, 0)


class LoreFile(NamedTuple):
    """A written file, how it is called, and what could not be said in it."""

    data: bytes
    ending: str
    media_type: str
    losses: Sequence[Loss]


class CardWords(NamedTuple):
    """The character for a card: its texts by the field they go into, and its picture if there is one."""

    texts: Mapping[str, str] = {}
    picture: bytes | None = None


def write_lore_file(
    form: LoreFormat, book: BookToWrite, entries: Sequence[EntryFields], card: CardWords | None = None
) -> LoreFile:
    """A book as a file."""
    if form in _TABLES:
        rows = write_table(form, book, entries)
        return LoreFile(table_bytes(rows.value, form, book), f".{form}", _TABLES[form], rows.losses)
    if form == "markdown":
        notes = write_markdown(book, entries)
        return LoreFile(_zip(notes.value), ".zip", "application/zip", notes.losses)
    words = card or CardWords()
    if form in _PICTURES:
        return _picture(form, book, entries, words)
    layout = LAYOUT_OF[form]
    value, losses = _value(layout, book, entries, words)
    return LoreFile(
        orjson.dumps(value, option=orjson.OPT_INDENT_2), layout.ending, "application/json", losses
    )


def _picture(
    form: LoreFormat, book: BookToWrite, entries: Sequence[EntryFields], card: CardWords
) -> LoreFile:
    texts: dict[str, bytes] = {}
    losses: Sequence[Loss] = ()
    for keyword, layout in _PICTURES[form]:
        value, losses = _value(layout, book, entries, card)
        texts[keyword] = orjson.dumps(value)
    if card.picture is None:
        losses = [*losses, Loss("", "picture", "changed")]
    picture = with_cards(card.picture or plain_picture(), texts)
    return LoreFile(picture, ".png", "image/png", losses)


def _value(
    layout: Layout, book: BookToWrite, entries: Sequence[EntryFields], card: CardWords
) -> tuple[Any, Sequence[Loss]]:
    written = write_book(layout, book, entries, FAMILIES, LAYOUT_OF)
    value = with_texts(written.value, card.texts) if layout.is_card else written.value
    return value, written.losses


def _zip(files: Mapping[str, str]) -> bytes:
    """The same files give the same bytes, without times and permissions."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(files):
            entry = zipfile.ZipInfo(path, _BEGINNING_OF_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            entry.create_system = 3
            archive.writestr(entry, files[path])
    return out.getvalue()
