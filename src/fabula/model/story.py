"""Stories and their limits."""

from __future__ import annotations

from typing import Any

from fabula.model.relation import Language
from fabula.model.wire import Value


class Story(Value):
    """A story's own fields."""

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
    """The size limits of a story and the time limit of a query."""

    max_entities: int = 50_000
    max_relations: int = 200_000
    max_attribute_keys: int = 200
    max_subgraph_k: int = 3
    max_subgraph_nodes: int = 2_000
    max_path_expansions: int = 10_000
    query_timeout_ms: int = 2_000
