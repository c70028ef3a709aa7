"""Whom a text of 10,000 characters is about, in-process, beside a scan key by key.

The texts are the same at every size of the world and mention the same 60 entities. The scan looks for every
name and alias and for the first 24 words of every description and its attributes with `in`; it holds all of
them in memory and gives back ids only. (Chinese has no spaces, so it finds names there and hardly a word;
Fabula weighs pairs of characters and gives back whole entities with the places of what was found.)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bench.asking import asker, empty_shelves, opened
from bench.baselines import KeyScan
from bench.measure import Figures, Results, Series, timed
from bench.plan import Plan

MANY = 50
NAME = "relevant, 10,000 characters"
AFTER_WRITE = f"{NAME}, right after a write"


def measure(plan: Plan) -> Results:
    """The texts several times over; the rows of the answers are read anew each time."""
    results: Results = {}
    with opened(plan) as memory:
        ask = asker(memory)
        ask("query:relevant", excerpt=plan.texts[0]["text"])
        series = {"zh": Series(), "en": Series(), "": Series()}
        for _ in range(plan.rounds):
            for text in plan.texts:
                empty_shelves(memory)
                _ask_once(ask, text, series)
        results[NAME] = series[""].figures()
        results[f"{NAME}, Chinese"] = series["zh"].figures()
        results[f"{NAME}, English"] = series["en"].figures()
        results[f"{NAME}, 5 wanted"] = timed(
            plan.texts * plan.rounds, lambda text: ask("query:relevant", excerpt=text["text"], maxEntities=5)
        )
        results[AFTER_WRITE] = _after_writes(ask, plan)
    return results


def _ask_once(ask: Callable[..., Any], text: dict[str, Any], series: dict[str, Series]) -> None:
    both = (series[""], series[text["language"]])
    answer = both[0].time(ask, "query:relevant", excerpt=text["text"], maxEntities=MANY)
    both[1].wall.append(both[0].wall[-1])
    both[1].cpu.append(both[0].cpu[-1])
    mentioned = set(text["mentioned"])
    for one in both:
        one.note(
            items=len(answer.items),
            named=sum(any(match.kind != "description" for match in item.matches) for item in answer.items),
            mentioned=sum(item.id in mentioned for item in answer.items),
        )


def _after_writes(ask: Callable[..., Any], plan: Plan) -> Figures:
    """Somebody changes an entity and goes on writing: the index follows the log first."""
    series = Series()
    for number, (key, text) in enumerate(zip(plan.read, plan.texts * plan.rounds, strict=False)):
        version = ask("entity:read", id=key).version
        patch = {"description": f"说明 number {number}", "aliases": [f"化名{number}号"]}
        ask("entity:update", id=key, expectedVersion=version, patch=patch)
        series.time(ask, "query:relevant", excerpt=text["text"], maxEntities=MANY)
    return series.figures()


def baseline(plan: Plan) -> dict[str, Results]:
    """The same texts."""
    scan = KeyScan(plan.db)
    results = {}
    for name, texts in (
        (NAME, plan.texts[:6]),
        (f"{NAME}, Chinese", plan.texts[:6:2]),
        (f"{NAME}, English", plan.texts[1:6:2]),
    ):
        results[name] = timed(texts, lambda text: scan.relevant(text["text"], MANY), seconds=plan.seconds)
    return {"key-by-key scan": results}
