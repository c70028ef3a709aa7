"""Commands that maintain stories and the database: story, doctor, schemas."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import orjson
import typer
from rich.box import SIMPLE
from rich.console import Console
from rich.filesize import decimal
from rich.table import Table

from fabula.cli.asking import ask, keeper
from fabula.cli.context_texts import context_words
from fabula.cli.misplaced import look_for_misplaced
from fabula.cli.serving import Db, open_for
from fabula.cli.texts import say
from fabula.config import SETTINGS, in_force, load
from fabula.memory import Memory
from fabula.operations.job_repair import leftovers, mend
from fabula.operations.name_covers import list_covers
from fabula.operations.stories import (
    create_story,
    delete_story,
    read_story,
)
from fabula.samples import load_sample
from fabula.store.damage import newest_backup
from fabula.store.place import PostgresPlace
from fabula.store.whole_server import look_at_server

console = Console(highlight=False, markup=False)

SHOWN_COVERS = 20
story_commands = typer.Typer(help=say("story"), no_args_is_help=True)


@story_commands.command("list", help=say("story_list"))
def list_stories(db: Db = None) -> None:
    """Show all stories as a table."""
    with open_for(load(), db) as memory:
        stories = memory.stories()
    if not stories:
        console.print(say("no_stories"))
        return
    table = Table(box=SIMPLE)
    table.add_column("id", no_wrap=True)
    for name in ("title", "language"):
        table.add_column(say(f"column_{name}"))
    for name in ("entities", "relations"):
        table.add_column(say(f"column_{name}"), justify="right")
    table.add_column(say("column_changed"))
    for story in stories:
        table.add_row(
            story.id,
            story.title,
            story.language,
            f"{story.entity_count:,}",
            f"{story.relation_count:,}",
            story.updated_at[:19].replace("T", " "),
        )
    console.print(table)


@story_commands.command("new", help=say("story_new"))
def new_story(
    title: Annotated[str, typer.Argument(help=say("opt_title"))],
    language: Annotated[Literal["zh", "en"], typer.Option("--language", help=say("opt_language"))] = "zh",
    db: Db = None,
) -> None:
    """Create a story."""
    with open_for(load(), db) as memory:
        story = ask(memory, create_story, title=title, language=language)
    console.print(say("begun", title=story.title, id=story.id), soft_wrap=True)


@story_commands.command("sample", help=say("story_sample"))
def sample_story(
    language: Annotated[Literal["zh", "en"], typer.Option("--language", help=say("opt_language"))] = "zh",
    db: Db = None,
) -> None:
    """Add the sample story."""
    with open_for(load(), db) as memory:
        story = load_sample(memory, f"harbor.{language}")
        title = ask(memory, read_story, project_id=story.id).title
    console.print(say("begun", title=title, id=story.id))


@story_commands.command("delete", help=say("story_delete"))
def remove_story(
    story_id: Annotated[str, typer.Argument(help=say("opt_story"))],
    yes: Annotated[bool, typer.Option("--yes", help=say("opt_yes"))] = False,
    db: Db = None,
) -> None:
    """Delete a story after confirmation."""
    with open_for(load(), db) as memory:
        story = ask(memory, read_story, project_id=story_id)
        question = say(
            "confirm_delete",
            title=story.title,
            entities=story.entity_count,
            relations=story.relation_count,
        )
        if not yes and not typer.confirm(question):
            console.print(say("kept"))
            return
        ask(memory, delete_story, project_id=story_id)
    console.print(say("deleted"))


def doctor(
    repair: Annotated[bool, typer.Option("--repair", help=say("opt_repair"))] = False,
    db: Db = None,
) -> None:
    """Show the settings, compare every story with its change log, and look for leftovers of jobs."""
    config = load()
    values = in_force()
    table = Table(say("column_setting"), say("column_value"), say("column_meaning"))
    for setting in SETTINGS:
        table.add_row(setting.variable, setting.shown(values[setting.name]), setting.meaning)
    console.print(table)
    with open_for(config, db) as memory:
        broken = _look_at_place(memory)
        for report in memory.audit():
            if report.differing:
                broken += 1
                console.print(
                    say(
                        "unsound", title=report.title, count=len(report.differing), first=report.differing[0]
                    ),
                    soft_wrap=True,
                )
            else:
                console.print(say("sound", title=report.title, rows=report.rows), soft_wrap=True)
        broken += _look_at_jobs(memory, repair=repair)
        _list_covers(memory)
        broken += sum(look_for_misplaced(memory, story, repair=repair) for story in memory.stories())
    if broken:
        raise typer.Exit(1)


def _list_covers(memory: Memory) -> None:
    """List names that contain a hidden one, so that sentences with them are withheld."""
    for story in memory.stories():
        waiting = [one for one in ask(memory, list_covers, project_id=story.id).items if not one.told]
        for one in waiting[:SHOWN_COVERS]:
            told = {"title": story.title, "name": one.name, "hidden": one.hidden}
            console.print(say(f"cover_by_{one.origin}", **told), soft_wrap=True)
        if len(waiting) > SHOWN_COVERS:
            console.print(say("covers_more", count=len(waiting) - SHOWN_COVERS))


def _look_at_place(memory: Memory) -> int:
    """Report defects of the database itself, and return their number."""
    if isinstance(memory.place, PostgresPlace):
        return _look_at_server(memory.place)
    wrong = memory.complaints()
    for complaint in wrong:
        console.print(say("file_damaged", path=memory.place, complaint=complaint), soft_wrap=True)
    if not wrong:
        console.print(say("file_sound", path=memory.place), soft_wrap=True)
    backup = newest_backup(memory.place)
    console.print(
        say("backup_unknown") if backup is None else say("backup_known", path=backup), soft_wrap=True
    )
    return len(wrong)


def _look_at_server(address: PostgresPlace) -> int:
    seen = look_at_server(address)
    facts = {"version": seen.version, "encoding": seen.encoding, "schema": seen.schema}
    console.print(
        say("server", place=address, size=decimal(seen.size), **facts),
        *(say(f"server_{word}", what=what) for word, what in (*seen.faults, *seen.cautions)),
        *(() if seen.faults else (say("server_sound"),)),
        say("server_backup"),
        sep="\n",
        soft_wrap=True,
    )
    return len(seen.faults)


def _look_at_jobs(memory: Memory, *, repair: bool) -> int:
    """Report leftovers of jobs, repair them if asked to, and return how many remain.

    A novel that was not read to the end is no defect: its author may have wanted that.
    """
    call = memory.call(keeper)
    found = leftovers(call)
    if repair:
        mend(call, found)
    ending = "mended" if repair else "found"
    for story, count in found.parts:
        console.print(say(f"parts_{ending}", title=story.title, count=count), soft_wrap=True)
    for story in found.unread:
        console.print(say(f"unread_{ending}", title=story.title), soft_wrap=True)
    return 0 if repair else len(found.parts)


def schemas(
    out: Annotated[Path, typer.Argument(help=say("opt_out"))],
    openapi: Annotated[bool, typer.Option("--openapi", help=say("opt_openapi"))] = False,
    context: Annotated[bool, typer.Option("--context", help=say("opt_context_words"))] = False,
) -> None:
    """Write the JSON Schemas of all channels, the OpenAPI document, or the wording of contexts."""
    if context:
        out.write_text(context_words(), "utf-8")
    else:
        document = _openapi() if openapi else _channels()
        out.write_bytes(orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS) + b"\n")
    console.print(say("written", path=out), soft_wrap=True)


def _channels() -> dict[str, Any]:
    # The web framework takes a third of a second to import, so other commands do not load it.
    from fabula.api.openapi import channel_schemas

    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Fabula knowledge channels",
        "$defs": channel_schemas("#/$defs/{model}"),
    }


def _openapi() -> dict[str, Any]:
    from fabula import __version__
    from fabula.api.app import create_app

    with Memory.throwaway() as memory:
        return create_app(memory, version=__version__).openapi()
