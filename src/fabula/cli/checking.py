"""`fabula check`: check a story by rules, and by a model if asked, as text, JSON or SARIF."""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from fabula.cli.asking import ask
from fabula.cli.context import story_id_of
from fabula.cli.serving import Db, open_for
from fabula.cli.texts import say
from fabula.config import language, load
from fabula.memory import Memory
from fabula.model.check import CheckFinding, EstablishedThere, WrittenHere
from fabula.model.moment import Moment
from fabula.model.place_names import place_name
from fabula.operations.checks.sarif import sarif
from fabula.operations.checks.story import run_checks
from fabula.operations.checks.values import KnowledgeChecksRunResponse
from fabula.operations.checks.with_model import (
    MOST_REQUESTS,
    ModelChecksResponse,
    ModelFinding,
    check_with_model,
    model_checks_price,
)

COLOURS = {"error": "bold red", "warning": "yellow", "info": "cyan", "off": "dim"}

console = Console(highlight=False, markup=False, soft_wrap=True)
notes = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)


class CheckFormat(StrEnum):
    """How findings are printed."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"


def check(
    story: Annotated[str, typer.Argument(help=say("opt_story_or_title"))],
    chapter: Annotated[int | None, typer.Option("--chapter", min=0, help=say("opt_check_chapter"))] = None,
    rule: Annotated[list[str] | None, typer.Option("--rule", help=say("opt_check_rule"))] = None,
    since_revision: Annotated[
        int | None, typer.Option("--since-revision", min=0, help=say("opt_check_since"))
    ] = None,
    form: Annotated[CheckFormat, typer.Option("--format", help=say("opt_check_format"))] = CheckFormat.TEXT,
    max_warnings: Annotated[
        int | None, typer.Option("--max-warnings", min=0, help=say("opt_check_warnings"))
    ] = None,
    with_model: Annotated[bool, typer.Option("--with-model", help=say("opt_check_model"))] = False,
    most_requests: Annotated[
        int, typer.Option("--most-requests", min=1, max=MOST_REQUESTS, help=say("opt_check_requests"))
    ] = 100,
    db: Db = None,
) -> None:
    """Check the saved scenes of a story; status 1 if the rules find errors or too many warnings."""
    with open_for(load(), db) as memory:
        project_id = story_id_of(memory, story)
        asked = {"project_id": project_id, "chapter": chapter, "since_revision": since_revision}
        answer = ask(memory, run_checks, **asked, rules=tuple(rule) if rule else None)
        said = _asked(memory, most_requests=most_requests, **asked) if with_model else None
        with memory.call().store.read() as reader:
            titles = {one.chapter_index: one.title for one in reader.manuscript.chapters(project_id)}
    _print(answer, said, form, titles)
    open_ones = [one.severity for one in answer.findings if not one.waived]
    too_many = max_warnings is not None and open_ones.count("warning") > max_warnings
    if "error" in open_ones or too_many:
        raise typer.Exit(1)


def _asked(memory: Memory, **request: Any) -> ModelChecksResponse:
    """Ask the model, and tell the price before and after."""
    name = memory.call().model("read").name
    price = ask(memory, model_checks_price, **request)
    notes.print(say("check_price", model=name, **dict(price)))
    answer = ask(memory, check_with_model, **request)
    notes.print(say("check_paid", **dict(answer)))
    return answer


def _print(
    answer: KnowledgeChecksRunResponse,
    said: ModelChecksResponse | None,
    form: CheckFormat,
    titles: Mapping[int, str],
) -> None:
    if form is CheckFormat.JSON:
        told = answer.model_dump(mode="json", by_alias=True)
        if said is not None:
            told["byModel"] = said.model_dump(mode="json", by_alias=True)
        typer.echo(json.dumps(told, ensure_ascii=False, indent=2))
    elif form is CheckFormat.SARIF:
        typer.echo(json.dumps(sarif(answer, said), ensure_ascii=False, indent=2))
    else:
        for one in answer.findings:
            if not one.waived:
                console.print(_told(one, titles))
        console.print(say("check_sum", **_sum(answer)))
        if said is not None:
            console.print("\n" + say("check_by_model", model=said.model, count=len(said.findings)))
            for found in said.findings:
                console.print(_told(found, titles))


def _told(one: CheckFinding | ModelFinding, titles: Mapping[int, str]) -> Text:
    place = _place(one.here, titles) or "–"
    if one.here.mark_start is not None:
        place += f":{one.here.mark_start + 1}"
    severity, source = ("?", one.model) if isinstance(one, ModelFinding) else (one.severity, one.rule)
    text = Text.assemble((place, "bold"), " ", (severity, COLOURS.get(severity, "magenta")), " ", one.message)
    text.append(f" ({source})\n", "dim")
    text.append(f"    {' '.join(one.here.quotation.split())}\n")
    if one.there is not None:
        where = _place(one.there, titles)
        text.append(f"    ← {where and where + ' '}{' '.join(one.there.quotation.split())}\n", "dim")
    return text


def _place(one: WrittenHere | EstablishedThere, titles: Mapping[int, str]) -> str:
    """What people call a place of the book; chapters and scenes without a title are counted from 1."""
    if one.chapter is None:
        return ""
    return place_name(
        Moment(chapter=one.chapter, scene=one.scene), titles, "zh" if language() == "zh" else "en"
    )


def _sum(answer: KnowledgeChecksRunResponse) -> dict[str, Any]:
    counts = dict.fromkeys(COLOURS, 0) | {"waived": 0}
    for one in answer.findings:
        counts["waived" if one.waived else one.severity] += 1
    return {**counts, "scenes": answer.scene_count, "characters": answer.character_count}
