"""A story: the thing everything else belongs to."""

from __future__ import annotations

from typing import Any, NamedTuple

from fabula.model.names import name_key
from fabula.model.relation import Language
from fabula.model.wire import Value

AUTO_APPROVE = "autoApprove"
AUTO_EXTRACT = "autoExtract"
AUTO_SNAPSHOT = "autoSnapshot"
TOKEN_BUDGET = "tokenBudget"
COVERS = "covers"
LARGEST_BUDGET = 1_000_000
MOST_COVERS = 1_000


class Story(Value):
    """A work and the state of its memory."""

    id: str
    title: str
    language: Language
    settings: dict[str, Any]
    revision: int
    entity_count: int
    relation_count: int
    created_at: str
    updated_at: str


def auto_approve(settings: dict[str, Any]) -> float | None:
    """From which confidence on proposals are approved at once; None if the author looks at each.

    ValueError if the setting is there and no number from 0 to 1.
    """
    threshold = settings.get(AUTO_APPROVE)
    if threshold is None:
        return None
    if isinstance(threshold, bool) or not isinstance(threshold, int | float) or not 0 <= threshold <= 1:
        raise ValueError(f"{AUTO_APPROVE} must be a number from 0 to 1, or null")
    return float(threshold)


def token_budget(settings: dict[str, Any]) -> int | None:
    """How many tokens a context of the story may have where a call does not say; None if that is left open.

    ValueError if the setting is there and no whole number from 0 to 1,000,000.
    """
    budget = settings.get(TOKEN_BUDGET)
    if budget is None:
        return None
    if isinstance(budget, bool) or not isinstance(budget, int) or not 0 <= budget <= LARGEST_BUDGET:
        raise ValueError(f"{TOKEN_BUDGET} must be a whole number from 0 to {LARGEST_BUDGET:,}, or null")
    return budget


def wants(settings: dict[str, Any], name: str) -> bool:
    """Whether the author wants something to be done after every saving, which is so unless they say no.

    ValueError if the setting is there and neither true nor false.
    """
    wanted = settings.get(name)
    if wanted is not None and not isinstance(wanted, bool):
        raise ValueError(f"{name} must be true, false or null")
    return wanted is not False


def checked_settings(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings themselves; ValueError if one that Fabula knows has a value it cannot have."""
    auto_approve(settings)
    token_budget(settings)
    covers_in(settings)
    for name in (AUTO_EXTRACT, AUTO_SNAPSHOT):
        wants(settings, name)
    return settings


class Cover(NamedTuple):
    """An open name that the author lets be told although a hidden one stands in it, both as name keys."""

    name: str
    hidden: str


def covers_in(settings: dict[str, Any]) -> list[Cover]:
    """The open names that the author lets be told although they contain a hidden one.

    ValueError if the setting is there and no list of objects with `name` and `hidden`.
    """
    said = settings.get(COVERS)
    if said is None:
        return []
    if not isinstance(said, list) or len(said) > MOST_COVERS:
        raise ValueError(f"{COVERS} must be a list of at most {MOST_COVERS:,} pairs, or null")
    pairs = []
    for pair in said:
        words = [pair.get(key) for key in Cover._fields] if isinstance(pair, dict) else []
        names = [name_key(word) for word in words if isinstance(word, str) and word.strip()]
        if len(names) != len(Cover._fields):
            raise ValueError(f"{COVERS} must hold pairs of `name` and `hidden`, both names")
        pairs.append(Cover(*names))
    return pairs


class Limits(Value):
    """How much a story may hold and how long a question may take."""

    max_entities: int = 50_000
    max_relations: int = 200_000
    max_attribute_keys: int = 200
    max_subgraph_k: int = 3
    max_subgraph_nodes: int = 2_000
    max_path_expansions: int = 10_000
    query_timeout_ms: int = 2_000
