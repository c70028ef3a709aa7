"""Exporting a lorebook: as Fabula's own entries, or as a file for another program with its list of losses."""

from __future__ import annotations

import base64
import binascii
from collections import Counter
from itertools import count
from typing import Literal

from pydantic import Field

from fabula.call import Call
from fabula.canon.book_values import existing_book, own_book
from fabula.canon.entry_values import LorebookEntry
from fabula.errors import InvalidInput
from fabula.formats.folder_names import file_name
from fabula.formats.lorebooks.cards import read_card, said_of
from fabula.formats.lorebooks.exporting import CardWords, LoreFormat, write_lore_file
from fabula.formats.lorebooks.overlay import ORIGIN, original
from fabula.formats.lorebooks.png import is_png
from fabula.formats.lorebooks.values import Becomes
from fabula.model.account import Role
from fabula.model.book import OWN_BOOK, LoreBook
from fabula.model.wire import Id, Value
from fabula.operations.import_export.lore_import import CARD
from fabula.operations.lorebook.bulk import MAX_IMPORT
from fabula.operations.lorebook.entries import entries_page
from fabula.operations.table import StoryRequest, operation
from fabula.store.lore_reader import EntryFilter

SHOWN = 1_000


class ExportEntriesResponse(Value):
    """The whole lorebook, in the format that `import` accepts."""

    entries: tuple[LorebookEntry, ...]


class FieldLoss(Value):
    """What a format cannot say: the entry (empty for the book), its field, and what becomes of it."""

    entry: str
    field: str
    becomes: Becomes


class ExportLossesResponse(Value):
    """What would be lost in a format: the losses, their number, and how many entries lose each field."""

    format: LoreFormat
    losses: tuple[FieldLoss, ...]
    loss_count: int
    fields: dict[str, int]


class LorebookFile(Value):
    """A lorebook as a file of another program, and what could not be said in it."""

    name: str
    media_type: str
    data: bytes = Field(repr=False)
    losses: tuple[FieldLoss, ...]


class ExportLorebookRequest(StoryRequest):
    """The lorebook to export; with a format as a file, and with `report` only what would be lost."""

    book_id: Id = OWN_BOOK
    format: LoreFormat | Literal["fabula"] = "fabula"
    report: bool = False
    picture: bytes | None = Field(default=None, repr=False)


@operation("lorebook.export", role=Role.READER)
def export_lorebook(
    call: Call, request: ExportLorebookRequest
) -> ExportEntriesResponse | ExportLossesResponse | LorebookFile:
    """Export a lorebook in the format that `/imports` accepts, or for another program."""
    with call.store.read() as reader:
        found = existing_book(reader, request.project_id, request.book_id)
        book = found or own_book(reader.story(request.project_id))
    entries = all_entries(call, request.project_id, book.id)
    if request.format == "fabula":
        return ExportEntriesResponse.trusted(entries=entries)
    words = _card_words(call, book, request.picture) if request.format.startswith("card-") else None
    file = write_lore_file(request.format, book, entries, words)
    losses = tuple(FieldLoss.trusted(**loss._asdict()) for loss in file.losses)
    if request.report:
        fields = Counter(loss.field for loss in losses)
        return ExportLossesResponse(
            format=request.format, losses=losses[:SHOWN], loss_count=len(losses), fields=dict(fields)
        )
    return LorebookFile.trusted(
        name=f"{file_name(book.name)}{file.ending}", media_type=file.media_type, data=file.data, losses=losses
    )


def all_entries(call: Call, project_id: str, book_id: str) -> tuple[LorebookEntry, ...]:
    """Return every entry of a lorebook."""
    entries: tuple[LorebookEntry, ...] = ()
    for page in count():
        part = entries_page(call, project_id, EntryFilter(book_id=book_id), page, MAX_IMPORT)
        entries += part.items
        if len(entries) >= part.total:
            return entries
    raise AssertionError("count() does not end")


def _card_words(call: Call, book: LoreBook, picture: bytes | None) -> CardWords:
    """The texts of a card that were changed since it came, and its picture."""
    if picture is not None and not is_png(picture):
        raise InvalidInput(
            "The picture is no PNG.", details={"field": "picture"}, suggestion="Give a PNG picture."
        )
    origin = book.extensions.get(ORIGIN)
    known = origin if isinstance(origin, dict) else {}
    document = original(book.extensions.get(CARD))
    if not isinstance(document, dict):
        return CardWords({"name": book.name}, picture)
    card = read_card(document)
    before = {text.field: text.content for text in card.texts}
    texts: dict[str, str] = {}
    for entry in all_entries(call, book.project_id, OWN_BOOK):
        place = entry.extensions.get(CARD)
        if isinstance(place, dict) and place.get("book") == book.id:
            field = str(place.get("field"))
            if said_of(card, before.get(field, "")) != entry.content:
                texts[field] = entry.content
    entity_id = known.get("entity")
    if isinstance(entity_id, str):
        with call.store.read() as reader:
            entity = reader.entity(book.project_id, entity_id)
        if entity is not None:
            # A character without a description was given its name as one.
            was = (said_of(card, card.description),) if card.description.strip() else (card.name, entity.name)
            texts |= {} if entity.description in was else {"description": entity.description}
            texts |= {} if entity.name == card.name or not card.name else {"name": entity.name}
    return CardWords(texts, picture or _kept_picture(known.get("picture")))


def _kept_picture(found: object) -> bytes | None:
    try:
        picture = base64.b64decode(found) if isinstance(found, str) else b""
    except binascii.Error:
        return None
    return picture if is_png(picture) else None
