"""Fabula as the measurements use it: in this process, with room for what they add to a full story."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bench.plan import STORY, Plan
from fabula.index.story_index import SHELVED_ENTITIES, SHELVED_RELATIONS
from fabula.index.value_cache import ValueCache
from fabula.memory import Memory
from fabula.model.story import Limits

# Slow answers are to be measured, not refused.
LIMITS = Limits(max_entities=60_000, max_relations=240_000, query_timeout_ms=60_000)


def opened(plan: Plan) -> Memory:
    """The memory of a plan's world."""
    return Memory(plan.db, limits=LIMITS)


def asker(memory: Memory) -> Callable[..., Any]:
    """`ask("query:subgraph", k=2, …)`: the answer of a channel, as plain data goes in."""

    def ask(channel: str, **payload: Any) -> Any:
        return memory.answer(f"knowledge:{channel}", {"projectId": STORY, **payload})

    return ask


def empty_shelves(memory: Memory) -> None:
    """Forget the rows that earlier answers left in memory, so that the next answer reads them."""
    call = memory.call()
    with call.store.read() as reader, call.indexes.lease(reader, STORY) as index:
        index._entities = ValueCache(SHELVED_ENTITIES)
        index._relations = ValueCache(SHELVED_RELATIONS)
