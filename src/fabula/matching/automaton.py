"""An immutable Aho-Corasick automaton over many terms."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator

from ahocorasick_rs import AhoCorasick, MatchKind

from fabula.matching.terms import Term

# How many other patterns may be suffixes of one pattern.
MOST_ENDINGS = 8

_KINDS = {"name": 0, "alias": 1, "keyword": 2}


def in_order(terms: Iterable[Term]) -> tuple[Term, ...]:
    """Return the terms of one pattern, names first, in an order independent of insertion."""
    return tuple(sorted(terms, key=_order))


def _order(term: Term) -> tuple[int, str, str, str]:
    return _KINDS.get(term.kind, len(_KINDS)), term.kind, term.text, repr(term.owner)


def too_deep(patterns: Collection[str]) -> list[str]:
    """Return the patterns that have very many others as suffixes; no name does, and matching one is slow."""
    lengths = sorted(set(map(len, patterns)))
    deep = []
    for pattern in patterns:
        if len(pattern) > MOST_ENDINGS:
            shorter = lengths[: bisect_left(lengths, len(pattern))]
            if sum(pattern[-length:] in patterns for length in shorter) > MOST_ENDINGS:
                deep.append(pattern)
    return deep


class Automaton:
    """Finds every occurrence of every pattern in a folded text, overlapping ones included."""

    __slots__ = ("_search", "_terms", "longest", "size")

    def __init__(self, terms: Iterable[Term], pattern_of: Callable[[str], str]) -> None:
        # Nearly every pattern has one term, so a bare Term replaces a tuple of one: 64 bytes less for each.
        by_pattern: dict[str, Term | list[Term]] = {}
        size = 0
        for term in terms:
            pattern = pattern_of(term.text)
            if not pattern:
                continue
            size += 1
            known = by_pattern.get(pattern)
            if known is None:
                by_pattern[pattern] = term
            elif isinstance(known, list):
                known.append(term)
            else:
                by_pattern[pattern] = [known, term]
        for pattern in too_deep(by_pattern):
            del by_pattern[pattern]
        self.size = size
        self.longest = max(map(len, by_pattern), default=0)
        self._terms = [in_order(t) if isinstance(t, list) else t for t in by_pattern.values()]
        self._search = (
            AhoCorasick(by_pattern, matchkind=MatchKind.Standard, store_patterns=False)
            if by_pattern
            else None
        )

    def __iter__(self) -> Iterator[Term]:
        for pattern in range(len(self._terms)):
            yield from self.terms(pattern)

    def terms(self, pattern: int) -> tuple[Term, ...]:
        """Return the terms of the pattern with this number."""
        terms = self._terms[pattern]
        return terms if isinstance(terms, tuple) else (terms,)

    def places(self, folded: str) -> list[tuple[int, int, int]]:
        """Return (pattern, start, end) of every occurrence, ordered by end."""
        if self._search is None:
            return []
        return self._search.find_matches_as_indexes(folded, overlapping=True)
