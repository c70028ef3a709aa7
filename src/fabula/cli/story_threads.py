"""`fabula threads`: what the reader was promised, and what is still to be paid."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table
from rich.text import Text

from fabula.cli.asking import ask
from fabula.cli.context import story_id_of
from fabula.cli.serving import Db, open_for
from fabula.cli.texts import say
from fabula.config import load
from fabula.operations.threads import StoryThread, list_threads

console = Console(highlight=False, markup=False)


def threads(
    story: Annotated[str, typer.Argument(help=say("opt_story_or_title"))],
    is_open: Annotated[bool, typer.Option("--open", help=say("opt_open"))] = False,
    is_due: Annotated[bool, typer.Option("--due", help=say("opt_due"))] = False,
    is_overdue: Annotated[bool, typer.Option("--overdue", help=say("opt_overdue"))] = False,
    chapter: Annotated[int | None, typer.Option("--chapter", min=0, help=say("opt_as_of_chapter"))] = None,
    scene: Annotated[int | None, typer.Option("--scene", min=0, help=say("opt_as_of_scene"))] = None,
    db: Db = None,
) -> None:
    """Show the threads of a story as a table, the most pressing first."""
    flags = {"unsettled": is_open, "due": is_due, "overdue": is_overdue}
    chosen = [status for status, is_given in flags.items() if is_given]
    if len(chosen) > 1:
        raise typer.BadParameter(say("one_filter"))
    as_of = None if chapter is None and scene is None else {"chapter": chapter, "scene": scene}
    wishes: dict[str, Any] = {"as_of": as_of, "status": chosen[0] if chosen else None}
    with open_for(load(), db) as memory:
        found = ask(memory, list_threads, project_id=story_id_of(memory, story), **wishes)
    console.print(_table(found.items) if found.items else say("no_threads"))


def _table(found: tuple[StoryThread, ...]) -> Table:
    table = Table(box=SIMPLE, pad_edge=False)
    for name in ("status", "thread", "due", "planted", "quoted"):
        table.add_column(say(f"column_{name}"), overflow="fold")
    for thread in found:
        due, plant = thread.due_at, next(iter(thread.plants), None)
        table.add_row(
            say(f"status_{thread.status.value}"),
            Text(thread.title),
            "" if due is None else _place(due.chapter, due.scene),
            "" if plant is None else _place(plant.chapter, plant.scene),
            Text("" if plant is None else plant.quotation),
        )
    return table


def _place(chapter: int, scene: int | None) -> str:
    return f"{chapter}" if scene is None else f"{chapter}.{scene}"
