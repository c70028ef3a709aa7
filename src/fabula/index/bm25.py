"""An inverted index over many short texts, with the statistics that BM25 needs.

Document frequencies are counted per query over the visible texts, so that no score reveals anything about the
others. Changed texts are kept beside the arrays until there are many of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fabula.index.arrays import Codes, Mask
from fabula.index.lexemes import Counts, is_written_apart, lexemes
from fabula.index.words import READ_TOGETHER, batches

Rows = NDArray[np.int64]

MERGE_AFTER = 256
MERGE_SHARE = 0.02


class QueryTerms(NamedTuple):
    """The distinct words of a query, how often each occurs, and which pairs of them are adjacent."""

    codes: Codes
    said: Counts
    neighbours: list[tuple[int, int]]


class TermCounts(NamedTuple):
    """Term frequencies: the number of the word, the slot of the text, and the count."""

    words: Rows
    slots: Rows
    counts: Rows


class Occurrences(NamedTuple):
    """Term positions: the number of the word, the slot of the text, and the position in words."""

    words: Rows
    slots: Rows
    places: Rows


class LexicalIndex:
    """An inverted index from words to texts; texts are identified by small numbers, their slots."""

    def __init__(self, texts: Iterable[tuple[int, str]] = (), *, simplify: bool = False) -> None:
        self._simplify = simplify
        self._lengths = np.zeros(0, np.int32)
        self._held = np.zeros(0, np.bool_)
        self._waiting: dict[int, str | None] = {}
        self._beside: dict[int, _Text | None] = {}
        self._base = self._fresh = _gathered(self._beside)
        for slot, text in texts:
            self.put(slot, text)

    def __len__(self) -> int:
        return int(np.count_nonzero(self._held))

    @property
    def weight(self) -> int:
        """About how many bytes of memory it takes, without texts not yet indexed."""
        return self._base.weight + self._fresh.weight + self._lengths.nbytes + self._held.nbytes

    @property
    def simplifies(self) -> bool:
        """Whether traditional characters count as their simplified forms."""
        return self._simplify

    @property
    def lengths(self) -> Counts:
        """The number of words of the text in each slot; 0 for an empty slot."""
        self._catch_up()
        return self._lengths

    def put(self, slot: int, text: str) -> None:
        """Add or replace a text."""
        self._reserve(slot + 1)
        self._held[slot] = True
        self._waiting[slot] = text

    def drop(self, slot: int) -> None:
        """Remove a text."""
        if slot < len(self._held) and self._held[slot]:
            self._held[slot] = False
            self._waiting[slot] = None

    def query_terms(self, query: str) -> QueryTerms:
        """The words of a query."""
        found = lexemes([query], simplify=self._simplify).codes
        codes, said = np.unique(found, return_counts=True)
        whole = np.searchsorted(codes, found[is_written_apart(found)]).tolist()
        sides = {(min(pair), max(pair)) for pair in pairwise(whole) if pair[0] != pair[1]}
        return QueryTerms(codes, said.astype(np.int32), sorted(sides))

    def document_frequencies(self, codes: Codes, allowed: Mask) -> Rows:
        """The number of texts in allowed slots that contain each word."""
        old, new = self._shown(allowed)
        return self._base.document_frequencies(codes, old) + self._fresh.document_frequencies(codes, new)

    def term_counts(self, codes: Codes, allowed: Mask) -> TermCounts:
        """How often each word occurs in each text in an allowed slot."""
        old, new = self._shown(allowed)
        return TermCounts(*_joined(self._base.term_counts(codes, old), self._fresh.term_counts(codes, new)))

    def occurrences(self, codes: Codes, allowed: Mask) -> Occurrences:
        """The positions of each word in the texts in allowed slots."""
        old, new = self._shown(allowed)
        return Occurrences(*_joined(self._base.occurrences(codes, old), self._fresh.occurrences(codes, new)))

    def _shown(self, allowed: Mask) -> tuple[Mask, Mask]:
        """The allowed slots, split into those covered by the base and those changed since."""
        self._catch_up()
        shown = np.zeros(len(self._held), np.bool_)
        size = min(len(shown), len(allowed))
        shown[:size] = allowed[:size] & self._held[:size]
        changed = np.zeros(len(shown), np.bool_)
        changed[np.fromiter(self._beside, np.int64, len(self._beside))] = True
        return shown & ~changed, shown & changed

    def _catch_up(self) -> None:
        """Index the texts added since the last query, and merge them into the base when there are many."""
        if not self._waiting:
            return
        waiting, self._waiting = self._waiting, {}
        self._lengths[np.fromiter(waiting, np.int64, len(waiting))] = 0
        self._beside |= dict.fromkeys(waiting)
        self._beside.update(self._read({slot: text for slot, text in waiting.items() if text is not None}))
        self._fresh = _gathered(self._beside)
        if len(self._beside) > max(MERGE_AFTER, MERGE_SHARE * len(self)):
            kept = np.ones(len(self._held), np.bool_)
            kept[np.fromiter(self._beside, np.int64, len(self._beside))] = False
            self._base = self._base.merged(self._fresh, kept)
            self._beside = {}
            self._fresh = _gathered(self._beside)

    def _read(self, waiting: dict[int, str]) -> Iterator[tuple[int, _Text]]:
        slots, texts = list(waiting), list(waiting.values())
        for first, last in batches(texts, READ_TOGETHER):
            found = lexemes(texts[first:last], simplify=self._simplify)
            self._lengths[slots[first:last]] = found.lengths
            bounds = pairwise(np.searchsorted(found.owners, np.arange(last - first + 1)).tolist())
            for slot, bound in zip(slots[first:last], bounds, strict=True):
                span = slice(*bound)
                yield slot, _Text(found.codes[span], found.places[span])

    def _reserve(self, size: int) -> None:
        if size > len(self._held):
            more = max(size, 2 * len(self._held)) - len(self._held)
            self._lengths = np.concatenate([self._lengths, np.zeros(more, np.int32)])
            self._held = np.concatenate([self._held, np.zeros(more, np.bool_)])


class _Text(NamedTuple):
    """The words of one text and their positions."""

    codes: Codes
    places: Counts


class _Postings:
    """Postings by sorted word code: the slots of the texts that contain it, and its positions in each."""

    def __init__(self, codes: Codes, slots: Counts, places: Counts) -> None:
        # The words of each text come in order, which a stable sort keeps.
        order = np.argsort(codes, kind="stable")
        codes, slots = codes[order], slots[order]
        self._places = places[order]
        another_word = np.ones(len(codes), np.bool_)
        another_word[1:] = codes[1:] != codes[:-1]
        another_text = another_word.copy()
        another_text[1:] |= slots[1:] != slots[:-1]
        # Where each (word, text) pair and each word begins, with the end of all appended.
        begins = np.flatnonzero(another_text)
        self._place_begins = np.append(begins, len(codes)).astype(np.int32)
        self._begins = np.append(np.flatnonzero(another_word[begins]), len(begins)).astype(np.int32)
        self._slots = slots[begins]
        self._vocabulary = codes[another_word]
        self._held = np.unique(slots)

    def __len__(self) -> int:
        return len(self._slots)

    @property
    def weight(self) -> int:
        """The size of the arrays in bytes."""
        arrays = (self._vocabulary, self._begins, self._slots, self._place_begins, self._places, self._held)
        return sum(one.nbytes for one in arrays)

    def document_frequencies(self, wanted: Codes, shown: Mask) -> Rows:
        """The number of shown texts that contain each word."""
        if len(self) and shown[self._held].all():
            words, places = self._look_up(wanted)
            counts = np.zeros(len(wanted), np.int64)
            counts[words] = self._begins[places + 1] - self._begins[places]
            return counts
        words, rows = self._find(wanted)
        return np.bincount(words[shown[self._slots[rows]]], minlength=len(wanted))

    def term_counts(self, wanted: Codes, shown: Mask) -> tuple[Rows, Rows, Rows]:
        """How often each word occurs in each shown text."""
        words, rows = self._find(wanted)
        seen = shown[self._slots[rows]]
        words, rows = words[seen], rows[seen]
        return words, self._slots[rows].astype(np.int64), self._place_counts(rows)

    def occurrences(self, wanted: Codes, shown: Mask) -> tuple[Rows, Rows, Rows]:
        """The positions of each word in the shown texts."""
        words, rows = self._find(wanted)
        seen = shown[self._slots[rows]]
        words, rows = words[seen], rows[seen]
        counts = self._place_counts(rows)
        slots = self._slots[rows].astype(np.int64)
        begins = self._place_begins[rows].astype(np.int64)
        places = self._places[_ranges(begins, counts)].astype(np.int64)
        return np.repeat(words, counts), np.repeat(slots, counts), places

    def merged(self, other: _Postings, kept: Mask) -> _Postings:
        """Both merged; of this one only the slots to keep."""
        if not len(self):
            return other
        codes, slots, places = self._unfolded()
        more_codes, more_slots, more_places = other._unfolded()
        mine = kept[slots]
        return _Postings(
            np.concatenate([codes[mine], more_codes]),
            np.concatenate([slots[mine], more_slots]),
            np.concatenate([places[mine], more_places]),
        )

    def _unfolded(self) -> tuple[Codes, Counts, Counts]:
        counts = np.diff(self._place_begins)
        codes = np.repeat(np.repeat(self._vocabulary, np.diff(self._begins)), counts)
        return codes, np.repeat(self._slots, counts), self._places

    def _place_counts(self, rows: Rows) -> Rows:
        return (self._place_begins[rows + 1] - self._place_begins[rows]).astype(np.int64)

    def _find(self, wanted: Codes) -> tuple[Rows, Rows]:
        """The postings of the wanted words, and the word each belongs to."""
        words, places = self._look_up(wanted)
        counts = (self._begins[places + 1] - self._begins[places]).astype(np.int64)
        return np.repeat(words, counts), _ranges(self._begins[places].astype(np.int64), counts)

    def _look_up(self, wanted: Codes) -> tuple[Rows, Rows]:
        """The wanted words that occur at all, and their positions in the vocabulary."""
        if not len(self):
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        places = np.minimum(np.searchsorted(self._vocabulary, wanted), len(self._vocabulary) - 1)
        known = np.flatnonzero(self._vocabulary[places] == wanted)
        return known, places[known]


def _gathered(texts: Mapping[int, _Text | None]) -> _Postings:
    """The postings of texts by slot."""
    held = [(slot, text) for slot, text in texts.items() if text is not None]
    slots = np.array([slot for slot, _ in held], np.int32)
    codes = np.concatenate([np.zeros(0, np.uint64), *(text.codes for _, text in held)])
    places = np.concatenate([np.zeros(0, np.int32), *(text.places for _, text in held)])
    return _Postings(codes, np.repeat(slots, [len(text.codes) for _, text in held]), places)


def _ranges(begins: Rows, counts: Rows) -> Rows:
    """The ranges [begin, begin + count), concatenated."""
    shifts = begins - (np.cumsum(counts) - counts)
    return np.repeat(shifts, counts) + np.arange(int(counts.sum()))


def _joined(old: tuple[Rows, Rows, Rows], new: tuple[Rows, Rows, Rows]) -> Iterable[Rows]:
    return (np.concatenate(pair) for pair in zip(old, new, strict=True)) if len(new[0]) else old
