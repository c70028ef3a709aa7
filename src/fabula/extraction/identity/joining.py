"""Joins the names of a book to people: the certain evidence joins, the likely one is left to the author."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import NamedTuple

from fabula.extraction.sameness import Sameness

CERTAIN, LIKELY = 0.85, 0.65
_NEVER_CERTAIN = 0.97

# Whether two groups of names mean two people.
GroupsApart = Callable[[frozenset[str], frozenset[str]], bool]


class Joined(NamedTuple):
    """The names that are one person's, and the pairs of people who are likely one."""

    groups: list[frozenset[str]]
    joins: list[Sameness]
    likely: list[Sameness]


def joined_names(
    evidence: Iterable[Sameness],
    apart: GroupsApart,
    times: Mapping[str, int],
    loose: Collection[str] = (),
) -> Joined:
    """Join names by the evidence, the surest first; people who are known apart are never joined.

    Of a pair with several kinds of evidence, each adds to the confidence. A loose name is one person's and
    makes nobody else the same: Varvara, once, is Princess Varvara or Varvara Andreevna.
    """
    whole = _Groups(apart, loose)
    joins: list[Sameness] = []
    open_ = list(evidence)
    while True:
        found = sorted(_combined(open_, whole), key=lambda same: (-same.confidence, same.name, same.other))
        fresh = [same for same in found if same.confidence >= CERTAIN and whole.join(same.name, same.other)]
        if not fresh:
            break
        joins += fresh
    likely = [same for same in found if LIKELY <= same.confidence < CERTAIN]
    by_use = sorted(
        likely,
        key=lambda same: (
            -min(_used(whole.of(same.name), times), _used(whole.of(same.other), times)),
            same.name,
            same.other,
        ),
    )
    return Joined(whole.groups(), joins, by_use)


def _used(group: Iterable[str], times: Mapping[str, int]) -> int:
    return sum(times.get(name, 0) for name in group)


def _combined(evidence: Iterable[Sameness], whole: _Groups) -> list[Sameness]:
    """One piece of evidence for each two people: the surest, and surer if others agree with it."""
    by_pair: defaultdict[frozenset[frozenset[str]], dict[str, Sameness]] = defaultdict(dict)
    for same in evidence:
        pair = frozenset((whole.of(same.name), whole.of(same.other)))
        if len(pair) == 1:
            continue
        own = by_pair[pair]
        before = own.get(same.reason)
        if before is None or _rank(same) > _rank(before):
            own[same.reason] = same
    found = []
    for pair, own in by_pair.items():
        one, other = pair
        if whole.are_apart(one, other):
            continue
        best = max(own.values(), key=_rank)
        doubt = 1.0
        for same in own.values():
            doubt *= 1 - same.confidence
        sure = 1.0 if best.confidence == 1.0 else min(_NEVER_CERTAIN, 1 - doubt)
        found.append(best._replace(confidence=sure))
    return found


def _rank(same: Sameness) -> tuple[float, bool, str, str, str]:
    return same.confidence, same.start is not None, same.reason, same.name, same.other


class _Groups:
    """Sets of names, joined two at a time."""

    def __init__(self, apart: GroupsApart, loose: Collection[str]) -> None:
        self._apart, self._loose = apart, loose
        self._group: dict[str, frozenset[str]] = {}

    def of(self, name: str) -> frozenset[str]:
        return self._group.get(name, frozenset((name,)))

    def are_apart(self, ones: frozenset[str], others: frozenset[str]) -> bool:
        return self._apart(ones, others)

    def join(self, one: str, other: str) -> bool:
        """Join the groups of two names; False if somebody of one is apart from somebody of the other."""
        ones, others = self.of(one), self.of(other)
        if ones is others or ones == others:
            return False
        if self.are_apart(ones, others) or self._is_bridge(one) or self._is_bridge(other):
            return False
        both = ones | others
        self._group.update(dict.fromkeys(both, both))
        return True

    def _is_bridge(self, name: str) -> bool:
        return name in self._loose and len(self.of(name)) > 1

    def groups(self) -> list[frozenset[str]]:
        return sorted(set(self._group.values()), key=sorted)
