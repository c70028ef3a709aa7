"""`fabula import`, `fabula schema` and `fabula ontology`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, NamedTuple

import orjson
import typer
from rich.console import Console
from rich.text import Text

from fabula.cli.asking import ask, keeper
from fabula.cli.context import story_id_of
from fabula.cli.exporting import import_whole_story
from fabula.cli.lorebooks import import_lorebook, is_folder_of_notes
from fabula.cli.novels import import_novel_file, show_chapters
from fabula.cli.searching import bar
from fabula.cli.serving import Db, open_for
from fabula.cli.texts import say
from fabula.config import load
from fabula.errors import BundleInvalid, InvalidInput
from fabula.formats.folder_names import STORY
from fabula.formats.ontology_file import read_ontology
from fabula.formats.recognition import FileKind, file_kind
from fabula.memory import Memory
from fabula.operations.bundles.bundles import get_knowledge_schema, import_data
from fabula.operations.bundles.values import (
    KnowledgeBundleImportResponse,
)
from fabula.operations.manuscript.novel_import import DEFAULT_APPROVE
from fabula.operations.ontology import (
    KnowledgeOntologyWriteResponse,
    read_story_ontology,
    write_story_ontology,
)

SHOWN = 20

console = Console(highlight=False, markup=False)
errors = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)
ontology_commands = typer.Typer(help=say("ontology"), no_args_is_help=True)

StoryArgument = Annotated[str, typer.Argument(help=say("opt_story_or_title"))]


class ImportOptions(NamedTuple):
    """What to import, and into which story, if into an existing one."""

    story: str | None
    source: Path
    dry_run: bool
    title: str | None
    approve: float
    overwrite: bool


def import_file(
    story_or_file: Annotated[str, typer.Argument(help=say("opt_story_or_file"))],
    file: Annotated[Path | None, typer.Argument(help=say("opt_import_file"))] = None,
    form: Annotated[FileKind | None, typer.Option("--format", help=say("opt_import_format"))] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help=say("opt_dry_run"))] = False,
    title: Annotated[str | None, typer.Option("--title", help=say("opt_novel_title"))] = None,
    approve: Annotated[
        float, typer.Option("--approve", min=0, max=1, help=say("opt_approve"))
    ] = DEFAULT_APPROVE,
    overwrite: Annotated[bool, typer.Option("--overwrite", help=say("opt_overwrite_entries"))] = False,
    db: Db = None,
) -> None:
    """Import a file into a story; the file itself is left in place."""
    story = None if file is None else story_or_file
    wish = ImportOptions(story, file or Path(story_or_file), dry_run, title, approve, overwrite)
    with open_for(load(), db) as memory:
        IMPORTS[form or _format_of(wish.source)](memory, wish)


def _format_of(source: Path) -> FileKind:
    """Return the kind of a file; a folder is a whole story, notes with front matter, or a novel."""
    if source.is_dir():
        if (source / STORY).exists():
            return "story"
        return "lorebook" if is_folder_of_notes(source) else "novel"
    return file_kind(source.name, _read(source))


def _import_bundle(memory: Memory, wish: ImportOptions) -> None:
    if wish.story is None:
        raise InvalidInput(
            "A bundle belongs to a story.",
            details={"field": "story"},
            suggestion="Write: fabula import STORY FILE",
        )
    story_id = story_id_of(memory, wish.story)
    data = _read(wish.source)
    with bar() as shown:
        task = shown.add_task(wish.source.name, total=None)

        def report(done: int, total: int) -> bool:
            shown.update(task, completed=done, total=total)
            return True

        try:
            done = import_data(memory.call(keeper), story_id, data, dry_run=wish.dry_run, progress=report)
        except BundleInvalid as refused:
            _tell_errors(refused)
            raise
    _tell(done)


def _import_story(memory: Memory, wish: ImportOptions) -> None:
    if wish.dry_run:
        raise InvalidInput("A whole story cannot be imported on trial.", suggestion="Leave out --dry-run.")
    import_whole_story(memory, wish.source, None if wish.story is None else story_id_of(memory, wish.story))


def _import_novel(memory: Memory, wish: ImportOptions) -> None:
    if wish.dry_run:
        show_chapters(wish.source)
        return
    import_novel_file(memory, wish.source, wish.title or wish.story, wish.approve)


def _import_lorebook(memory: Memory, wish: ImportOptions) -> None:
    story_id = None if wish.story is None else story_id_of(memory, wish.story)
    import_lorebook(memory, wish.source, story_id, wish.title, dry_run=wish.dry_run, overwrite=wish.overwrite)


IMPORTS: dict[FileKind, Callable[[Memory, ImportOptions], None]] = {
    "bundle": _import_bundle,
    "lorebook": _import_lorebook,
    "story": _import_story,
    "novel": _import_novel,
}


def _tell_errors(refused: BundleInvalid) -> None:
    """Print every error on a line of its own, with its line number in the file."""
    told = (refused.details or {}).get("errors", [])
    for error in told:
        line = f"{error['line']}: " if "line" in error else ""
        errors.print(Text(f"{line}{error['message']}"))


def _tell(done: KnowledgeBundleImportResponse) -> None:
    counts = {
        f"{kind}_{what}": sum(getattr(getattr(done, kind), what).values())
        for kind in ("nodes", "edges")
        for what in ("upserted", "created", "deleted")
    }
    console.print(say("bundle_tried" if done.dry_run else "bundle_imported", **counts), soft_wrap=True)
    if done.absent_count:
        console.print(say("bundle_absent", count=done.absent_count), soft_wrap=True)
    if done.removed_edge_count:
        console.print(say("bundle_removed", count=done.removed_edge_count), soft_wrap=True)


def schema(story: StoryArgument, db: Db = None) -> None:
    """Show the schema of bundles as JSON."""
    with open_for(load(), db) as memory:
        answer = ask(memory, get_knowledge_schema, project_id=story_id_of(memory, story))
    told = answer.model_dump(mode="json", by_alias=True)
    sys.stdout.write(orjson.dumps(told, option=orjson.OPT_INDENT_2).decode() + "\n")


@ontology_commands.command("show", help=say("ontology_show"))
def show_ontology(story: StoryArgument, db: Db = None) -> None:
    """Show the ontology of a story as YAML."""
    with open_for(load(), db) as memory:
        answer = ask(memory, read_story_ontology, project_id=story_id_of(memory, story))
    sys.stdout.write(answer.text if answer.text.endswith("\n") else answer.text + "\n")


@ontology_commands.command("check", help=say("ontology_check"))
def check_ontology(
    story: StoryArgument,
    file: Annotated[Path, typer.Argument(help=say("opt_ontology_file"))],
    db: Db = None,
) -> None:
    """Show what an ontology would mean for a story."""
    _write_ontology(story, file, db, dry_run=True)


@ontology_commands.command("set", help=say("ontology_set"))
def set_ontology(
    story: StoryArgument,
    file: Annotated[Path, typer.Argument(help=say("opt_ontology_file"))],
    db: Db = None,
) -> None:
    """Give a story an ontology."""
    _write_ontology(story, file, db, dry_run=False)


def _write_ontology(story: str, file: Path, db: str | None, *, dry_run: bool) -> None:
    data = _read(file)
    read_ontology(data)
    with open_for(load(), db) as memory:
        fields = {"project_id": story_id_of(memory, story), "text": data.decode("utf-8-sig")}
        _tell_change(ask(memory, write_story_ontology, **fields, dry_run=dry_run))


def _tell_change(change: KnowledgeOntologyWriteResponse) -> None:
    listed = {
        "lost": (*change.lost_nodes, *change.lost_edges),
        "new": (*change.new_nodes, *change.new_edges),
    }
    console.print(say("ontology_tried" if change.dry_run else "ontology_written"), soft_wrap=True)
    for word, names in listed.items():
        if names:
            console.print(say(f"ontology_{word}", names=", ".join(names)), soft_wrap=True)
    if not change.violation_count:
        console.print(say("ontology_fits"))
        return
    console.print(say("ontology_misfits", count=f"{change.violation_count:,}"), soft_wrap=True)
    for violation in change.violations[:SHOWN]:
        place = f" {violation.path}" if violation.path else ""
        console.print(f"  {violation.subject}{place}: {violation.message}", soft_wrap=True)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InvalidInput(f"{path}: {error.strerror}", suggestion="Name a file that can be read.") from error
