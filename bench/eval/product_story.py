"""A throw-away story file, opened with and without vectors, and what its channels answer."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fabula.llm.local_embedder import LocalEmbedder
from fabula.memory import Memory
from fabula.model.story import Limits
from fabula.operations.search.embedding import embed_story
from fabula.operations.search.retrieval import KnowledgeQueryRetrieveResponse
from fabula.operations.search.search import SearchRequest

# Slow answers are to be judged, not refused.
LIMITS = Limits(query_timeout_ms=600_000)
WORDS, VECTORS = "words", "words and vectors"
WAYS = (WORDS, VECTORS)
MOST = 50


@contextmanager
def story_file() -> Iterator[Path]:
    """A place for a database that goes at the end."""
    with tempfile.TemporaryDirectory(prefix="fabula-eval-") as folder:
        yield Path(folder) / "fabula.db"


@contextmanager
def opened(file: Path, way: str) -> Iterator[Memory]:
    """The file with or without the built-in embedder."""
    embedder = LocalEmbedder() if way == VECTORS else None
    with Memory(file, limits=LIMITS, vectors_by=embedder) as memory:
        yield memory


def embed(file: Path, stories: Iterable[str]) -> None:
    """Give every text of these stories its vector."""
    with opened(file, VECTORS) as memory:
        for story in stories:
            embed_story(memory.call(), story, lambda done, total: True)


def retrieved(memory: Memory, story: str, query: str, **wishes: Any) -> KnowledgeQueryRetrieveResponse:
    """What `knowledge:query:retrieve` answers; nothing is wanted that is not said."""
    payload = {"maxEntities": 0, "maxEvents": 0, "maxPassages": 0, **wishes}
    answer = memory.answer("knowledge:query:retrieve", {"projectId": story, "query": query, **payload})
    assert isinstance(answer, KnowledgeQueryRetrieveResponse)
    return answer


def searched(memory: Memory, story: str, query: str) -> list[int]:
    """The chapters of the passages that `search.story` shows, best first."""
    answer = memory.ask(SearchRequest(project_id=story, q=query, kinds=("passage",), limit=MOST))
    return [hit.chapter for hit in answer.items if hit.chapter is not None]
