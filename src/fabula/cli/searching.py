"""`fabula search` and `fabula embed`: search a story, and make its embeddings."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.box import SIMPLE
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table
from rich.text import Text

from fabula.cli.asking import ask, keeper
from fabula.cli.context import story_id_of
from fabula.cli.serving import Db, open_for
from fabula.cli.texts import say
from fabula.config import language, load
from fabula.context.hop_paths import Hop
from fabula.model.ontology import DEFAULT_RELATION_TYPES
from fabula.operations.search.embedding import embed_story, embedding_status
from fabula.operations.search.search import MOST_HITS, SearchHit, search_story

MARKED = "bold yellow"

console = Console(highlight=False, markup=False)


def search(
    story: Annotated[str, typer.Argument(help=say("opt_story_or_title"))],
    question: Annotated[list[str], typer.Argument(help=say("opt_question"))],
    kind: Annotated[list[str] | None, typer.Option("--kind", help=say("opt_kind"))] = None,
    chapter: Annotated[int | None, typer.Option("--chapter", min=0, help=say("opt_as_of_chapter"))] = None,
    scene: Annotated[int | None, typer.Option("--scene", min=0, help=say("opt_as_of_scene"))] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, max=MOST_HITS, help=say("opt_limit"))] = 20,
    db: Db = None,
) -> None:
    """Show the search results for a few words or a question, as a table."""
    as_of = None if chapter is None and scene is None else {"chapter": chapter, "scene": scene}
    wishes: dict[str, Any] = {"q": " ".join(question), "limit": limit, "as_of": as_of}
    wishes |= {"kinds": tuple(kind)} if kind else {}
    with open_for(load(), db) as memory:
        found = ask(memory, search_story, project_id=story_id_of(memory, story), **wishes)
    if not found.items:
        console.print(say("nothing_found"))
        return
    console.print(_table(found.items))


def embed(story: Annotated[str, typer.Argument(help=say("opt_story_or_title"))], db: Db = None) -> None:
    """Make the missing embeddings, and show the progress."""
    made = 0
    with open_for(load(), db) as memory, bar() as shown:
        story_id = story_id_of(memory, story)
        model = ask(memory, embedding_status, project_id=story_id).model or ""
        task = shown.add_task(model, total=None)

        def report(done: int, total: int) -> bool:
            nonlocal made
            made = done
            shown.update(task, completed=done, total=total)
            return True

        embed_story(memory.call(keeper), story_id, report)
        count = ask(memory, embedding_status, project_id=story_id).vector_count
    console.print(say("embedded", model=model, made=f"{made:,}", count=f"{count:,}"))


def bar() -> Progress:
    """Create a progress bar, shown only on interactive terminals."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    terminal = Console(stderr=True)
    return Progress(*columns, console=terminal, transient=True, disable=not terminal.is_interactive)


def _table(hits: tuple[SearchHit, ...]) -> Table:
    table = Table(box=SIMPLE, pad_edge=False)
    for name in ("what", "name", "why", "place", "text"):
        table.add_column(say(f"column_{name}"), overflow="fold")
    for hit in hits:
        table.add_row(say(f"hit_{hit.kind}"), Text(hit.title), Text(_why(hit)), _place(hit), marked(hit))
    return table


def _why(hit: SearchHit) -> str:
    return ": ".join([say(f"why_{hit.why}"), *([way(hit.path)] if hit.path else [])])


def way(path: tuple[Hop, ...]) -> str:
    """Return the path to an entity on one line, naming each relation; arrows point in its direction."""
    line = path[0].source
    for hop in path:
        line += f" —{_word(hop)}→ " if hop.outward else f" ←{_word(hop)}— "
        line += hop.target
    return line


def _word(hop: Hop) -> str:
    if hop.way != "relation":
        return say(f"hop_{hop.kind}")
    labels = {word.key: word.zh if language() == "zh" else word.en for word in DEFAULT_RELATION_TYPES}
    return labels.get(hop.kind, hop.kind)


def _place(hit: SearchHit) -> str:
    if hit.chapter is None:
        return ""
    return f"{hit.chapter}" if hit.scene is None else f"{hit.chapter}.{hit.scene}"


def marked(hit: SearchHit) -> Text:
    """Return the snippet with the matches highlighted."""
    text = Text(hit.snippet)
    for mark in hit.marks:
        text.stylize(MARKED, mark.start, mark.end)
    return text
