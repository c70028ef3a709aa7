"""What embedding models want to see before a text, as their cards say; most want nothing."""

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
    """What goes before questions and before documents for the model of this name."""
    return next((prefixes for name, prefixes in _PREFIXES if re.search(name, model.lower())), {})
