"""The passages of a story as an audience reads them: words are counted without what is withheld."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np

from fabula.index.arrays import Codes, Mask
from fabula.index.bm25 import LexicalIndex, Occurrences, Rows, TermCounts
from fabula.index.lexemes import Counts
from fabula.index.passages import PassageIndex, PassageOrder


class ToldWords(LexicalIndex):
    """The words of all texts, of some as they are told instead of as they are written."""

    def __init__(self, written: LexicalIndex, told: Mapping[int, str]) -> None:
        super().__init__(told.items(), simplify=written.simplifies)
        self._written = written
        self._cut = np.zeros(len(written.lengths), np.bool_)
        self._cut[np.fromiter(told, np.int64, len(told))] = True

    def __len__(self) -> int:
        return len(self._written)

    @cached_property
    def lengths(self) -> Counts:
        """The number of words of the text in each slot, as it is told."""
        told = np.zeros(len(self._cut), np.int32)
        own = super().lengths[: len(told)]
        told[: len(own)] = own
        return np.where(self._cut, told, self._written.lengths)

    def document_frequencies(self, codes: Codes, allowed: Mask) -> Rows:
        """The number of texts in allowed slots that contain each word."""
        whole, cut = self._apart(allowed)
        return self._written.document_frequencies(codes, whole) + super().document_frequencies(codes, cut)

    def term_counts(self, codes: Codes, allowed: Mask) -> TermCounts:
        """How often each word occurs in each text in an allowed slot."""
        whole, cut = self._apart(allowed)
        both = self._written.term_counts(codes, whole), super().term_counts(codes, cut)
        return TermCounts(*map(np.concatenate, zip(*both, strict=True)))

    def occurrences(self, codes: Codes, allowed: Mask) -> Occurrences:
        """The positions of each word in the texts in allowed slots."""
        whole, cut = self._apart(allowed)
        both = self._written.occurrences(codes, whole), super().occurrences(codes, cut)
        return Occurrences(*map(np.concatenate, zip(*both, strict=True)))

    def _apart(self, allowed: Mask) -> tuple[Mask, Mask]:
        return allowed & ~self._cut, allowed & self._cut


class ToldPassages(PassageIndex):
    """The passages at the places where they are written, with the words that an audience may read.

    `told` has the texts by row; `silent` are the rows of which nothing is left.
    """

    def __init__(self, written: PassageIndex, told: Mapping[int, str], silent: Mask) -> None:
        super().__init__()
        order = written.in_order()
        slots = order.slots.tolist()
        self.words = ToldWords(written.words, {slots[row]: text for row, text in told.items()})
        self.silent = silent
        self.cut = np.zeros(len(slots), np.bool_)
        self.cut[np.fromiter(told, np.int64, len(told))] = True
        self._told_order = order._replace(lengths=self.words.lengths[order.slots])

    def in_order(self) -> PassageOrder:
        """All passages in manuscript order, with their lengths as they are told."""
        return self._told_order
