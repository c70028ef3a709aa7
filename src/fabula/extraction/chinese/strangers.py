"""Repeated strings that form no words: names without a family name or a typical ending."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ahocorasick_rs import AhoCorasick

from fabula.extraction.chinese.edges import A_NAME
from fabula.extraction.chinese.occurrences import NameOccurrences
from fabula.extraction.chinese.surnames import NEVER_GIVEN, SELDOM_GIVEN

_SEEN = 3
_VARIETY = 3
_FITS_PEOPLE = 0.6
_BASE, _CHARACTER, _REPEATED = 3.0, 6.2, 2.0
_LONGEST = 4
_NOT_IN_NAMES = NEVER_GIVEN | SELDOM_GIVEN


def strangers(
    sentences: Sequence[str], runs: Sequence[Sequence[tuple[int, int]]]
) -> Iterator[tuple[int, int, int, float]]:
    """The sentence, start, end and cost of each, from the runs of characters that form no words."""
    often = _repeated(sentences, runs)
    if not often:
        return
    search = AhoCorasick(often, store_patterns=False)
    places = [
        (number, start, end)
        for number, sentence in enumerate(sentences)
        for _, start, end in search.find_matches_as_indexes(sentence, overlapping=True)
    ]
    occurrences = NameOccurrences.of(sentences, places)
    for number, start, end in places:
        text = sentences[number][start:end]
        if occurrences.variety(text) >= _VARIETY and occurrences.fits_people(text) >= _FITS_PEOPLE:
            cost = A_NAME + _BASE + _CHARACTER * len(text) - _REPEATED * occurrences.weight(text)
            yield number, start, end, cost


def _repeated(sentences: Sequence[str], runs: Sequence[Sequence[tuple[int, int]]]) -> list[str]:
    seen: Counter[str] = Counter()
    for sentence, strange in zip(sentences, runs, strict=True):
        for start, end in strange:
            for first in range(start, end - 1):
                for last in range(first + 2, min(end, first + _LONGEST) + 1):
                    seen[sentence[first:last]] += 1
    return [text for text, count in seen.items() if count >= _SEEN and _NOT_IN_NAMES.isdisjoint(text)]
