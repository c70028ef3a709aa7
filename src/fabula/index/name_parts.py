"""Which entities or entries have a few characters anywhere in a text: postings of pairs of characters.

A pair stands for itself in every script, so that a part of a word is found, too. Changed texts are kept
beside the arrays until there are many of them.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from fabula.index.arrays import distinct
from fabula.index.words import Slots

REBUILD_AFTER = 256
REBUILD_SHARE = 0.02
# So few texts are looked at one by one.
FEW = 64

_END = "\n"
_SHIFT = np.uint64(21)
_NONE = np.empty(0, np.int32)


class PartIndex:
    """From the characters of short texts to the numbers of the texts that contain them, in a row."""

    def __init__(self, texts: Iterable[tuple[int, str]] = ()) -> None:
        self._build(dict(texts))

    def __len__(self) -> int:
        return len(self._row_of) - len(self._changed.keys() & self._row_of.keys()) + len(self._fresh)

    @property
    def weight(self) -> int:
        """About how many bytes of memory it takes."""
        arrays = (self._vocabulary, self._begins, self._rows, self._slots, self._starts)
        return sum(one.nbytes for one in arrays) + 2 * len(self._joined) + 100 * len(self._row_of)

    def put(self, number: int, text: str) -> None:
        """Add or replace a text, whose lines are looked at one by one."""
        self._change(number, text)

    def drop(self, number: int) -> None:
        """Remove a text."""
        if number in self._row_of or number in self._fresh:
            self._change(number, None)

    def text_of(self, number: int) -> str:
        """The text of a number; empty if it has none."""
        if number in self._changed:
            return self._changed[number] or ""
        row = self._row_of.get(number)
        return "" if row is None else self._text(row)

    def containing(self, part: str) -> Slots:
        """The numbers of the texts with these characters in a row, within a line."""
        if not part or _END in part or not (self._row_of or self._changed):
            return _NONE
        rows = self._candidates(part)
        if len(part) > 2 and len(rows):
            joined, starts = self._joined, self._starts
            bounds = zip(rows.tolist(), starts[rows].tolist(), starts[rows + 1].tolist(), strict=True)
            rows = np.array([row for row, start, end in bounds if part in joined[start:end]], np.int64)
        found = self._slots[rows]
        if self._changed:
            changed = np.fromiter(self._changed, np.int32, len(self._changed))
            fresh = [number for number, text in self._fresh.items() if part in text]
            found = np.concatenate([found[~np.isin(found, changed)], np.array(fresh, np.int32)])
        return found

    @property
    def _fresh(self) -> dict[int, str]:
        return {number: text for number, text in self._changed.items() if text is not None}

    def _text(self, row: int) -> str:
        return self._joined[int(self._starts[row]) : int(self._starts[row + 1]) - 1]

    def _change(self, number: int, text: str | None) -> None:
        self._changed[number] = text
        if len(self._changed) > max(REBUILD_AFTER, REBUILD_SHARE * len(self._row_of)):
            kept = {one: self._text(row) for one, row in self._row_of.items() if one not in self._changed}
            self._build(kept | self._fresh)

    def _candidates(self, part: str) -> NDArray[np.int64]:
        """The rows that have every pair of the part, the rarest pairs first."""
        points = np.frombuffer(part.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.uint64)
        if len(points) == 1:
            first = points[0] << _SHIFT
            low, high = np.searchsorted(self._vocabulary, [first, first + (np.uint64(1) << _SHIFT)])
            return np.unique(self._rows[self._begins[low] : self._begins[high]]).astype(np.int64)
        wanted = distinct((points[:-1] << _SHIFT) | points[1:])
        places = np.searchsorted(self._vocabulary, wanted)
        if not len(self._vocabulary) or (places == len(self._vocabulary)).any():
            return np.empty(0, np.int64)
        if (self._vocabulary[places] != wanted).any():
            return np.empty(0, np.int64)
        spans = sorted(
            zip(self._begins[places].tolist(), self._begins[places + 1].tolist(), strict=True),
            key=lambda span: span[1] - span[0],
        )
        rows = self._rows[slice(*spans[0])]
        for begin, end in spans[1:]:
            if len(rows) <= FEW:
                break
            rows = rows[np.isin(rows, self._rows[begin:end], assume_unique=True)]
        return rows.astype(np.int64)

    def _build(self, texts: dict[int, str]) -> None:
        self._changed: dict[int, str | None] = {}
        self._row_of = {number: row for row, number in enumerate(texts)}
        self._slots = np.fromiter(texts, np.int32, len(texts))
        sizes = np.fromiter((len(text) + 1 for text in texts.values()), np.int64, len(texts))
        self._starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
        self._joined = "".join(text + _END for text in texts.values())
        points = np.frombuffer(self._joined.encode("utf-32-le", "surrogatepass"), np.uint32)
        owners = np.repeat(np.arange(len(texts), dtype=np.int32), sizes)
        inside = np.flatnonzero(points[:-1] != ord(_END)) if len(points) else np.empty(0, np.int64)
        # A pair with the end of its line stands for a last character.
        codes = (points[inside].astype(np.uint64) << _SHIFT) | points[inside + 1]
        # Texts are in order, and a stable sort keeps them so for each pair.
        order = np.argsort(codes, kind="stable")
        codes, rows = codes[order], owners[inside[order]]
        if len(codes):
            another = np.ones(len(codes), np.bool_)
            another[1:] = (codes[1:] != codes[:-1]) | (rows[1:] != rows[:-1])
            codes, rows = codes[another], rows[another]
        self._rows = rows
        self._vocabulary, begins = np.unique(codes, return_index=True)
        self._begins = np.append(begins, len(codes)).astype(np.int32)
