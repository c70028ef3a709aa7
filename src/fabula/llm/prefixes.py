"""The prefixes that embedding models expect before a text, according to their model cards."""

from __future__ import annotations

import re
from collections.abc import Mapping

from fabula.llm.embedder import EmbeddingKind

Prefixes = Mapping[EmbeddingKind, str]

_PREFIXES: tuple[tuple[str, Prefixes], ...] = (
    (r"\be5-(small|base|large)(-v2)?$", {"query": "query: ", "document": "passage: "}),
    (r"nomic-embed-text", {"query": "search_query: ", "document": "search_document: "}),
    (r"bge-(small|base|large)-zh", {"query": "为这个句子生成表示以用于检索相关文章："}),
    (
        r"bge-(small|base|large)-en",
        {"query": "Represent this sentence for searching relevant passages: "},
    ),
)


def prefixes_of(model: str) -> Prefixes:
    """The prefixes for queries and documents for a model; most models have none."""
    return next((prefixes for name, prefixes in _PREFIXES if re.search(name, model.lower())), {})
