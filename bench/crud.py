"""One entity or relation at a time, in-process, beside plain SQLite.

Both sides do one transaction for each write on one connection with the same settings. Fabula checks the
request, refuses duplicates, keeps the derived text and appends to the change log; plain SQLite does not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bench.asking import asker, opened
from bench.baselines import PlainSqlite
from bench.measure import Figures, Results, timed
from bench.plan import STORY, Plan

CHANGED = "A new description, 换了一段说明。"


def measure(plan: Plan) -> Results:
    """Reads first, then writes, each of its own entities."""
    with opened(plan) as memory:
        ask = asker(memory)
        ask("entity:read", id=plan.read[0])
        return {**_reads(plan, ask), **_writes(plan, ask)}


def _reads(plan: Plan, ask: Callable[..., Any]) -> Results:
    return {
        "entity read": timed(plan.read, lambda key: ask("entity:read", id=key)),
        "entity list, 50": timed(range(100), lambda _: ask("entity:list", limit=50)),
        "entity list, 1000": timed(range(20), lambda _: ask("entity:list")),
        "entity list by keyword, 50": timed(
            plan.keywords, lambda word: ask("entity:list", filter={"keyword": word}, limit=50)
        ),
        "relation list of an entity": timed(
            plan.read[:100], lambda key: ask("relation:list", filter={"entityId": key})
        ),
        "history of an entity": timed(plan.read[:100], lambda key: ask("history:list", id=key)),
    }


def _writes(plan: Plan, ask: Callable[..., Any]) -> Results:
    return {
        "entity create": timed(plan.new_entities, lambda entity: ask("entity:create", **entity)),
        "relation create": timed(plan.new_relations, lambda relation: ask("relation:create", **relation)),
        "entity update": _updates(plan.updated, ask),
        "undo": _undos(plan.undone, ask),
        "entity delete": timed(plan.deleted, lambda key: ask("entity:delete", id=key)),
    }


def _updates(keys: list[str], ask: Callable[..., Any]) -> Figures:
    known = [(key, ask("entity:read", id=key).version) for key in keys]
    return timed(known, lambda item: _update(ask, *item))


def _undos(keys: list[str], ask: Callable[..., Any]) -> Figures:
    for key in keys:
        _update(ask, key, ask("entity:read", id=key).version)
    return timed(keys, lambda _: ask("history:undo"))


def _update(ask: Callable[..., Any], key: str, version: int) -> Any:
    return ask("entity:update", id=key, expectedVersion=version, patch={"description": CHANGED})


def baseline(plan: Plan) -> dict[str, Results]:
    """The same on plain tables."""
    plain = PlainSqlite(plan.plain_db, STORY)
    entities = [{**entity, "id": f"n{number}"} for number, entity in enumerate(plan.new_entities)]
    relations = [{**relation, "id": f"n{number}"} for number, relation in enumerate(plan.new_relations)]
    results = {
        "entity read": timed(plan.read, plain.read),
        "entity list, 50": timed(range(20), lambda _: plain.page(50)),
        "entity list, 1000": timed(range(20), lambda _: plain.page(1000)),
        "entity list by keyword, 50": timed(plan.keywords, lambda word: plain.search(word, 50)),
        "entity create": timed(entities, plain.create),
        "relation create": timed(relations, plain.relate),
        "entity update": timed(plan.updated, lambda key: plain.update(key, CHANGED)),
        "entity delete": timed(plan.deleted, plain.delete),
    }
    return {"plain sqlite": results}
