"""One automaton over many terms, built once and never changed."""

from collections.abc import Iterable, Iterator

from ahocorasick_rs import AhoCorasick, MatchKind

from fabula.matching.fold import fold
from fabula.matching.terms import Term

_KINDS = {"name": 0, "alias": 1, "keyword": 2}


def pattern_of(text: str, *, simplify: bool = False) -> str:
    """Return the folded form in which a term is looked for, empty when there is nothing to look for."""
    return fold(" ".join(text.split()), simplify=simplify).text


def in_order(terms: Iterable[Term]) -> tuple[Term, ...]:
    """Return terms of one pattern, names first, in an order that does not depend on which came when."""
    return tuple(sorted(terms, key=_order))


def _order(term: Term) -> tuple[int, str, str, str]:
    return _KINDS.get(term.kind, len(_KINDS)), term.kind, term.text, repr(term.owner)


class Automaton:
    """Finds every place of every term in a folded text, overlapping ones included."""

    __slots__ = ("_search", "_terms", "size")

    def __init__(self, terms: Iterable[Term], *, simplify: bool = False) -> None:
        # Nearly every pattern has one term, so a bare Term stands for a tuple of one: 64 bytes less for each.
        by_pattern: dict[str, Term | tuple[Term, ...]] = {}
        size = 0
        for term in terms:
            pattern = pattern_of(term.text, simplify=simplify)
            if not pattern:
                continue
            size += 1
            known = by_pattern.get(pattern)
            if known is None:
                by_pattern[pattern] = term
            else:
                by_pattern[pattern] = (*(known if isinstance(known, tuple) else (known,)), term)
        self.size = size
        self._terms = [in_order(t) if isinstance(t, tuple) else t for t in by_pattern.values()]
        self._search = (
            AhoCorasick(by_pattern, matchkind=MatchKind.Standard, store_patterns=False)
            if by_pattern
            else None
        )

    def __iter__(self) -> Iterator[Term]:
        for terms in self._terms:
            if isinstance(terms, tuple):
                yield from terms
            else:
                yield terms

    def scan(self, folded: str) -> Iterator[tuple[int, int, tuple[Term, ...]]]:
        """Yield start, end and terms of each place where a pattern stands in the folded text."""
        if self._search is None:
            return
        known = self._terms
        for index, start, end in self._search.find_matches_as_indexes(folded, overlapping=True):
            terms = known[index]
            yield start, end, terms if isinstance(terms, tuple) else (terms,)
