"""The command line application."""

from __future__ import annotations

import sys

import typer
from rich.console import Console
from rich.text import Text

from fabula.cli.accounts import share, user_commands
from fabula.cli.agents import mcp
from fabula.cli.backups import backup, restore
from fabula.cli.context import context
from fabula.cli.exporting import export
from fabula.cli.importing import import_file, ontology_commands, schema
from fabula.cli.jobs import jobs
from fabula.cli.maintenance import doctor, schemas, story_commands
from fabula.cli.mirroring import mirror_commands
from fabula.cli.move import move_stories
from fabula.cli.novels import extract
from fabula.cli.searching import embed, search
from fabula.cli.serving import demo, ipc, serve
from fabula.cli.texts import say
from fabula.errors import FabulaError

app = typer.Typer(name="fabula", help=say("app"), no_args_is_help=True, add_completion=False)
app.command("demo", help=say("demo"))(demo)
app.command("serve", help=say("serve"))(serve)
app.command("ipc", help=say("ipc"))(ipc)
app.command("mcp", help=say("mcp"))(mcp)
app.command("context", help=say("context"))(context)
app.command("search", help=say("search"))(search)
app.command("embed", help=say("embed"))(embed)
app.command("import", help=say("import"))(import_file)
app.command("export", help=say("export"))(export)
app.command("move", help=say("move"))(move_stories)
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
