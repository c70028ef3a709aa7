"""The built-in embedder: a small table of word vectors for Chinese and English, without a network.

It knows the meaning of words but not of sentences: a query about bad weather finds the storm, but "the dog
bit the man" is the same as "the man bit the dog".
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from importlib.resources import as_file, files

import numpy as np
from numpy.typing import NDArray

from fabula.llm.embedder import EmbeddingKind
from fabula.llm.static_table import StaticTable, load_table
from fabula.llm.static_words import RowFinder

LOCAL_MODEL = "fabula-static-1"
DIMENSIONS = 256


class LocalEmbedder:
    """Adds up the vectors of a text's words; loads its table on first use."""

    model = LOCAL_MODEL
    is_remote = False
    dimensions = DIMENSIONS

    def embed(self, texts: Sequence[str], *, kind: EmbeddingKind) -> NDArray[np.float32]:
        """One unit vector per text; a text without known words is a row of zeros."""
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for place, text in enumerate(texts):
            rows = self._finder.rows(text)
            if rows:
                vectors[place] = self._sum(rows)
        return vectors

    def close(self) -> None:
        """Do nothing; there are no connections."""

    def _sum(self, rows: list[int]) -> NDArray[np.float32]:
        chosen, counts = np.unique(np.array(rows), return_counts=True)
        weights = (counts * self._table.scales[chosen]).astype(np.float32)
        total = weights @ self._table.rows[chosen].astype(np.float32)
        return np.asarray(total / max(float(np.linalg.norm(total)), 1e-9), dtype=np.float32)

    @cached_property
    def _table(self) -> StaticTable:
        with as_file(files("fabula.llm") / "data" / f"{LOCAL_MODEL}.npz") as file:
            return load_table(file)

    @cached_property
    def _finder(self) -> RowFinder:
        return RowFinder(self._table.rows_of, self._table.simplified)
