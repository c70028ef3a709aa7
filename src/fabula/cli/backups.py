"""`fabula backup` and `fabula restore`: the whole database in one file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.filesize import decimal

from fabula.cli.novels import percent_bar
from fabula.cli.serving import Db, open_for
from fabula.cli.texts import say
from fabula.config import load
from fabula.errors import InvalidInput
from fabula.memory import restore_memory
from fabula.store.backup import keep_newest
from fabula.store.place import place_of
from fabula.store.whole_file import ByteProgress

console = Console(highlight=False, markup=False, soft_wrap=True)


def backup(
    target: Annotated[Path | None, typer.Argument(help=say("opt_backup_target"))] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help=say("opt_backup_overwrite"))] = False,
    keep: Annotated[int | None, typer.Option("--keep", min=1, help=say("opt_backup_keep"))] = None,
    db: Db = None,
) -> None:
    """Write a backup and show what it contains."""
    if keep is not None and target is not None and not target.is_dir():
        raise InvalidInput(say("keep_in_folder", path=target), suggestion=say("keep_how"))
    with open_for(load(), db) as memory, _shown("backing_up") as seen:
        path, manifest = memory.backup(target, overwrite=overwrite, seen=seen)
    console.print(
        say(
            "backed_up",
            path=path,
            size=decimal(path.stat().st_size),
            stories=len(manifest.revisions),
            rows=f"{sum(manifest.rows.values()):,}",
        )
    )
    for older in () if keep is None else keep_newest(path, keep):
        console.print(say("backup_removed", path=older))


def restore(
    source: Annotated[Path, typer.Argument(help=say("opt_backup"))],
    db: Db = None,
) -> None:
    """Restore a backup and show what it contains."""
    place = load().db if db is None else place_of(db)
    with _shown("restoring") as seen:
        manifest = restore_memory(source.expanduser(), place, seen=seen)
    console.print(
        say(
            "restored",
            path=place,
            made=manifest.made_at[:19].replace("T", " "),
            stories=len(manifest.revisions),
            rows=f"{sum(manifest.rows.values()):,}",
        )
    )


@contextmanager
def _shown(what: str) -> Iterator[ByteProgress]:
    """Show a progress bar during the block."""
    with percent_bar() as shown:
        task = shown.add_task(say(what), total=1.0)
        yield lambda done: shown.update(task, completed=done)
