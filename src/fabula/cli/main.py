"""The command line application."""

from __future__ import annotations

import sys
from pathlib import Path

import typer
from rich.console import Console
from rich.text import Text

from fabula.cli.accounts import share, user_commands
from fabula.cli.agents import mcp
from fabula.cli.backups import backup, restore
from fabula.cli.checking import check
from fabula.cli.context import context
from fabula.cli.distributing import distribute_tables
from fabula.cli.exporting import export
from fabula.cli.importing import import_file, ontology_commands, schema
from fabula.cli.jobs import jobs
from fabula.cli.knowing import knows, timeline
from fabula.cli.maintenance import doctor, schemas, story_commands
from fabula.cli.mirroring import mirror_commands
from fabula.cli.move import move_stories
from fabula.cli.novels import extract
from fabula.cli.receipts import receipt_commands
from fabula.cli.searching import embed, search
from fabula.cli.serving import demo, ipc, serve
from fabula.cli.story_threads import threads
from fabula.cli.texts import say
from fabula.cli.trying import try_case
from fabula.config import load
from fabula.errors import FabulaError

app = typer.Typer(name="fabula", help=say("app"), invoke_without_command=True, add_completion=False)
app.command("demo", help=say("demo"))(demo)
app.command("serve", help=say("serve"))(serve)
app.command("ipc", help=say("ipc"))(ipc)
app.command("mcp", help=say("mcp"))(mcp)
app.command("context", help=say("context"))(context)
app.command("check", help=say("check"))(check)
app.command("search", help=say("search"))(search)
app.add_typer(receipt_commands, name="receipt")
app.command("threads", help=say("threads"))(threads)
app.command("timeline", help=say("timeline"))(timeline)
app.command("knows", help=say("knows"))(knows)
app.command("embed", help=say("embed"))(embed)
app.command("try", help=say("try"))(try_case)
app.command("import", help=say("import"))(import_file)
app.command("export", help=say("export"))(export)
app.command("move", help=say("move"))(move_stories)
app.command("distribute", help=say("distribute"))(distribute_tables)
app.command("extract", help=say("extract"))(extract)
app.command("jobs", help=say("jobs"))(jobs)
app.command("schema", help=say("schema"))(schema)
app.add_typer(ontology_commands, name="ontology")
app.add_typer(story_commands, name="story")
story_commands.command("share", help=say("story_share"))(share)
app.add_typer(user_commands, name="user")
app.add_typer(mirror_commands, name="mirror")
app.command("backup", help=say("backup"))(backup)
app.command("restore", help=say("restore"))(restore)
app.command("doctor", help=say("doctor"))(doctor)
app.command("schemas", help=say("schemas"))(schemas)


@app.callback(help=say("app"))
def welcome(context: typer.Context) -> None:
    """Say what Fabula is, where its database is, and what most people begin with."""
    if context.invoked_subcommand is not None:
        return
    place = load().db
    is_there = not isinstance(place, Path) or place.exists()
    console = Console(highlight=False, markup=False, soft_wrap=True)
    console.print(say("app"), style="bold")
    console.print(say("stories_are" if is_there else "stories_will_be", place=place))
    console.print()
    for command in ("demo", "serve", "import FILE"):
        console.print(f"  fabula {command:<12} {say(f'begin_{command.split()[0]}')}")
    console.print()
    console.print(say("begin_help"))


def main() -> None:
    """Run a command; errors are printed with their suggestion."""
    try:
        app()
    except FabulaError as error:
        console = Console(stderr=True, highlight=False, soft_wrap=True)
        console.print(Text(f"{error.code}: {error.message}", style="red"))
        if error.suggestion:
            console.print(Text(say("suggestion", text=error.suggestion)))
        sys.exit(1)
