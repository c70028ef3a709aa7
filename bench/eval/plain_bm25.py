"""The baseline: BM25 as everybody has it, k1 1.2 and b 0.75, over lower-cased runs of letters."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

K1, B = 1.2, 0.75
_WORD = re.compile(r"\w+")


class PlainBm25:
    """BM25 over texts that do not change."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._index([words_of(text) for text in texts])

    @classmethod
    def of(cls, counted: Sequence[Counter[str]]) -> PlainBm25:
        """The same of texts whose words have been counted."""
        index = cls(())
        index._index(counted)
        return index

    def _index(self, counted: Sequence[Counter[str]]) -> None:
        lengths = np.array([counts.total() for counts in counted], np.float64)
        self._norms = K1 * (1 - B + B * lengths / max(1.0, float(lengths.mean()) if len(lengths) else 1.0))
        postings: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for number, counts in enumerate(counted):
            for word, count in counts.items():
                postings[word].append((number, count))
        self._postings = {word: np.array(found, np.int64).T for word, found in postings.items()}

    def scores(self, question: str) -> NDArray[np.float64]:
        """The score of every text."""
        size = len(self._norms)
        scores = np.zeros(size)
        for word, said in words_of(question).items():
            if word in self._postings:
                numbers, counts = self._postings[word]
                rarity = math.log(1 + (size - len(numbers) + 0.5) / (len(numbers) + 0.5))
                scores[numbers] += said * rarity * counts * (K1 + 1) / (counts + self._norms[numbers])
        return scores

    def best(self, question: str) -> list[int]:
        """The numbers of the texts, best first."""
        order: list[int] = np.argsort(-self.scores(question), kind="stable").tolist()
        return order


def words_of(text: str) -> Counter[str]:
    """How often each word stands in a text."""
    return Counter(_WORD.findall(text.lower()))
