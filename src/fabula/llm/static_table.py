"""A table of vectors, one per character, word and subword, and its file format.

Each number has four bits, two to a byte, with one scale per row. A text adds up many rows, so that their
rounding errors cancel out.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_MIDDLE = 8
_LARGEST = 7
_SHARES = (0.6, 0.7, 0.8, 0.9, 1.0)


class StaticTable(NamedTuple):
    """Quantised vectors by word; a row times its scale is a vector."""

    rows_of: dict[str, int]
    simplified: dict[int, int]
    rows: NDArray[np.int8]
    scales: NDArray[np.float32]

    @property
    def dimensions(self) -> int:
        """The number of dimensions of each vector."""
        return int(self.rows.shape[1])


def save_table(
    file: Path, words: list[str], vectors: NDArray[np.float32], simplified: dict[str, str]
) -> None:
    """Write a table: the words, their vectors in the same order, and the characters to simplify."""
    scales = _scales(vectors)
    nibbles = (_steps(vectors, scales) + _MIDDLE).astype(np.uint8)
    np.savez(
        file,
        words=np.frombuffer("\n".join(words).encode(), dtype=np.uint8),
        simplified=np.frombuffer("".join(map("".join, simplified.items())).encode(), dtype=np.uint8),
        nibbles=nibbles[:, ::2] << 4 | nibbles[:, 1::2],
        scales=scales,
    )


def _scales(vectors: NDArray[np.float32]) -> NDArray[np.float16]:
    """The scale of each row with the smallest error, which often clips the few largest numbers."""
    largest = np.abs(vectors).max(axis=1)
    tried = [np.maximum(largest * share / _LARGEST, 1e-6).astype(np.float16) for share in _SHARES]
    lost = [((_steps(vectors, scale) * scale[:, None] - vectors) ** 2).sum(axis=1) for scale in tried]
    return np.asarray(np.choose(np.argmin(lost, axis=0), tried), dtype=np.float16)


def _steps(vectors: NDArray[np.float32], scales: NDArray[np.float16]) -> NDArray[np.float32]:
    steps = np.rint(vectors / scales.astype(np.float32)[:, None])
    return np.asarray(np.clip(steps, -_LARGEST, _LARGEST), dtype=np.float32)


def load_table(file: Path) -> StaticTable:
    """Read a table."""
    with np.load(file) as kept:
        words = kept["words"].tobytes().decode().split("\n")
        pairs = kept["simplified"].tobytes().decode()
        nibbles, scales = kept["nibbles"], kept["scales"].astype(np.float32)
    rows = np.empty((len(words), 2 * nibbles.shape[1]), dtype=np.int8)
    rows[:, ::2], rows[:, 1::2] = nibbles >> 4, nibbles & 15
    rows -= _MIDDLE
    simplified = {ord(old): ord(new) for old, new in zip(pairs[::2], pairs[1::2], strict=True)}
    return StaticTable({word: row for row, word in enumerate(words)}, simplified, rows, scales)
