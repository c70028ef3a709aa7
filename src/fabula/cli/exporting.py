"""`fabula export`, and the import of whole stories."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.console import Console

from fabula.cli.asking import ask, keeper
from fabula.cli.context import story_id_of
from fabula.cli.lorebooks import LoreExport, export_book
from fabula.cli.serving import Db, open_for
from fabula.cli.texts import say
from fabula.config import load
from fabula.errors import BundleInvalid, InvalidInput
from fabula.formats.folder_names import file_name
from fabula.formats.lorebooks.exporting import LORE_FORMATS, LoreFormat
from fabula.memory import Memory
from fabula.operations.import_export.export_story import (
    ENDINGS,
    FileFormat,
    export_file,
    export_folder,
)
from fabula.operations.import_export.import_folder import ImportArchiveResponse, import_story, read_source
from fabula.operations.stories import read_story

STANDARD_OUTPUT = Path("-")

console = Console(highlight=False, markup=False)
errors = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)


def export(
    story: Annotated[str, typer.Argument(help=say("opt_story_or_title"))],
    target: Annotated[Path | None, typer.Argument(help=say("opt_target"))] = None,
    form: Annotated[
        Literal["folder", FileFormat, LoreFormat],
        typer.Option("--format", help=say("opt_export_format", lore=", ".join(LORE_FORMATS))),
    ] = "folder",
    overwrite: Annotated[bool, typer.Option("--overwrite", help=say("opt_overwrite"))] = False,
    book: Annotated[str | None, typer.Option("--book", help=say("opt_export_book"))] = None,
    report: Annotated[bool, typer.Option("--report", help=say("opt_export_report"))] = False,
    picture: Annotated[Path | None, typer.Option("--picture", help=say("opt_export_picture"))] = None,
    db: Db = None,
) -> None:
    """Write a whole story into a folder, or into one file."""
    with open_for(load(), db) as memory:
        story_id = story_id_of(memory, story)
        name = file_name(ask(memory, read_story, project_id=story_id).title)
        match form:
            case "zip" | "json" | "bundle" | "md" | "docx" | "epub":
                _write_file(memory, story_id, form, target or Path(name + ENDINGS[form]))
                return
            case "folder":
                pass
            case _:
                export_book(memory, story_id, LoreExport(form, book, target, report, picture))
                return
        path = target or Path(name)
        done = ask(memory, export_folder, project_id=story_id, path=path, overwrite=overwrite)
    console.print(say("exported", **dict(done)), soft_wrap=True)


def _write_file(memory: Memory, story_id: str, form: FileFormat, target: Path) -> None:
    with ask(memory, export_file, project_id=story_id, format=form) as file:
        if target == STANDARD_OUTPUT:
            shutil.copyfileobj(file, sys.stdout.buffer)
            return
        partial = target.with_name(f"{target.name}.part")
        try:
            with partial.open("wb") as out:
                shutil.copyfileobj(file, out)
            partial.replace(target)
        except OSError as error:
            raise InvalidInput(f"{target}: {error.strerror}", suggestion="Name another file.") from error
    console.print(say("written", path=target), soft_wrap=True)


def import_whole_story(memory: Memory, source: Path, story_id: str | None = None) -> ImportArchiveResponse:
    """Import a folder or archive as a new story or into an empty one, and report it."""
    try:
        done = import_story(memory.call(keeper), read_source(source), story_id)
    except BundleInvalid as refused:
        for error in (refused.details or {}).get("errors", []):
            line = f", {error['line']}" if "line" in error else ""
            errors.print(f"{error['path']}{line}: {error['message']}")
        raise
    counts = {"entities": done.entity_count, "relations": done.relation_count, "scenes": done.scene_count}
    console.print(say("story_imported", title=done.title, id=done.story_id, **counts), soft_wrap=True)
    return done
