"""The interface of embedders, which turn texts into vectors."""

from collections.abc import Sequence
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

EmbeddingKind = Literal["query", "document"]


class Embedder(Protocol):
    """Turns texts into vectors that are compared by their inner product."""

    @property
    def model(self) -> str:
        """The name stored with the vectors; vectors of different models are not comparable."""

    @property
    def dimensions(self) -> int:
        """The number of dimensions of each vector."""

    @property
    def is_remote(self) -> bool:
        """Whether texts are sent to another process, which can read them and may be slow."""

    def embed(self, texts: Sequence[str], *, kind: EmbeddingKind) -> NDArray[np.float32]:
        """One unit vector per text, in order; a text without content may be a row of zeros."""

    def close(self) -> None:
        """Close all connections."""
