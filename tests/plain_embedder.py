"""An embedder without a model: each text gets a vector that depends on nothing but the text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from fabula.llm.embedder import EmbeddingKind

DIMENSIONS = 8


def vector_of(text: str) -> NDArray[np.float32]:
    """The vector of a text, of length one."""
    seed = int.from_bytes(blake2b(text.encode(), digest_size=8).digest())
    vector = np.random.default_rng(seed).standard_normal(DIMENSIONS)
    return np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)


class PlainEmbedder:
    """Remembers what it was asked, and calls `before` first if there is something to do in between."""

    is_remote = False

    def __init__(self, model: str = "plain", before: Callable[[], None] = lambda: None) -> None:
        self.model = model
        self.dimensions = DIMENSIONS
        self.asked: list[str] = []
        self.before = before
        self.is_closed = False

    def embed(self, texts: Sequence[str], *, kind: EmbeddingKind) -> NDArray[np.float32]:
        """One row per text."""
        assert kind == "document"
        before, self.before = self.before, lambda: None
        before()
        self.asked += texts
        return np.stack([vector_of(text) for text in texts])

    def close(self) -> None:
        """Remember that nobody needs it any more."""
        self.is_closed = True
