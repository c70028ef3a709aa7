"""`fabula timeline` and `fabula knows`: when things happen in a story, and who knows of them."""

from __future__ import annotations

from typing import Annotated

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
from fabula.model.moment import Moment
from fabula.operations.knowledge.questions import KnowledgeOfResponse, knowledge_of
from fabula.operations.manuscript.timeline import StoryTimelineResponse, read_timeline

console = Console(highlight=False, markup=False)


def timeline(
    story: Annotated[str, typer.Argument(help=say("opt_story_or_title"))],
    as_happened: Annotated[
        bool, typer.Option("--as-happened/--as-told", help=say("opt_as_happened"))
    ] = False,
    db: Db = None,
) -> None:
    """Show the scenes and events of a story as a table, in either order."""
    order = "happened" if as_happened else "told"
    with open_for(load(), db) as memory:
        found = ask(memory, read_timeline, project_id=story_id_of(memory, story), order=order)
    console.print(_turns(found) if found.items else say("no_turns"))
    if as_happened and found.items and not found.uses_world_time:
        console.print(say("no_world_time"))


def knows(
    story: Annotated[str, typer.Argument(help=say("opt_story_or_title"))],
    knower: Annotated[str, typer.Argument(metavar="NAME", help=say("opt_knower"))],
    chapter: Annotated[int | None, typer.Option("--chapter", min=0, help=say("opt_as_of_chapter"))] = None,
    scene: Annotated[int | None, typer.Option("--scene", min=0, help=say("opt_as_of_scene"))] = None,
    db: Db = None,
) -> None:
    """Show what somebody knows as a table, as of the end of the story or of a scene."""
    with open_for(load(), db) as memory:
        asked = {"project_id": story_id_of(memory, story), "knower": knower}
        found = ask(memory, knowledge_of, **asked, chapter=chapter, scene=scene)
    console.print(_facts(found) if found.items else say("knows_nothing", name=found.name))
    console.print(say("unknown_facts", count=found.unknown_count, name=found.name))


def _turns(found: StoryTimelineResponse) -> Table:
    table = _table("told", "when", "what", "name")
    for one in found.items:
        table.add_row(_place(one.moment), Text(one.when), say(f"turn_{one.kind}"), Text(one.name))
    return table


def _facts(found: KnowledgeOfResponse) -> Table:
    table = _table("fact", "how", "since", "belief")
    for one in found.items:
        table.add_row(Text(one.label), say(f"how_{one.how.value}"), _place(one.since), Text(one.belief))
    return table


def _table(*columns: str) -> Table:
    table = Table(box=SIMPLE, pad_edge=False)
    for name in columns:
        table.add_column(say(f"column_{name}"), overflow="fold")
    return table


def _place(moment: Moment | None) -> str:
    if moment is None:
        return ""
    return f"{moment.chapter}" if moment.scene is None else f"{moment.chapter}.{moment.scene}"
