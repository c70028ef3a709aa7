"""What one pass over a text teaches the next: a name found before is likely to occur again."""

from __future__ import annotations

from collections import Counter
from math import log

from ahocorasick_rs import AhoCorasick

from fabula.extraction.chinese.edges import A_NAME, Edges

PairCounts = Counter[tuple[str, str]]

_READ_BEFORE, _SEEN_AT_LEAST = 0.6, 2
_NOT_THOUGHT_OF = 1.5
_NAMES_TO_COME = 20


class Learnt:
    """The names of the previous pass, with costs by frequency."""

    def __init__(self, counts: PairCounts) -> None:
        total = sum(counts.values()) + _NAMES_TO_COME
        self._costs = {
            name: A_NAME - log((count - _READ_BEFORE) / total)
            for name, count in counts.items()
            if count >= _SEEN_AT_LEAST
        }
        self._names = list(self._costs)
        texts = [text for text, _ in self._names]
        self._search = AhoCorasick(texts, store_patterns=False) if texts else None

    def applied(self, sentence: str, edges: Edges) -> Edges:
        """The candidates, cheaper if found before, plus names found before that were no candidates here."""
        if self._search is None:
            return edges
        known = edges.copy()
        for index, start, end in self._search.find_matches_as_indexes(sentence, overlapping=True):
            name = self._names[index]
            place = (start, end, name[1])
            cost = self._costs[name]
            known[place] = min(known[place], cost) if place in known else cost + _NOT_THOUGHT_OF
        return known


def one_type_each(counts: PairCounts) -> PairCounts:
    """The counts, each name under its most frequent type."""
    types: dict[str, str] = {}
    for (text, kind), count in counts.items():
        if text not in types or count > counts[text, types[text]]:
            types[text] = kind
    merged: PairCounts = Counter()
    for (text, _), count in counts.items():
        merged[text, types[text]] += count
    return merged
