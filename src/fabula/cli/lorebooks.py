"""Lorebooks and cards of other programs at the terminal: importing one, and writing one."""

from __future__ import annotations

import io
import sys
import zipfile
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.text import Text

from fabula.cli.asking import ask, keeper
from fabula.cli.texts import say
from fabula.errors import InvalidInput
from fabula.formats.books.archive import MAX_FILE_BYTES, ReadLimits
from fabula.formats.lorebooks.exporting import LoreFormat
from fabula.formats.lorebooks.markdown import is_lore
from fabula.memory import Memory
from fabula.operations.import_export.any_file import ImportFileResponse, take_file
from fabula.operations.import_export.lore_export import (
    ExportLossesResponse,
    FieldLoss,
    LorebookFile,
    export_lorebook,
)
from fabula.operations.lorebook.books import list_books

STANDARD_OUTPUT = Path("-")
SHOWN = 20

console = Console(highlight=False, markup=False)
errors = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)


class LoreExport(NamedTuple):
    """Which book to write, in which format, and into which file."""

    form: LoreFormat
    book: str | None
    target: Path | None
    report: bool
    picture: Path | None


def import_lorebook(
    memory: Memory, source: Path, story_id: str | None, title: str | None, *, dry_run: bool, overwrite: bool
) -> None:
    """Import a lorebook or card from a file or a folder of notes, and say what became of it."""
    done = take_file(
        memory.call(keeper),
        data=_packed(source) if source.is_dir() else _read(source),
        name=f"{source.name}.zip" if source.is_dir() else source.name,
        story_id=story_id,
        title=title,
        dry_run=dry_run,
        overwrite=overwrite,
    )
    for problem in done.problems:
        errors.print(Text(f"{problem.index + 1}. {problem.entry_key}: {problem.message}"))
    told = {"title": done.title, "entries": done.counts.entries, "skipped": done.counts.skipped}
    console.print(say("lore_tried" if done.dry_run else "lore_imported", **told), soft_wrap=True)
    _tell_fields(done)


def _tell_fields(done: ImportFileResponse) -> None:
    if done.format is None:
        return
    console.print(say("lore_format", format=done.format), soft_wrap=True)
    for key, fields in (("lore_runs", done.runs), ("lore_ignored", done.ignored), ("lore_kept", done.kept)):
        if fields:
            listed = ", ".join(f"{name} ({count})" for name, count in sorted(fields.items()))
            console.print(say(key, fields=listed), soft_wrap=True)
    if done.collisions:
        console.print(say("lore_collisions", names=", ".join(done.collisions[:SHOWN])), soft_wrap=True)


def is_folder_of_notes(folder: Path) -> bool:
    """Whether a folder holds Markdown notes that are a lorebook."""
    return is_lore(_notes(folder))


def export_book(memory: Memory, story_id: str, wish: LoreExport) -> None:
    """Write a book as a file of another program, or only say what would be lost."""
    done = ask(
        memory,
        export_lorebook,
        project_id=story_id,
        book_id=_book_of(memory, story_id, wish),
        format=wish.form,
        report=wish.report,
        picture=None if wish.picture is None else _read(wish.picture),
    )
    if isinstance(done, ExportLossesResponse):
        _tell_losses(done.losses)
    elif isinstance(done, LorebookFile):
        _write(done, wish.target)


def _book_of(memory: Memory, story_id: str, wish: LoreExport) -> str:
    """The book named by id or name; else the only one with entries, for cards the one that came with one."""
    found = ask(memory, list_books, project_id=story_id).items
    if wish.book is not None:
        for book in found:
            if wish.book in (book.id, book.name):
                return book.id
        raise InvalidInput(
            f"There is no lorebook '{wish.book}' in this story.",
            details={"field": "book"},
            suggestion=f"Name one of: {', '.join(book.name for book in found)}.",
        )
    own = found[0]
    filled = [book for book in found if book.entry_count]
    if wish.form.startswith("card-"):
        others = [book for book in found[1:] if book.source == "character"] or filled
        return others[0].id if others else own.id
    if len(filled) > 1:
        raise InvalidInput(
            f"This story has {len(filled)} lorebooks with entries, and a file holds one.",
            details={"field": "book"},
            suggestion="Choose with --book: "
            + ", ".join(f"{book.name} ({book.entry_count})" for book in filled),
        )
    return filled[0].id if filled else own.id


def _write(file: LorebookFile, target: Path | None) -> None:
    path = target or Path(file.name)
    if path == STANDARD_OUTPUT:
        sys.stdout.buffer.write(file.data)
        return
    partial = path.with_name(f"{path.name}.part")
    try:
        partial.write_bytes(file.data)
        partial.replace(path)
    except OSError as error:
        raise InvalidInput(f"{path}: {error.strerror}", suggestion="Name another file.") from error
    console.print(say("written", path=path), soft_wrap=True)
    if file.losses:
        _tell_losses(file.losses)


def _tell_losses(losses: tuple[FieldLoss, ...]) -> None:
    if not losses:
        console.print(say("lore_no_losses"), soft_wrap=True)
        return
    console.print(say("lore_losses", count=len(losses)), soft_wrap=True)
    for loss in losses[:SHOWN]:
        becomes = say(f"lore_{loss.becomes}")
        console.print(f"  {loss.entry or '–'}: {loss.field}: {becomes}", soft_wrap=True)
    if len(losses) > SHOWN:
        console.print(say("lore_more_losses", count=len(losses) - SHOWN), soft_wrap=True)


def _notes(folder: Path) -> dict[str, bytes]:
    limits, found = ReadLimits(), dict[str, bytes]()
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        is_hidden = any(part.startswith(".") for part in name.split("/"))
        if is_hidden or path.is_symlink() or not path.is_file():
            continue
        if path.suffix.lower() == ".md" or path.name == "metadata.json":
            with path.open("rb") as file:
                found[name] = limits.take(name, file.read(MAX_FILE_BYTES + 1))
    return found


def _packed(folder: Path) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in _notes(folder).items():
            archive.writestr(name, data)
    return out.getvalue()


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InvalidInput(f"{path}: {error.strerror}", suggestion="Name a file that can be read.") from error
