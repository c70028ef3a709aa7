"""An embedder that knows four themes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from fabula.llm.embedder import EmbeddingKind

THEMES = ("海浪船", "火烧焰", "书纸墨", "山石岭")


class ThemeEmbedder:
    """Knows four themes by their characters; does first what `before` says."""

    model = "themes"
    dimensions = len(THEMES) + 1
    is_remote = False

    def __init__(self, before: Callable[[EmbeddingKind], None] = lambda kind: None) -> None:
        self.before = before

    def embed(self, texts: Sequence[str], *, kind: EmbeddingKind) -> NDArray[np.float32]:
        """One row per text: how often each theme stands in it."""
        self.before(kind)
        rows = np.array([[sum(map(text.count, theme)) for theme in THEMES] + [0.1] for text in texts])
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)

    def close(self) -> None:
        """There is nothing to let go of."""
