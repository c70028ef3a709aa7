"""How often strings stand in a text, and between which characters."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from math import log

from fabula.extraction.chinese import verbs


class NameOccurrences:
    """The places of some strings in one text."""

    def __init__(self) -> None:
        self.seen: Counter[str] = Counter()
        self._left: defaultdict[str, set[str]] = defaultdict(set)
        self._right: defaultdict[str, set[str]] = defaultdict(set)
        self._like_people: Counter[str] = Counter()

    @classmethod
    def of(cls, sentences: Sequence[str], places: Iterable[tuple[int, int, int]]) -> NameOccurrences:
        """The company at these places, each given as number of the sentence, start and end."""
        company = cls()
        for number, start, end in places:
            company.add(sentences[number], start, end)
        return company

    def add(self, sentence: str, start: int, end: int) -> None:
        """Count one more place."""
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
        """Between how many different characters it stands, on the side where they are fewer."""
        return min(len(self._left[text]), len(self._right[text]))

    def weight(self, text: str) -> float:
        """The logarithm of how often it stands, as far as its company differs.

        Parts of a longer word repeat as often as the word does, but always between the same characters.
        """
        return log(min(self.seen[text], 2 * self.variety(text)))

    def fits_people(self, text: str) -> float:
        """The share of neighbours that stand beside people's names."""
        return self._like_people[text] / (2 * self.seen[text])
