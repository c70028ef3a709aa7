"""Finds all names, aliases and keywords of a story in a text in one pass.

Memory is bounded whatever the terms are: a text is searched in chunks, and chunks get shorter where there
are very many matches.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import partial
from threading import Lock
from typing import NamedTuple

from fabula.matching.automaton import Automaton, in_order
from fabula.matching.fold import Folded, fold, is_word_char
from fabula.matching.loose import LooselyFolded, loosely_folded
from fabula.matching.terms import Hit, Match, Term

# Changes since the automaton was built go into a second, small one. Past this bound the two are merged, so
# that a change costs a small share of a build however large the story is.
_CHANGES_KEPT = 512
_CHANGES_PER_TERM = 0.02

BYTES_EACH = 330

_FIRST_CHUNK = 1_024
_LONGEST_CHUNK = 65_536
_MANY_PLACES = 65_536

TimeCheck = Callable[[int], None]
"""Called with the number of matches in each chunk; raises when the time is up."""

_Places = list[tuple[int, int, int]]
_Code = tuple[int, ...]
"""The patterns of one span: those of the base counted from 0 up, later ones from -1 down."""


class _Built(NamedTuple):
    """The base automaton, one for later changes, and the owners whose terms in the base are outdated."""

    base: Automaton
    later: Automaton
    outdated: frozenset[Hashable]

    def terms(self, code: _Code) -> tuple[Term, ...]:
        """Return the terms of these patterns, names first."""
        groups = [
            tuple(term for term in self.base.terms(one) if term.owner not in self.outdated)
            if one >= 0
            else self.later.terms(~one)
            for one in code
        ]
        return groups[0] if len(groups) == 1 else in_order(term for group in groups for term in group)

    def chunks(self, text: str, watch: TimeCheck | None) -> Iterator[_Chunk]:
        """Yield the matches of the text chunk by chunk, each in the chunk where it starts."""
        reach = max(self.base.longest, self.later.longest)
        begin, size = 0, _FIRST_CHUNK
        while begin < len(text):
            piece = text[begin : begin + size + reach]
            chunk = _Chunk(begin, size, self.base.places(piece), self.later.places(piece))
            count = len(chunk.base) + len(chunk.later)
            if watch is not None:
                watch(count)
            yield chunk
            begin += size
            if count > _MANY_PLACES:
                size = max(_FIRST_CHUNK // 4, size // 2)
            elif count < _MANY_PLACES // 4:
                size = min(_LONGEST_CHUNK, 4 * size)


class _Chunk:
    """The matches that start in one chunk of a text, by start; those that start after it are ignored."""

    def __init__(self, begin: int, size: int, base: _Places, later: _Places) -> None:
        self._begin, self._size = begin, size
        self.base, self.later = base, later
        # Matches are ordered by end, so the last one of each start is the longest.
        self._longest = {start: (end, pattern) for pattern, start, end in base if start < size}
        self._all: dict[int, list[tuple[int, int]]] = {}

    def patterns(self) -> set[int]:
        """Return the code of every pattern found here or right after."""
        return {pattern for pattern, _, _ in self.base} | {~pattern for pattern, _, _ in self.later}

    def starts(self) -> list[int]:
        """Return the start of every match, in order."""
        starts = {*self._longest, *(start for _, start, _ in self.later if start < self._size)}
        return [self._begin + start for start in sorted(starts)]

    def ends(self, start: int) -> Iterator[tuple[int, _Code]]:
        """Yield the ends of the matches with this start, farthest first, each with its patterns."""
        offset, begin = start - self._begin, self._begin
        done = -1
        if not self.later:
            # Nearly always only the longest is needed.
            done, pattern = self._longest[offset]
            yield begin + done, (pattern,)
        if not self._all:
            for pattern, first, end in self.base:
                self._all.setdefault(first, []).append((end, pattern))
            for pattern, first, end in self.later:
                self._all.setdefault(first, []).append((end, ~pattern))
        codes: dict[int, _Code] = {}
        for end, one in self._all[offset]:
            codes[end] = (*codes.get(end, ()), one)
        for end in sorted(codes, reverse=True):
            if end != done:
                yield begin + end, codes[end]


class Matcher:
    """Finds the terms of many owners in a text; threads may share it."""

    def __init__(self, terms: Iterable[Term] = (), *, simplify: bool = False, loose: bool = False) -> None:
        """With `loose`, terms match as names that must not be disclosed: case and spelling matter less."""
        self._simplify = simplify
        self._is_loose = loose
        self._fold: Callable[[str], Folded | LooselyFolded] = (
            loosely_folded if loose else partial(fold, simplify=simplify)
        )
        self._lock = Lock()
        self._changed: dict[Hashable, tuple[Term, ...]] = {}
        self._changes = 0
        self._unseen = False
        self._built = self._compacted(terms)

    @property
    def weight(self) -> int:
        """About how many bytes of memory it takes."""
        return (self._built.base.size + self._changes) * BYTES_EACH

    def replace(self, owner: Hashable, terms: Iterable[Term]) -> None:
        """Replace all terms of an owner; with no terms, the owner is removed."""
        new = tuple(terms)
        for term in new:
            if term.owner != owner:
                raise ValueError(f"a term of {term.owner!r} cannot be set for {owner!r}")
        with self._lock:
            known = self._changed.get(owner)
            self._changes += max(1, len(new)) - (0 if known is None else max(1, len(known)))
            self._changed[owner] = new
            self._unseen = True

    def refresh(self) -> None:
        """Apply pending replacements now instead of at the next `find`."""
        with self._lock:
            if not self._unseen:
                return
            base = self._built.base
            if self._changes > max(_CHANGES_KEPT, _CHANGES_PER_TERM * base.size):
                self._built = self._compacted(self._current(base))
                self._changed = {}
                self._changes = 0
            else:
                later = Automaton(self._later(), self._pattern)
                self._built = _Built(base, later, frozenset(self._changed))
            self._unseen = False

    def find(self, text: str, watch: TimeCheck | None = None) -> list[Hit]:
        """Return the hits in order; where terms overlap, the leftmost and then the longest wins.

        All owners of a span are reported, each once, by its name rather than an alias or keyword.
        """
        return [hit for match in self.matches(text, watch) for hit in match.hits()]

    def find_all(
        self, text: str, watch: TimeCheck | None = None, unwanted: Callable[[Term], bool] | None = None
    ) -> list[Hit]:
        """Return all hits in order, the longest first at each start, including those that overlap others."""
        search = self._search(text, unwanted=unwanted)
        return [hit for match in search.everywhere(watch) for hit in match.hits()]

    def matches(
        self, text: str, watch: TimeCheck | None = None, unwanted: Callable[[Term], bool] | None = None
    ) -> list[Match]:
        """Return the spans of `find`, each once with all its terms, however many owners share it.

        Unwanted terms are looked for as little as if they were not there.
        """
        return list(self._search(text, unwanted=unwanted).longest(watch, may_cross=False))

    def outermost(
        self, text: str, wanted: Callable[[Hashable], bool], watch: TimeCheck | None = None
    ) -> list[Match]:
        """Return the matches of wanted owners that lie inside no other such match; they may overlap."""
        return list(self._search(text, wanted).longest(watch, may_cross=True))

    def owners(self, text: str, watch: TimeCheck | None = None) -> set[Hashable]:
        """Return every owner with a term in the text, and possibly some whose terms only seem to match."""
        self.refresh()
        built = self._built
        known: set[int] = set()
        for chunk in built.chunks(self._fold(text).text, watch):
            known |= chunk.patterns()
        return {term.owner for one in known for term in built.terms((one,))}

    def _search(
        self,
        text: str,
        wanted: Callable[[Hashable], bool] | None = None,
        unwanted: Callable[[Term], bool] | None = None,
    ) -> _Search:
        self.refresh()
        return _Search(self._built, text, self._fold(text), self._same_case, wanted, unwanted)

    def _pattern(self, text: str) -> str:
        """Return the folded form of a term; empty if nothing is left to look for."""
        return self._fold(" ".join(text.split())).text.strip(" ")

    def _compacted(self, terms: Iterable[Term]) -> _Built:
        return _Built(Automaton(terms, self._pattern), Automaton((), self._pattern), frozenset())

    def _current(self, base: Automaton) -> Iterator[Term]:
        yield from (term for term in base if term.owner not in self._changed)
        yield from self._later()

    def _later(self) -> Iterator[Term]:
        return (term for terms in self._changed.values() for term in terms)

    def _same_case(self, term: str, written: str) -> bool:
        if term == written or self._is_loose:
            return True
        one, other = (
            fold(" ".join(s.split()), simplify=self._simplify, keep_case=True).text.strip(" ")
            for s in (term, written)
        )
        return one == other


class _Search:
    """A search of one text, with the terms of each pattern cached."""

    def __init__(
        self,
        built: _Built,
        text: str,
        folded: Folded | LooselyFolded,
        same_case: Callable[[str, str], bool],
        wanted: Callable[[Hashable], bool] | None,
        unwanted: Callable[[Term], bool] | None,
    ) -> None:
        self._built, self._text, self._folded = built, text, folded
        self._same_case, self._wanted, self._unwanted = same_case, wanted, unwanted
        self._terms: dict[tuple[_Code, bool], tuple[tuple[Term, ...], bool]] = {}
        self._cased: dict[tuple[_Code, bool, str], tuple[Term, ...]] = {}

    def everywhere(self, watch: TimeCheck | None) -> Iterator[Match]:
        """Yield every match, leftmost and then longest first."""
        for chunk in self._built.chunks(self._folded.text, watch):
            for start in chunk.starts():
                for end, code in chunk.ends(start):
                    if match := self.match(start, end, code):
                        yield match

    def longest(self, watch: TimeCheck | None, *, may_cross: bool) -> Iterator[Match]:
        """Yield the longest match at each start, skipping those inside an earlier one.

        Unless they `may_cross`, matches that overlap an earlier one are skipped too.
        """
        reach = 0
        for chunk in self._built.chunks(self._folded.text, watch):
            for start in chunk.starts():
                if start < reach and not may_cross:
                    continue
                for end, code in chunk.ends(start):
                    if end <= reach:
                        break
                    if match := self.match(start, end, code):
                        reach = end
                        yield match
                        break

    def match(self, start: int, end: int, code: _Code) -> Match | None:
        """Return the match at a folded span, if any term of these patterns is allowed there."""
        folded = self._folded
        if folded.cuts and not folded.aligned(start, end):
            return None
        whole = _is_whole(folded.text, start, end)
        known = self._terms.get((code, whole))
        if known is None:
            terms = self._built.terms(code)
            if not whole:
                terms = tuple(term for term in terms if term.whole_word is False)
            if self._wanted is not None:
                terms = tuple(term for term in terms if self._wanted(term.owner))
            if self._unwanted is not None:
                terms = tuple(term for term in terms if not self._unwanted(term))
            known = self._terms[code, whole] = terms, any(term.case_sensitive for term in terms)
        terms, has_case = known
        if not terms:
            return None
        place = folded.span(start, end)
        if has_case:
            terms = self._of_case(code, whole, terms, self._text[slice(*place)])
        return Match(*place, terms) if terms else None

    def _of_case(self, code: _Code, whole: bool, terms: tuple[Term, ...], written: str) -> tuple[Term, ...]:
        known = self._cased.get((code, whole, written))
        if known is None:
            same = self._same_case
            known = tuple(term for term in terms if not term.case_sensitive or same(term.text, written))
            self._cased[code, whole, written] = known
        return known


def _is_whole(text: str, start: int, end: int) -> bool:
    """Return whether both ends of the span are at word boundaries."""
    if start > 0 and is_word_char(text[start]) and is_word_char(text[start - 1]):
        return False
    return not (end < len(text) and is_word_char(text[end - 1]) and is_word_char(text[end]))
