"""Commands that manage users and share stories."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

from fabula.cli.asking import ask
from fabula.cli.serving import Db, open_for
from fabula.cli.texts import say
from fabula.config import load
from fabula.model.account import Role
from fabula.operations import accounts, members

user_commands = typer.Typer(help=say("user"), no_args_is_help=True)

UserArgument = Annotated[str, typer.Argument(metavar="NAME", help=say("opt_user"))]

console = Console(highlight=False, markup=False, soft_wrap=True)
notes = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)


@user_commands.command("add", help=say("user_add"))
def add(name: UserArgument, db: Db = None) -> None:
    """Add a user."""
    with open_for(load(), db) as memory:
        user = ask(memory, accounts.add_user, name=name)
    console.print(say("user_added", name=user.name))


@user_commands.command("token", help=say("user_token"))
def token(
    name: UserArgument,
    label: Annotated[str | None, typer.Option("--label", help=say("opt_label"))] = None,
    db: Db = None,
) -> None:
    """Create a token and print it, this once and alone on stdout."""
    with open_for(load(), db) as memory:
        made = ask(
            memory,
            accounts.create_token,
            user_name=name,
            **({} if label is None else {"label": label}),
        )
    console.print(made.secret)
    notes.print(say("token_made", id=made.token.id))


@user_commands.command("list", help=say("user_list"))
def list_users(db: Db = None) -> None:
    """Show all users and their tokens as a table."""
    with open_for(load(), db) as memory:
        found = ask(memory, accounts.list_users)
    if not found:
        console.print(say("no_users"))
        return
    table = Table(box=SIMPLE)
    for heading in ("column_user", "column_token", "column_label", "column_made"):
        table.add_column(say(heading), no_wrap=heading == "column_token")
    for user, tokens in found:
        if not tokens:
            table.add_row(user.name, "", "", "")
        for kept in tokens:
            table.add_row(user.name, kept.id, kept.label, kept.created_at[:19].replace("T", " "))
    console.print(table)


@user_commands.command("revoke", help=say("user_revoke"))
def revoke(
    name: UserArgument,
    token_id: Annotated[str | None, typer.Argument(help=say("opt_token"))] = None,
    db: Db = None,
) -> None:
    """Revoke one token of a user, or all of them."""
    with open_for(load(), db) as memory:
        count = ask(memory, accounts.revoke_tokens, user_name=name, token_id=token_id)
    console.print(say("revoked", count=count))


def share(
    story_id: Annotated[str, typer.Argument(help=say("opt_story"))],
    name: UserArgument,
    role: Annotated[Role, typer.Argument(help=say("opt_role"))],
    db: Db = None,
) -> None:
    """Give a user a role in a story."""
    with open_for(load(), db) as memory:
        member = ask(memory, members.put_member, project_id=story_id, user_name=name, role=role)
    console.print(say("shared", name=member.user_name, role=member.role.value, id=story_id))
