"""All names, aliases and keywords of a story, found in a text in one pass."""

from bisect import bisect_right
from collections.abc import Hashable, Iterable, Iterator
from itertools import accumulate
from threading import Lock
from typing import NamedTuple

from fabula.matching.automaton import Automaton, in_order
from fabula.matching.fold import Folded, fold, is_word_char
from fabula.matching.terms import Hit, Term

# What was changed since the automaton was built waits in a second, small one. Past this bound both become
# one again, so that a change costs a small share of a build however large the story is.
_CHANGES_KEPT = 512
_CHANGES_PER_TERM = 0.02

BYTES_EACH = 330

_Span = tuple[int, int]
_Place = tuple[_Span, list[Term]]


class _Built(NamedTuple):
    """What a text is searched with: a base, what came later, and the owners the base no longer speaks for."""

    base: Automaton
    later: Automaton
    outdated: frozenset[Hashable]


class Matcher:
    """Finds the terms of many owners in a text; threads may share it."""

    def __init__(
        self, terms: Iterable[Term] = (), *, exclusions: Iterable[str] = (), simplify: bool = False
    ) -> None:
        self._simplify = simplify
        self._lock = Lock()
        self._changed: dict[Hashable, tuple[Term, ...]] = {}
        self._changes = 0
        self._unseen = False
        self._built = self._compacted(terms)
        self.exclude(exclusions)

    @property
    def weight(self) -> int:
        """About how many bytes of memory it takes."""
        return (self._built.base.size + self._changes) * BYTES_EACH

    def replace(self, owner: Hashable, terms: Iterable[Term]) -> None:
        """Make these all the terms of the owner; none removes the owner."""
        new = tuple(terms)
        for term in new:
            if term.owner != owner:
                raise ValueError(f"a term of {term.owner!r} cannot be set for {owner!r}")
        with self._lock:
            known = self._changed.get(owner)
            self._changes += max(1, len(new)) - (0 if known is None else max(1, len(known)))
            self._changed[owner] = new
            self._unseen = True

    def exclude(self, phrases: Iterable[str]) -> None:
        """Make these all the phrases inside which nothing is found."""
        self._exclusions = Automaton((Term(p, None, "exclusion") for p in phrases), simplify=self._simplify)

    def refresh(self) -> None:
        """Take in what was replaced, which the next `find` would otherwise do first."""
        with self._lock:
            if not self._unseen:
                return
            base = self._built.base
            if self._changes > max(_CHANGES_KEPT, _CHANGES_PER_TERM * base.size):
                self._built = self._compacted(self._current(base))
                self._changed = {}
                self._changes = 0
            else:
                later = Automaton(self._later(), simplify=self._simplify)
                self._built = _Built(base, later, frozenset(self._changed))
            self._unseen = False

    def find(self, text: str) -> list[Hit]:
        """Return the hits in order of place; where terms overlap, the leftmost and then the longest wins.

        Owners that share a place are all reported, each once, by its name rather than an alias or keyword.
        """
        folded = fold(text, simplify=self._simplify)
        hits: list[Hit] = []
        place = (0, 0)
        for span, terms in self._places(text, folded):
            if span[0] >= place[1]:
                place = span
                hits.extend(_hits(terms, folded.span(*span)))
        return hits

    def find_all(self, text: str) -> list[Hit]:
        """Return the hits in order of place, longest first, those inside or across others included."""
        folded = fold(text, simplify=self._simplify)
        return [hit for span, terms in self._places(text, folded) for hit in _hits(terms, folded.span(*span))]

    def owners(self, text: str) -> set[Hashable]:
        """Return everybody whose terms stand in the text, and perhaps some whose terms only seem to."""
        self.refresh()
        base, later, outdated = self._built
        folded = fold(text, simplify=self._simplify).text
        known = {term.owner for _, _, terms in base.scan(folded) for term in terms}
        return (known - outdated) | {term.owner for _, _, terms in later.scan(folded) for term in terms}

    def _compacted(self, terms: Iterable[Term]) -> _Built:
        return _Built(Automaton(terms, simplify=self._simplify), Automaton(()), frozenset())

    def _current(self, base: Automaton) -> Iterator[Term]:
        yield from (term for term in base if term.owner not in self._changed)
        yield from self._later()

    def _later(self) -> Iterator[Term]:
        return (term for terms in self._changed.values() for term in terms)

    def _places(self, text: str, folded: Folded) -> list[_Place]:
        """Return every place where a term stands by its own rules, leftmost and then longest first."""
        self.refresh()
        base, later, outdated = self._built
        # Keyed by start and minus end, so that sorting needs no key function: leftmost, then longest.
        places: dict[_Span, list[Term]] = {}
        for start, end, terms in base.scan(folded.text):
            standing = self._standing(terms, text, folded, start, end)
            if outdated:
                standing = [term for term in standing if term.owner not in outdated]
            if standing:
                places[start, -end] = standing
        for start, end, terms in later.scan(folded.text):
            if standing := self._standing(terms, text, folded, start, end):
                place = (start, -end)
                places[place] = [*in_order(places[place] + standing)] if place in places else standing
        found = [((start, -minus_end), places[start, minus_end]) for start, minus_end in sorted(places)]
        return self._outside_exclusions(found, text, folded) if found else found

    def _standing(
        self, terms: tuple[Term, ...], text: str, folded: Folded, start: int, end: int
    ) -> list[Term]:
        """Return those of the terms that may stand at this place, which their pattern matches."""
        if folded.cuts and not folded.aligned(start, end):
            return []
        whole = _is_whole(folded.text, start, end)
        return [
            term
            for term in terms
            if (whole or term.whole_word is False)
            and (not term.case_sensitive or self._same_case(term.text, text, folded.span(start, end)))
        ]

    def _same_case(self, term: str, text: str, place: _Span) -> bool:
        written = text[place[0] : place[1]]
        if term == written:
            return True
        term, written = (
            fold(" ".join(s.split()), simplify=self._simplify, keep_case=True).text for s in (term, written)
        )
        return term == written

    def _outside_exclusions(self, places: list[_Place], text: str, folded: Folded) -> list[_Place]:
        excluded = sorted(
            (start, end)
            for start, end, phrases in self._exclusions.scan(folded.text)
            if self._standing(phrases, text, folded, start, end)
        )
        if not excluded:
            return places
        starts = [start for start, _ in excluded]
        # The farthest end of all phrases begun so far: a place is inside one of them when it ends before it.
        reach = [0, *accumulate((end for _, end in excluded), max)]
        return [place for place in places if place[0][1] > reach[bisect_right(starts, place[0][0])]]


def _is_whole(text: str, start: int, end: int) -> bool:
    """Return whether no word runs on across an end of the place."""
    if start > 0 and is_word_char(text[start]) and is_word_char(text[start - 1]):
        return False
    return not (end < len(text) and is_word_char(text[end - 1]) and is_word_char(text[end]))


def _hits(terms: Iterable[Term], span: _Span) -> list[Hit]:
    start, end = span
    # The first term of an owner is the one to name; the place is reported once for each owner.
    best: dict[Hashable, Term] = {}
    for term in terms:
        best.setdefault(term.owner, term)
    return [Hit(owner, term.text, term.kind, start, end) for owner, term in best.items()]
