"""`fabula context`: what a model would be told for a scene, and why."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table
from rich.text import Text

from fabula.assembly.context import AssembledContext, TraceItem
from fabula.cli.asking import ask
from fabula.cli.serving import Db, open_for
from fabula.cli.texts import say
from fabula.config import load
from fabula.errors import InvalidInput, NotFound
from fabula.memory import Memory
from fabula.model.reason import BELOW_LINE
from fabula.operations.context import assemble_context

SHOWN_TERMS = 3

console = Console(highlight=False, markup=False)


def context(
    story: Annotated[str, typer.Argument(help=say("opt_story_or_title"))],
    chapter: Annotated[int, typer.Option("--chapter", min=0, help=say("opt_chapter"))] = 0,
    scene: Annotated[int, typer.Option("--scene", min=0, help=say("opt_scene"))] = 0,
    text: Annotated[Path | None, typer.Option("--text", help=say("opt_text"))] = None,
    budget: Annotated[int | None, typer.Option("--budget", min=0, help=say("opt_budget"))] = None,
    pin: Annotated[list[str] | None, typer.Option("--pin", help=say("opt_pin"))] = None,
    pov: Annotated[str | None, typer.Option("--pov", help=say("opt_pov"))] = None,
    prompt: Annotated[bool, typer.Option("--prompt", help=say("opt_prompt"))] = False,
    db: Db = None,
) -> None:
    """Show the context of a scene as a table of reasons, or as the prompt itself."""
    wishes: dict[str, Any] = {
        "chapter": chapter,
        "scene": scene,
        "text": None if text is None else _read(text),
        "token_budget": budget,
        "pinned": tuple(pin or ()),
        "pov": pov,
    }
    with open_for(load(), db) as memory:
        assembled = ask(memory, assemble_context, project_id=story_id_of(memory, story), **wishes)
    if prompt:
        for message in assembled.messages:
            console.print(f"[{message.role}]", style="bold")
            console.print(message.content)
        return
    _print_reasons(assembled)


def _print_reasons(assembled: AssembledContext) -> None:
    used, total = assembled.estimated_tokens, assembled.total_budget
    console.print(say("context_used", used=f"{used:,}", total=f"{total:,}"), style="bold")
    for included in (True, False):
        items = [item for item in assembled.trace if item.included is included]
        if items:
            console.print(say("context_in" if included else "context_out", count=len(items)), style="bold")
            console.print(_table(items))


def _table(items: list[TraceItem]) -> Table:
    table = Table(box=SIMPLE, pad_edge=False)
    for name in ("what", "name", "reason", "because"):
        table.add_column(say(f"column_{name}"))
    for name in ("priority", "tokens"):
        table.add_column(say(f"column_{name}"), justify="right")
    for item in items:
        table.add_row(
            say(f"kind_{item.kind}"),
            Text(item.label),
            say(f"reason_{item.reason}"),
            Text(_because(item)),
            str(item.priority) if item.kind == "entry" else "",
            f"{item.tokens:,}",
        )
    return table


def _because(item: TraceItem) -> str:
    if item.missing_tokens:
        return say("missing_tokens", count=item.missing_tokens)
    if item.reason == BELOW_LINE.code and item.threshold:
        return say("below_threshold", score=f"{item.score:.2f}", line=f"{item.threshold:.2f}")
    if item.hop_path:
        return " → ".join(item.hop_path)
    shown = [f"{place.term}@{place.start}" for place in item.matches[:SHOWN_TERMS]]
    more = len(item.matches) - len(shown)
    return ", ".join(shown) + (f" +{more}" if more else "")


def story_id_of(memory: Memory, story: str) -> str:
    """Return the id of the story with this id or title; raises NotFound if there is none."""
    stories = memory.stories()
    for known in stories:
        if story in (known.id, known.title):
            return known.id
    raise NotFound(
        f"There is no story '{story}'.",
        suggestion=", ".join(known.title for known in stories[:10]) or say("no_stories"),
    )


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path}: {error}") from error
