"""`fabula move`: move everything from one database to another."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console

from fabula.cli.texts import say
from fabula.store.moving import move
from fabula.store.place import place_of

console = Console(highlight=False, markup=False)
errors = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)


def move_stories(
    source: Annotated[str, typer.Option("--from", help=say("opt_from"))],
    target: Annotated[str, typer.Option("--to", help=say("opt_to"))],
) -> None:
    """Copy all stories, users and jobs into an empty database, and compare both."""

    def tell(done: int, total: int, title: str) -> None:
        errors.print(say("moving", done=done, total=total, title=title))

    moved = move(place_of(source), place_of(target), tell)
    if moved.kept_count:
        console.print(say("moved_before", count=moved.kept_count), soft_wrap=True)
    console.print(say("moved", stories=moved.story_count, rows=f"{moved.row_count:,}"), soft_wrap=True)
