"""`fabula mirror`: update, verify and remove the mirrors of stories in a graph server."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from fabula.cli.asking import ask, keeper
from fabula.cli.context import story_id_of
from fabula.cli.searching import bar
from fabula.cli.serving import Db, open_for
from fabula.cli.texts import say
from fabula.config import load
from fabula.memory import Memory
from fabula.operations.graph.graph_sync import delete_story_graph, mirror_of, verify_mirror
from fabula.projections.projection import ProjectionProgress

console = Console(highlight=False, markup=False)
mirror_commands = typer.Typer(help=say("mirror"), no_args_is_help=True)

MirroredStory = Annotated[str | None, typer.Argument(help=say("opt_mirrored_story"))]


@mirror_commands.command("sync", help=say("mirror_sync"))
def sync(
    story: MirroredStory = None,
    anew: Annotated[bool, typer.Option("--anew", help=say("opt_anew"))] = False,
    db: Db = None,
) -> None:
    """Update the mirror of one story or of all."""
    with open_for(load(), db) as memory:
        for story_id, title in _meant(memory, story):
            mirror = mirror_of(memory.call(keeper), story_id)
            with bar() as shown:
                mirror.bring_up_to_date(story_id, _shown_on(shown, title), anew=anew)
            console.print(say("mirrored", title=title), soft_wrap=True)


@mirror_commands.command("verify", help=say("mirror_verify"))
def verify(story: MirroredStory = None, db: Db = None) -> None:
    """Compare one story or all with their mirrors; exits with 1 if any differs."""
    differs = False
    with open_for(load(), db) as memory:
        for story_id, title in _meant(memory, story):
            report = ask(memory, verify_mirror, project_id=story_id)
            differs = differs or not report.equal
            shown = {"title": title, "nodes": f"{report.nodes:,}", "edges": f"{report.edges:,}"}
            if report.equal:
                console.print(say("mirror_equal", **shown, sum=report.checksum), soft_wrap=True)
            else:
                console.print(say("mirror_differs", **shown, ids=", ".join(report.differing)), soft_wrap=True)
    if differs:
        raise typer.Exit(1)


@mirror_commands.command("drop", help=say("mirror_drop"))
def drop(
    story: Annotated[str, typer.Argument(help=say("opt_mirrored_story"))],
    yes: Annotated[bool, typer.Option("--yes", help=say("opt_yes"))] = False,
    db: Db = None,
) -> None:
    """Remove the mirror of a story after confirmation; the story is kept."""
    with open_for(load(), db) as memory:
        ((story_id, title),) = _meant(memory, story)
        if not yes and not typer.confirm(say("confirm_drop", title=title)):
            console.print(say("kept"))
            return
        ask(memory, delete_story_graph, project_id=story_id)
    console.print(say("dropped", title=title), soft_wrap=True)


def _shown_on(progress: Progress, title: str) -> ProjectionProgress:
    task = progress.add_task(title, total=None)

    def report(done: int, total: int) -> bool:
        progress.update(task, completed=done, total=total)
        return True

    return report


def _meant(memory: Memory, story: str | None) -> list[tuple[str, str]]:
    titles = {one.id: one.title for one in memory.stories()}
    wanted = list(titles) if story is None else [story_id_of(memory, story)]
    return [(story_id, titles[story_id]) for story_id in wanted]
