"""`fabula import` of whole novels, and `fabula extract`, with progress bars."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.box import SIMPLE
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.table import Table

from fabula.cli.asking import ask, keeper
from fabula.cli.context import story_id_of
from fabula.cli.serving import Db, open_for
from fabula.cli.texts import say
from fabula.config import load
from fabula.errors import InvalidInput, JobInProgress, NotFound
from fabula.formats.books.archive import ReadLimits
from fabula.formats.books.book_file import book_text, folder_book, is_readable
from fabula.formats.books.book_text import BookText
from fabula.memory import Memory
from fabula.model.parsing import parsed
from fabula.operations.manuscript.manuscript import list_chapters
from fabula.operations.manuscript.novel_import import (
    KIND,
    ImportNovelRequest,
    import_novel,
    novel_in,
    preview_of,
)
from fabula.operations.manuscript.novel_reading import mention_counts
from fabula.operations.manuscript.scene_extraction import read_scene_anew
from fabula.operations.proposals.extraction import extractions_page
from fabula.operations.stories import read_story
from fabula.store.proposal_reader import ProposalFilter

SHOWN = 20

console = Console(highlight=False, markup=False)


def show_chapters(source: Path) -> None:
    """Show the chapters found in a novel, and import nothing."""
    novel = novel_in(_book(source).text)
    table = Table(box=SIMPLE, pad_edge=False)
    table.add_column(say("column_chapter"))
    for name in ("scenes", "words"):
        table.add_column(say(f"column_{name}"), justify="right")
    table.add_column(say("column_opening"), no_wrap=True, overflow="ellipsis")
    for chapter in preview_of(novel, len(novel.chapters)):
        counts = (f"{chapter.scenes:,}", f"{chapter.words:,}")
        table.add_row(chapter.title, *counts, chapter.opening)
    console.print(table)
    console.print(say("novel_tried", chapters=f"{len(novel.chapters):,}"), soft_wrap=True)


def _book(source: Path) -> BookText:
    """Return the text of a file, or of all files of a folder that hold texts."""
    try:
        if source.is_dir():
            paths = [path for path in source.rglob("*") if path.is_file() and not path.is_symlink()]
            limits = ReadLimits()
            names = {path.relative_to(source).as_posix(): path for path in paths if is_readable(path.name)}
            return folder_book({name: limits.take(name, path.read_bytes()) for name, path in names.items()})
        return book_text(source.name, source.read_bytes())
    except OSError as error:
        raise InvalidInput(
            f"{source}: {error.strerror}", suggestion="Name a file or folder that can be read."
        ) from error


def import_novel_file(memory: Memory, source: Path, title: str | None, approve: float) -> None:
    """Import a novel and read it; if that was interrupted, importing it again resumes."""
    text, encoding, own_title = _book(source)
    wished = title or own_title[:256] or (source.name[:256] if source.is_dir() else None)
    request = parsed(ImportNovelRequest, {"text": text, "title": wished, "approve": approve})
    call = memory.call(keeper)
    story = import_novel(call, request, source.stem)
    told = {"title": story.title, "id": story.story_id}
    if story.is_new:
        counts = {"chapters": f"{story.chapter_count:,}", "scenes": f"{story.scene_count:,}"}
        console.print(say("novel_stored", encoding=encoding, **told, **counts), soft_wrap=True)
    else:
        console.print(say("novel_whole" if story.task_id is None else "novel_again", **told), soft_wrap=True)
    if story.task_id is not None and not _read_through(memory, story.story_id):
        return
    _tell(memory, story.story_id)


def _read_through(memory: Memory, story_id: str) -> bool:
    """Run the job that reads a novel; False if another process is running it."""
    call = memory.call(keeper)
    with percent_bar() as bar:
        task = bar.add_task(say("novel_reading"), total=1.0)

        def seen(progress: float, message: str) -> None:
            bar.update(task, completed=progress)

        try:
            job = call.jobs.do(call, KIND, story_id, "", "", seen)
        except JobInProgress:
            console.print(say("novel_elsewhere"))
            return False
    if job.status != "done":
        console.print(say("novel_failed", status=job.status, message=job.message), soft_wrap=True)
        raise typer.Exit(1)
    return True


def _tell(memory: Memory, story_id: str) -> None:
    """Show who was found, and how often they are mentioned."""
    call = memory.call(keeper)
    story = ask(memory, read_story, project_id=story_id)
    counts = {"entities": f"{story.entity_count:,}", "relations": f"{story.relation_count:,}"}
    console.print(say("novel_read", waiting=f"{_waiting(memory, story_id):,}", **counts), soft_wrap=True)
    named = mention_counts(call, story_id)[:SHOWN]
    if not named:
        return
    table = Table(box=SIMPLE, pad_edge=False)
    for name in ("name", "type"):
        table.add_column(say(f"column_{name}"))
    for name in ("times", "first"):
        table.add_column(say(f"column_{name}"), justify="right")
    for name, kind, times, (chapter, scene) in named:
        table.add_row(name, kind, f"{times:,}", f"{chapter}.{scene}")
    console.print(table)


def _waiting(memory: Memory, story_id: str) -> int:
    return extractions_page(memory.call(keeper), story_id, ProposalFilter(reviewed=False), 0, 1).total


def extract(
    story: Annotated[str, typer.Argument(help=say("opt_story_or_title"))],
    chapter: Annotated[int | None, typer.Option("--chapter", min=0, help=say("opt_extract_chapter"))] = None,
    scene: Annotated[int | None, typer.Option("--scene", min=0, help=say("opt_extract_scene"))] = None,
    extractor: Annotated[
        Literal["auto", "local", "model"], typer.Option("--extractor", help=say("opt_extractor"))
    ] = "auto",
    db: Db = None,
) -> None:
    """Read the new parts of saved scenes."""
    with open_for(load(), db) as memory:
        story_id, call = story_id_of(memory, story), memory.call(keeper)
        places = [
            (one.chapter, other.scene)
            for one in ask(memory, list_chapters, project_id=story_id)
            for other in one.scenes
            if chapter in (None, one.chapter) and scene in (None, other.scene)
        ]
        if not places:
            raise NotFound("The story has no such scene.", suggestion="Chapters and scenes count from 0.")
        proposed = 0
        with percent_bar() as bar:
            task = bar.add_task(say("novel_reading"), total=len(places))
            for number, place in enumerate(places, 1):
                proposed += read_scene_anew(call, story_id, *place, extractor)
                bar.update(task, completed=number)
        counts = {"scenes": f"{len(places):,}", "proposed": f"{proposed:,}"}
        console.print(say("extracted", waiting=f"{_waiting(memory, story_id):,}", **counts), soft_wrap=True)


def percent_bar() -> Progress:
    """Create a progress bar, shown only on interactive terminals."""
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    terminal = Console(stderr=True)
    return Progress(*columns, console=terminal, transient=True, disable=not terminal.is_interactive)
