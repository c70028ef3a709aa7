"""Counts how often strings occur in a text, and between which characters."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from math import log

from fabula.extraction.chinese import verbs


class NameOccurrences:
    """The occurrences of some strings in one text, with their neighbouring characters."""

    def __init__(self) -> None:
        self.seen: Counter[str] = Counter()
        self._left: defaultdict[str, set[str]] = defaultdict(set)
        self._right: defaultdict[str, set[str]] = defaultdict(set)
        self._like_people: Counter[str] = Counter()

    @classmethod
    def of(cls, sentences: Sequence[str], places: Iterable[tuple[int, int, int]]) -> NameOccurrences:
        """The occurrences at these spans, each given as sentence number, start and end."""
        occurrences = cls()
        for number, start, end in places:
            occurrences.add(sentences[number], start, end)
        return occurrences

    def add(self, sentence: str, start: int, end: int) -> None:
        """Count one more occurrence."""
        text = sentence[start:end]
        before = sentence[start - 1] if start else ""
        after = sentence[end] if end < len(sentence) else ""
        self.seen[text] += 1
        self._left[text].add(before)
        self._right[text].add(after)
        self._like_people[text] += (not before or before in verbs.BEFORE_PERSON) + (
            not after or after in verbs.AFTER_PERSON
        )

    def variety(self, text: str) -> int:
        """The number of different neighbouring characters, on the side with fewer."""
        return min(len(self._left[text]), len(self._right[text]))

    def weight(self, text: str) -> float:
        """The logarithm of the number of occurrences, capped by the variety of neighbours.

        Parts of a longer word occur as often as the word, but always between the same characters.
        """
        return log(min(self.seen[text], 2 * self.variety(text)))

    def fits_people(self, text: str) -> float:
        """The share of neighbouring characters that are typical beside people's names."""
        return self._like_people[text] / (2 * self.seen[text])
