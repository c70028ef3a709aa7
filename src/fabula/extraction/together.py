"""Pairs of people who appear together."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations
from math import log2
from typing import NamedTuple

from fabula.extraction.mentions import FoundMention

_TIMES = 4
_PARTNERS = 3
MOST_PAIRS = 30
_CROWD = 8


class NamedTogether(NamedTuple):
    """Two people named together, with their first mentions together and the number of times."""

    one: FoundMention
    other: FoundMention
    times: int

    @property
    def confidence(self) -> float:
        """The confidence that they know each other; it grows with the number of times."""
        return min(0.8, 0.4 + 0.1 * log2(self.times))


def pairs(
    groups: Iterable[Sequence[FoundMention]], who: dict[str, str], most: int = MOST_PAIRS
) -> list[NamedTogether]:
    """The pairs of people most often named in the same passage; `who` maps names to people.

    `groups` are the mentions of each passage. Each person gets at most a few partners, or a large cast would
    flood the queue with acquaintances.
    """
    times: Counter[tuple[str, str]] = Counter()
    first: dict[tuple[str, str], tuple[FoundMention, FoundMention]] = {}
    for group in groups:
        present: dict[str, FoundMention] = {}
        for mention in group:
            person = who.get(mention.known or mention.text)
            if person is not None:
                present.setdefault(person, mention)
        if len(present) > _CROWD:
            continue
        for pair in combinations(sorted(present), 2):
            times[pair] += 1
            first.setdefault(pair, (present[pair[0]], present[pair[1]]))
    partners: defaultdict[str, int] = defaultdict(int)
    found: list[NamedTogether] = []
    for pair, count in sorted(times.items(), key=lambda item: (-item[1], item[0])):
        if count < _TIMES or len(found) == most:
            break
        if max(partners[pair[0]], partners[pair[1]]) >= _PARTNERS:
            continue
        partners[pair[0]] += 1
        partners[pair[1]] += 1
        found.append(NamedTogether(*first[pair], count))
    return found
