"""Texts as vectors: the port that every embedder answers to."""

from collections.abc import Sequence
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

EmbeddingKind = Literal["query", "document"]


class Embedder(Protocol):
    """Turns texts into vectors that can be compared by their inner product."""

    @property
    def model(self) -> str:
        """The name that is stored with the vectors: vectors of another name are not comparable."""

    @property
    def dimensions(self) -> int:
        """How long each vector is."""

    @property
    def is_remote(self) -> bool:
        """Whether texts leave this process: somebody else reads them, and may take their time."""

    def embed(self, texts: Sequence[str], *, kind: EmbeddingKind) -> NDArray[np.float32]:
        """One row of length one per text, in their order; a text without content may be a row of zeros."""

    def close(self) -> None:
        """Let go of connections."""
