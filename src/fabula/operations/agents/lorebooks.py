"""Lorebooks of other programs for agents: an import as text, and an export of what they may be told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal

from pydantic import Field

from fabula.call import Call
from fabula.canon.book_values import existing_book, own_book
from fabula.canon.entry_values import LorebookEntry
from fabula.context.audience import ModelView
from fabula.context.book_scan import spells_a_secret
from fabula.errors import InvalidInput, NotFound
from fabula.formats.lorebooks.exporting import write_lore_file
from fabula.formats.recognition import file_kind
from fabula.model.account import Role
from fabula.model.as_of import AsOf
from fabula.model.book import OWN_BOOK, LoreBook
from fabula.model.names import name_key
from fabula.model.wire import Text, Value
from fabula.operations.agents.audience import listening
from fabula.operations.import_export.any_file import ImportFileRequest, take_file
from fabula.operations.import_export.lore_export import all_entries
from fabula.operations.table import StoryRequest, operation

TextFormat = Literal[
    "sillytavern",
    "character-book",
    "lorebook-v3",
    "novelai",
    "risu",
    "agnai",
    "kobold",
    "aidungeon",
    "csv",
]
_TEXT = "The file: World Info, a card or another program's lorebook as JSON, or a table with named columns."
_NAME = "The file's name, which becomes the name of the book if the file has none."
_BOOK = "The id or name of the lorebook; left out, the story's own."


class ImportOfferedLorebookRequest(StoryRequest):
    """A lorebook or card of another program as text; with `dryRun` nothing is saved."""

    text: Annotated[Text, Field(description=_TEXT)]
    name: Annotated[Text, Field(max_length=512, description=_NAME)] = "lorebook.json"
    overwrite: bool = False
    dry_run: bool = False


class OfferedLorebookResponse(Value):
    """What came in or would: the format, the book, and how many entries were imported, skipped, refused.

    `ignored` counts the entries that use a field which has an effect only in the other program.
    """

    format: str
    book_id: str | None
    imported: int
    skipped: int
    problem_count: int
    ignored: dict[str, int]
    dry_run: bool


class TellLorebookRequest(AsOf, StoryRequest):
    """The lorebook to export, for which program, and as of which moment."""

    book: Annotated[Text, Field(max_length=256, description=_BOOK)] = OWN_BOOK
    format: TextFormat = "sillytavern"


class ToldLorebookResponse(Value):
    """A lorebook as the text of a file: the entries that an agent may be told, and how many it may not."""

    name: str
    text: str
    entry_count: int
    withheld: int
    loss_count: int


@operation("agent.lorebook.import", role=Role.EDITOR, audience="model")
def told_lorebook_import(call: Call, request: ImportOfferedLorebookRequest) -> OfferedLorebookResponse:
    """Import a lorebook or card as a book of the story, in one step."""
    data = request.text.encode()
    if file_kind(request.name, data) != "lorebook":
        raise InvalidInput(
            "This is no lorebook.",
            details={"field": "text"},
            suggestion="Send the JSON of a lorebook or card, or a table named .csv with a column of keys.",
        )
    done = take_file(
        call,
        ImportFileRequest(
            data=data,
            name=request.name,
            story_id=request.project_id,
            overwrite=request.overwrite,
            dry_run=request.dry_run,
        ),
    )
    return OfferedLorebookResponse(
        format=done.format or "fabula",
        book_id=done.book_id,
        imported=done.counts.entries,
        skipped=done.counts.skipped,
        problem_count=done.problem_count,
        ignored=done.ignored,
        dry_run=done.dry_run,
    )


@operation("agent.lorebook.export", role=Role.READER, audience="model")
def told_lorebook(call: Call, request: TellLorebookRequest) -> ToldLorebookResponse:
    """Export what an agent may be told of a lorebook, for another program."""
    with listening(call, request.project_id, request.moment) as view:
        book = _book(view, request.book)
    entries = all_entries(call, request.project_id, book.id)
    with listening(call, request.project_id, request.moment) as view:
        told = [open_one for entry in entries if (open_one := _open(view, entry)) is not None]
        name = view.label(book.name)
        book = book.model_copy(update={"name": name, "extensions": view.json(book.extensions)})
    file = write_lore_file(request.format, book, told)
    return ToldLorebookResponse(
        name=name,
        text=file.data.decode(),
        entry_count=len(told),
        withheld=len(entries) - len(told),
        loss_count=len(file.losses),
    )


def _book(view: ModelView, wanted: str) -> LoreBook:
    """Return the book with an id or a name; NotFound without one that may be named."""
    reader, project_id = view.reader, view.index.project_id
    if wanted == OWN_BOOK:
        return own_book(reader.story(project_id))
    for book in reader.books.all_of(project_id):
        if wanted == book.id or (name_key(book.name) == name_key(wanted) and view.label(book.name)):
            return existing_book(reader, project_id, book.id) or book
    raise NotFound(
        f"There is no lorebook '{wanted}'.",
        details={"book": wanted},
        suggestion="Leave `book` out for the story's own, or give the id that an import answered.",
    )


def _open(view: ModelView, entry: LorebookEntry) -> LorebookEntry | None:
    """Return an entry without what an agent may not know; None if nothing of it may be told."""
    reader = view.reader
    if entry.entity_id is not None:
        slot = view.index.roster.slot_of[entry.entity_id]
        (entity,) = view.index.entities(reader, [slot])
        is_open = view.may_be_told(slot) and bool(view.own_names(entity))
    else:
        (stored,) = view.index.entries(reader, [entry.id])
        is_open = view.may_be_known(stored) and bool(view.entry_name(stored))
    texts = (entry.entry_key, entry.display_name, entry.content, entry.attributes, entry.extensions)
    words = (entry.keywords, entry.rules.secondary_keywords, entry.rules.exclude_keywords)
    if not is_open or not view.label(entry.entry_key) or spells_a_secret(view, _texts_in([*texts, *words])):
        return None
    about = view.redaction_about([entry.entity_id]) if entry.entity_id else view.redaction_of(stored)
    content, attributes, extensions = about.together(entry.content, entry.attributes, entry.extensions)
    rules = entry.rules.model_copy(
        update={
            "secondary_keywords": tuple(filter(view.label, entry.rules.secondary_keywords)),
            "exclude_keywords": tuple(filter(view.label, entry.rules.exclude_keywords)),
        }
    )
    return entry.model_copy(
        update={
            "content": content,
            "attributes": attributes,
            "extensions": extensions,
            "display_name": view.label(entry.display_name),
            "keywords": tuple(filter(view.label, entry.keywords)),
            "aliases": tuple(filter(view.label, entry.aliases)),
            "rules": rules,
        }
    )


def _texts_in(value: object) -> Iterator[str]:
    """Yield every text in a value, at any depth."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _texts_in(key)
            yield from _texts_in(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts_in(item)
