"""`fabula try`: which entries of World Info books fire in a chat, as JSON or as a table."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import orjson
import typer
from pydantic import TypeAdapter
from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table
from rich.text import Text

from fabula.cli.asking import ask
from fabula.cli.texts import say
from fabula.errors import InvalidInput, NotFound
from fabula.memory import Memory
from fabula.operations.lorebook.trying import try_lorebook
from fabula.world_info.answer import TracedEntry, TriedScan

STANDARD_INPUT = Path("-")

console = Console(highlight=False, markup=False)


def try_case(
    case: Annotated[Path, typer.Argument(help=say("opt_case"))],
    table: Annotated[bool, typer.Option("--table", help=say("opt_try_table"))] = False,
    fired: Annotated[bool, typer.Option("--fired", help=say("opt_try_fired"))] = False,
) -> None:
    """Show which entries fire, where their texts go, and why; nothing is kept."""
    with Memory.throwaway() as memory:
        answer = ask(memory, try_lorebook, case=_read(case))
    turns: tuple[TriedScan, ...] = (answer,) if isinstance(answer, TriedScan) else answer
    if fired:
        turns = tuple(
            turn.model_copy(update={"trace": tuple(row for row in turn.trace if row.fired)}) for turn in turns
        )
    if not table:
        told: Any = turns[0] if isinstance(answer, TriedScan) else turns
        sys.stdout.write(TypeAdapter(Any).dump_json(told, by_alias=True, indent=2).decode() + "\n")
        return
    for number, turn in enumerate(turns, 1):
        if len(turns) > 1:
            console.print(say("try_turn", number=str(number)))
        _show(turn)


def _read(case: Path) -> Any:
    if case == STANDARD_INPUT:
        data = sys.stdin.buffer.read()
    elif case.is_file():
        data = case.read_bytes()
    else:
        raise NotFound(f"There is no file {case}.", suggestion="Name a JSON file, or - for the input.")
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise InvalidInput(
            f"The case is not JSON: {error}.", suggestion="Write the case as one JSON object."
        ) from error


def _show(turn: TriedScan) -> None:
    shown = Table(box=SIMPLE, pad_edge=False)
    for name in ("fired", "entry", "pass", "reason", "key", "where", "tokens"):
        shown.add_column(say(f"column_{name}"), overflow="fold")
    for row in turn.trace:
        shown.add_row(
            say("fires") if row.fired else "",
            Text(_name(row)),
            "" if row.pass_ is None else str(row.pass_),
            say(f"scan_{row.reason}"),
            Text(row.key or ""),
            "" if row.where is None else say(f"where_{row.where}", index=str((row.index or 0) + 1)),
            "" if row.tokens is None else f"{row.tokens:,}",
        )
    console.print(shown)
    used = {
        "count": f"{len(turn.activated):,}",
        "total": f"{len(turn.trace):,}",
        "passes": f"{len(turn.passes):,}",
        "budget": f"{turn.budget or 0:,}",
    }
    console.print(say("try_used", **used))
    if turn.overflow:
        console.print(say("try_overflow"))


def _name(row: TracedEntry) -> str:
    named = f"{row.book}.{row.uid}"
    return f"{named} {row.comment}" if row.comment else named
