"""`fabula jobs`: list background jobs, and cancel them."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console

from fabula.cli.asking import keeper
from fabula.cli.context import story_id_of
from fabula.cli.serving import Db, open_for
from fabula.cli.texts import say
from fabula.config import load
from fabula.model.job import Job

SHOWN = 50

console = Console(highlight=False, markup=False)


def jobs(
    story: Annotated[str | None, typer.Argument(help=say("opt_jobs_story"))] = None,
    cancel: Annotated[str | None, typer.Option("--cancel", help=say("opt_cancel"))] = None,
    db: Db = None,
) -> None:
    """Show the jobs of one story or of all, newest first, or cancel one."""
    with open_for(load(), db) as memory:
        board, titles = memory.call(keeper).jobs, {one.id: one.title for one in memory.stories()}
        if cancel is not None:
            shown = [board.cancel(cancel)]
        else:
            wanted = list(titles) if story is None else [story_id_of(memory, story)]
            found = [job for one in wanted for job in board.page(one, 0, SHOWN).items]
            shown = sorted(found, key=lambda job: job.created_at, reverse=True)[:SHOWN]
    if not shown:
        console.print(say("no_jobs"))
        return
    for job in shown:
        console.print(_line(job, titles.get(job.story_id, job.story_id)), soft_wrap=True)


def _line(job: Job, title: str) -> str:
    said = " ".join(part for part in (job.kind, job.subject, f"“{title}”", job.message) if part)
    return f"{job.id}  {say(f'job_{job.status}'):<10} {job.progress:>4.0%}  {said}"
