"""A story: the thing everything else belongs to."""

from __future__ import annotations

from typing import Any

from fabula.model.relation import Language
from fabula.model.wire import Value


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


class Limits(Value):
    """How much a story may hold and how long a question may take."""

    max_entities: int = 50_000
    max_relations: int = 200_000
    max_attribute_keys: int = 200
    max_subgraph_k: int = 3
    max_subgraph_nodes: int = 2_000
    max_path_expansions: int = 10_000
    query_timeout_ms: int = 2_000
