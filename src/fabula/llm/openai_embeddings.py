"""An embedder for any OpenAI-compatible `/embeddings` endpoint."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fabula.llm.embedder import EmbeddingKind
from fabula.llm.endpoint import Endpoint
from fabula.llm.failures import not_understood
from fabula.llm.prefixes import prefixes_of

BATCH = 64
TEXT_CHARACTERS = 6_000
BODY_BYTES = 32 << 20


class OpenAiEmbedder:
    """Embeds texts in batches; long texts are truncated.

    Queries may use an endpoint object of their own, with less patience, because a user waits for them. Even
    an address on this machine counts as remote: it may forward what it gets.
    """

    is_remote = True

    def __init__(
        self,
        endpoint: Endpoint,
        model: str,
        *,
        dimensions: int | None = None,
        for_questions: Endpoint | None = None,
    ) -> None:
        self.model = model
        self._endpoints = {"document": endpoint, "query": for_questions or endpoint}
        self._dimensions = dimensions
        self._prefixes = prefixes_of(model)

    @property
    def dimensions(self) -> int:
        """The number of dimensions of each vector; the endpoint is asked on first use."""
        if self._dimensions is None:
            self._rows(["?"], "query")
        assert self._dimensions is not None
        return self._dimensions

    def embed(self, texts: Sequence[str], *, kind: EmbeddingKind) -> NDArray[np.float32]:
        """One unit vector per text; a blank text, which endpoints refuse, is a row of zeros."""
        prefix = self._prefixes.get(kind, "")
        told = [index for index, text in enumerate(texts) if text.strip()]
        found = [
            row
            for batch in _batches([prefix + texts[index][:TEXT_CHARACTERS] for index in told])
            for row in self._rows(batch, kind)
        ]
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        if found:
            vectors[told] = _unit(np.stack(found))
        return vectors

    def close(self) -> None:
        """Close all connections."""
        for endpoint in self._endpoints.values():
            endpoint.close()

    def _rows(self, texts: Sequence[str], kind: EmbeddingKind) -> NDArray[np.float32]:
        body = {"model": self.model, "input": list(texts)}
        with self._endpoints[kind].ask("POST", "/embeddings", body) as answer:
            rows = _vectors(answer.read(BODY_BYTES), len(texts))
        if self._dimensions is None:
            self._dimensions = rows.shape[1]
        if rows.shape[1] != self._dimensions:
            raise not_understood(f"vectors of {rows.shape[1]} numbers instead of {self._dimensions}")
        return rows


def _batches(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(texts), BATCH):
        yield texts[start : start + BATCH]


def _vectors(body: bytes, count: int) -> NDArray[np.float32]:
    """The vectors in an answer, in the order of the texts."""
    try:
        data: list[dict[str, Any]] = json.loads(body)["data"]
        placed = sorted(enumerate(data), key=lambda item: item[1].get("index", item[0]))
        rows = np.array([item["embedding"] for _, item in placed], dtype=np.float32)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise not_understood() from error
    if rows.ndim != 2 or rows.shape[0] != count or not rows.shape[1] or not np.isfinite(rows).all():
        raise not_understood()
    return rows


def _unit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1), dtype=np.float32)
