"""Pairs of people who are named in the same passages of a short text."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, groupby
from math import log2
from typing import NamedTuple

from fabula.extraction.mentions import FoundMention
from fabula.extraction.ties.drafts import FoundTie, Somebody
from fabula.model.relation import Language

_TIMES = 4
_PARTNERS = 3
_MOST_PAIRS = 30
_CROWD = 8
# A passage is a paragraph, or this many characters of a long one.
_PASSAGE = 400
_TOGETHER: dict[Language, str] = {"zh": "在文中同时出现 {} 次", "en": "named together {} times"}


class NamedTogether(NamedTuple):
    """Two people named together, with their first mentions together and the number of times."""

    one: FoundMention
    other: FoundMention
    times: int

    @property
    def confidence(self) -> float:
        """The confidence that they know each other; it grows with the number of times."""
        return min(0.8, 0.4 + 0.1 * log2(self.times))


def acquaintances(
    text: str, mentions: Sequence[FoundMention], who: Mapping[str, Somebody], language: Language
) -> Iterator[FoundTie]:
    """The people who are named together so often that they must know each other."""
    people = {name: one.name for name, one in who.items() if one.type == "character"}
    lines = _Lines(text)
    passages = (
        list(group) for _, group in groupby(mentions, key=lambda mention: lines.passage(mention.start))
    )
    for pair in pairs(passages, people):
        one, other = (who[side.known or side.text] for side in (pair.one, pair.other))
        sure = pair.confidence * min(one.confidence, other.confidence)
        start, end = min(pair.one, pair.other).start, max(pair.one.end, pair.other.end)
        yield FoundTie(one, other, "knows", _TOGETHER[language].format(pair.times), sure, start, end)


def pairs(groups: Iterable[Sequence[FoundMention]], who: Mapping[str, str]) -> list[NamedTogether]:
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
        if count < _TIMES or len(found) == _MOST_PAIRS:
            break
        if max(partners[pair[0]], partners[pair[1]]) >= _PARTNERS:
            continue
        partners[pair[0]] += 1
        partners[pair[1]] += 1
        found.append(NamedTogether(*first[pair], count))
    return found


class _Lines:
    """Maps offsets, given in ascending order, to passages."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._line = 0
        self._start = 0
        self._end = 0

    def passage(self, place: int) -> tuple[int, int]:
        """The line number and the part of that line."""
        while place >= self._end:
            self._start = self._end
            end = self._text.find("\n", self._start)
            self._end = len(self._text) + 1 if end < 0 else end + 1
            self._line += 1
        return self._line, (place - self._start) // _PASSAGE
