"""The embeddings of one story in memory: one matrix with exact search.

Fifty thousand rows take a few milliseconds, so there is no approximate index that could miss one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import count
from typing import cast

import numpy as np
from numpy.typing import NDArray

from fabula.collector import freeze_built
from fabula.index.arrays import Mask
from fabula.store.reader import Reader
from fabula.store.vector_reader import VectorKey, VectorSet
from fabula.store.vectors import from_stored

Vector = NDArray[np.float32]

SMALLEST = 64
NOT_FOUND = -1.0
BYTES_EACH_KEY = 300

_ARRANGEMENTS = count()


class VectorIndex:
    """A matrix with one row per vector and the owner of each row; rows of removed vectors are reused."""

    def __init__(self, dimensions: int) -> None:
        self.dimensions = dimensions
        self.keys: list[VectorKey | None] = []
        self.counts: Counter[str] = Counter()
        self._new = next(_ARRANGEMENTS)
        self._arrangements: dict[str, int] = {}
        self._rows: dict[VectorKey, int] = {}
        self._free: list[int] = []
        self._matrix = np.zeros((SMALLEST, dimensions), dtype=np.float32)
        self._held = np.zeros(SMALLEST, dtype=np.bool_)

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, key: VectorKey) -> bool:
        return key in self._rows

    @property
    def weight(self) -> int:
        """About how many bytes of memory it takes."""
        return self._matrix.nbytes + self._held.nbytes + len(self.keys) * BYTES_EACH_KEY

    def arrangement_of(self, kind: str) -> int:
        """A unique number that changes whenever the assignment of rows to owners of this kind changes."""
        return self._arrangements.get(kind, self._new)

    def rows_of(self, keys: Iterable[tuple[str, str, int]], size: int) -> NDArray[np.int64]:
        """The rows of many owners; -1 for those without a vector."""
        known = cast("dict[tuple[str, str, int], int]", self._rows)
        return np.fromiter((known.get(key, -1) for key in keys), np.int64, size)

    def row_of(self, key: VectorKey) -> int | None:
        """The row of an owner; None if it has no vector."""
        return self._rows.get(key)

    def put(self, key: VectorKey, vector: Vector) -> None:
        """Add or replace a vector."""
        row = self._rows.get(key)
        if row is None:
            row = self._free.pop() if self._free else self._another()
            self._rows[key], self.keys[row], self._held[row] = row, key, True
            self._moved(key.kind, 1)
        self._matrix[row] = vector

    def drop(self, key: VectorKey) -> None:
        """Remove a vector."""
        row = self._rows.pop(key, None)
        if row is not None:
            self.keys[row], self._held[row] = None, False
            self._free.append(row)
            self._moved(key.kind, -1)

    def keep(self, kind: str, keys: set[VectorKey]) -> None:
        """Remove all vectors of a kind except these."""
        for key in [key for key in self._rows if key.kind == kind and key not in keys]:
            self.drop(key)

    def _moved(self, kind: str, more: int) -> None:
        self.counts[kind] += more
        self._arrangements[kind] = next(_ARRANGEMENTS)

    def mask(self, keys: Iterable[VectorKey]) -> Mask:
        """The rows of these owners as a mask; owners without a vector are skipped."""
        rows = [self._rows[key] for key in keys if key in self._rows]
        chosen = np.zeros(len(self.keys), dtype=np.bool_)
        chosen[rows] = True
        return chosen

    def similarities(self, query: Vector, allowed: Mask | None = None) -> Vector:
        """The cosine similarity of a unit query with each row, in the order of `keys`.

        Free rows and rows that are not allowed get -1, the minimum. A similarity depends on nothing but the
        row and the query, so that an updated index finds the same as a rebuilt one.
        """
        size = len(self.keys)
        shown = self._held[:size] if allowed is None else self._held[:size] & allowed
        return np.where(shown, self.cosines(query, 0, size), np.float32(NOT_FOUND))

    def cosines(self, query: Vector, first: int, last: int) -> Vector:
        """The cosine similarities of a range of rows, free ones included."""
        found: Vector = np.vecdot(self._matrix[first:last], query.astype(np.float32, copy=False))
        return found

    def cosines_of(self, query: Vector, rows: NDArray[np.int64]) -> Vector:
        """The cosine similarities of some rows."""
        found: Vector = np.vecdot(self._matrix[rows], query.astype(np.float32, copy=False))
        return found

    def _another(self) -> int:
        row = len(self.keys)
        if row == len(self._matrix):
            self._matrix = np.concatenate([self._matrix, np.zeros_like(self._matrix)])
            self._held = np.concatenate([self._held, np.zeros_like(self._held)])
        self.keys.append(None)
        return row


class StoryVectors:
    """The vectors of one story in this process, brought up to date before each use."""

    def __init__(self, project_id: str) -> None:
        self._project_id = project_id
        self._began = ""
        self._seen: VectorSet | None = None
        self._index: VectorIndex | None = None

    @property
    def weight(self) -> int:
        """About how many bytes of memory they take."""
        return 0 if self._index is None else self._index.weight

    def current(self, reader: Reader, model: str) -> VectorIndex | None:
        """The vectors as of the reader's view; None if the story has none from this model."""
        present = reader.vectors.set_of(self._project_id)
        if present is None or present.model != model:
            return None
        began = reader.edition(self._project_id).began
        if self._index is None or not self._is_earlier(present, began):
            self._index, self._seen = VectorIndex(present.dimensions), None
        self._follow(reader, self._index, present)
        self._seen, self._began = present, began
        return self._index

    def _is_earlier(self, present: VectorSet, began: str) -> bool:
        """Whether the vectors held can be updated to the present ones: same story, same model, not newer."""
        seen = self._seen
        return (
            seen is not None
            and began == self._began
            and (seen.model, seen.dimensions) == (present.model, present.dimensions)
            and seen.batch <= present.batch
        )

    def _follow(self, reader: Reader, index: VectorIndex, present: VectorSet) -> None:
        batch = -1 if self._seen is None else self._seen.batch
        if batch == present.batch:
            return
        before = len(index)
        for key, stored in reader.vectors.since(self._project_id, batch):
            index.put(key, from_stored(stored))
        if self._seen is not None and present.dropped_in > batch:
            present_counts = reader.vectors.counts(self._project_id)
            for kind, held in list(index.counts.items()):
                if held > present_counts.get(kind, 0):
                    index.keep(kind, reader.vectors.keys(self._project_id, kind))
        freeze_built(len(index) - before)
