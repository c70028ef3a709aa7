"""A story: the thing everything else belongs to."""

from __future__ import annotations

from typing import Any

from fabula.model.relation import Language
from fabula.model.wire import Value

AUTO_APPROVE = "autoApprove"


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


class Limits(Value):
    """How much a story may hold and how long a question may take."""

    max_entities: int = 50_000
    max_relations: int = 200_000
    max_attribute_keys: int = 200
    max_subgraph_k: int = 3
    max_subgraph_nodes: int = 2_000
    max_path_expansions: int = 10_000
    query_timeout_ms: int = 2_000
