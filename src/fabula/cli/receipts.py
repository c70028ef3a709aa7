"""`fabula receipt`: what models were told of a story, compared and made again."""

from __future__ import annotations

from collections.abc import Iterable
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
from fabula.errors import InvalidInput
from fabula.memory import Memory
from fabula.operations.receipts.comparing import ReceiptDifference
from fabula.operations.receipts.reading import diff_receipts, list_receipts, no_receipt, read_receipt
from fabula.operations.receipts.replaying import replay_receipt

MOST = 1000
# So much of an id tells the receipts of a story apart.
SHOWN_ID = 12

console = Console(highlight=False, markup=False)
receipt_commands = typer.Typer(help=say("receipt"), no_args_is_help=True)

StoryNamed = Annotated[str, typer.Argument(help=say("opt_story_or_title"))]
ReceiptId = Annotated[str, typer.Argument(help=say("opt_receipt"))]


@receipt_commands.command("list", help=say("receipt_list"))
def list_of(
    story: StoryNamed,
    limit: Annotated[int, typer.Option("--limit", min=1, max=MOST, help=say("opt_receipt_limit"))] = 20,
    db: Db = None,
) -> None:
    """Print the newest receipts as a table."""
    with open_for(load(), db) as memory:
        project_id = story_id_of(memory, story)
        found = ask(memory, list_receipts, project_id=project_id, size=limit).items
    if not found:
        console.print(say("no_receipts"))
        return
    table = _table("receipt", "at", "door", "moment", "revision", "tokens")
    for one in found:
        place = f"{one.chapter}.{one.scene}"
        size = f"{one.estimated_tokens:,} / {one.total_budget:,}"
        table.add_row(one.id[:SHOWN_ID], one.at[:19], say(f"door_{one.door}"), place, str(one.revision), size)
    console.print(table)


@receipt_commands.command("show", help=say("receipt_show"))
def show(story: StoryNamed, receipt: ReceiptId, db: Db = None) -> None:
    """Print what a context told, and what it left out."""
    with open_for(load(), db) as memory:
        project_id = story_id_of(memory, story)
        named = _id_of(memory, project_id, receipt)
        found = ask(memory, read_receipt, project_id=project_id, receipt_id=named)
    used, total = f"{found.estimated_tokens:,}", f"{found.total_budget:,}"
    console.print(say("context_used", used=used, total=total), style="bold")
    console.print(say("context_in", count=len(found.told)), style="bold")
    told = _table("what", "name", "reason", "version", "tokens")
    for one in found.told:
        version = "" if one.version is None else str(one.version)
        told.add_row(*_piece(one), version, f"{one.tokens:,}")
    console.print(told)
    console.print(say("context_out", count=found.left_out_count), style="bold")
    left_out = _table("what", "name", "reason", "because")
    for other in found.left_out:
        missing = say("missing_tokens", count=other.missing_tokens) if other.missing_tokens else ""
        left_out.add_row(*_piece(other), missing)
    console.print(left_out)


@receipt_commands.command("diff", help=say("receipt_diff"))
def diff(
    story: StoryNamed,
    first: Annotated[str, typer.Argument(metavar="FROM", help=say("opt_receipt_from"))],
    second: Annotated[str, typer.Argument(metavar="TO", help=say("opt_receipt_to"))],
    db: Db = None,
) -> None:
    """Print what the second of two contexts tells otherwise."""
    with open_for(load(), db) as memory:
        project_id = story_id_of(memory, story)
        pair = {"from": _id_of(memory, project_id, first), "to": _id_of(memory, project_id, second)}
        found = ask(memory, diff_receipts, project_id=project_id, **pair)
    _print_difference(found.difference)


@receipt_commands.command("replay", help=say("receipt_replay"))
def replay(
    story: StoryNamed,
    receipt: ReceiptId,
    prompt: Annotated[bool, typer.Option("--prompt", help=say("opt_receipt_prompt"))] = False,
    db: Db = None,
) -> None:
    """Make a context again, and say whether it is the same."""
    with open_for(load(), db) as memory:
        project_id = story_id_of(memory, story)
        named = _id_of(memory, project_id, receipt)
        found = ask(memory, replay_receipt, project_id=project_id, receipt_id=named)
    if prompt:
        for message in found.messages:
            console.print(f"[{message.get('role')}]", style="bold")
            console.print(str(message.get("content", "")))
    outcome = "replay_same" if found.same else "replay_differs"
    console.print(say(outcome, revision=found.revision), style="bold")
    for reason in found.reasons:
        console.print(f"- {say(f'replay_{reason}')}")
    if not found.same:
        if found.difference is not None:
            _print_difference(found.difference)
        raise typer.Exit(1)


def _print_difference(found: ReceiptDifference) -> None:
    lists = {name: getattr(found, name) for name in ("came", "went", "changed", "moved")}
    for name, pieces in lists.items():
        if pieces:
            console.print(say(f"receipt_{name}", count=len(pieces)), style="bold")
            table = _table("what", "name", "reason", "tokens")
            for one in pieces:
                sizes = (one.from_tokens, one.to_tokens)
                table.add_row(
                    *_piece(one), " → ".join("–" if size is None else f"{size:,}" for size in sizes)
                )
            console.print(table)
    if not any(lists.values()):
        console.print(say("receipt_no_difference"))


def _piece(one: Any) -> tuple[str, Text, str]:
    return say(f"kind_{one.kind}"), Text(one.label), "" if one.reason is None else say(f"reason_{one.reason}")


def _table(*names: str) -> Table:
    table = Table(box=SIMPLE, pad_edge=False)
    for name in names:
        is_number = name in ("tokens", "version", "revision")
        table.add_column(say(f"column_{name}"), justify="right" if is_number else "left", overflow="fold")
    return table


def _id_of(memory: Memory, project_id: str, beginning: str) -> str:
    """Return the id of the receipt that begins like this; refuses what none or several do."""
    found: Iterable[Any] = ask(memory, list_receipts, project_id=project_id, size=MOST).items
    ids = [one.id for one in found if one.id.startswith(beginning)]
    if beginning in ids:
        return beginning
    if len(ids) > 1:
        raise InvalidInput(say("receipt_unclear"), suggestion=", ".join(ids[:5]))
    if not ids:
        raise no_receipt(beginning)
    return str(ids[0])
