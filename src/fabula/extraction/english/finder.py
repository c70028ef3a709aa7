"""Finds names in an English text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from math import exp, log1p
from typing import NamedTuple

from fabula.extraction.english.runs import WordToken, runs_of, tokens_of
from fabula.extraction.english.tables import GIVEN_NAMES, NEVER, TITLES
from fabula.extraction.english.types import type_of, votes_of_place, votes_of_words
from fabula.extraction.english.words import ranks

# Weights of evidence, in nats. They were set by hand; `bench.eval extraction` measures their effect.
_BASE = -1.2
_MID_SENTENCE, _MORE_MID_SENTENCE = 1.4, 0.9
_AT_BEGINNING = 0.4
_IN_LOWER_CASE = 1.0
_LEANING = 1.0
_MORE_WORDS, _TITLE, _GIVEN_NAME = 1.0, 2.0, 1.0
_PART_OF_ANOTHER = 1.5
_SURE, _LEAST = 0.6, 0.3
_FREQUENT = 20_000


Words = tuple[str, ...]


class EnglishName(NamedTuple):
    """A name with its statistics over the whole text."""

    text: str
    type: str
    times: int
    confidence: float


class NamePlace(NamedTuple):
    """A name at a span of the text."""

    start: int
    end: int
    name: str


class EnglishFindings(NamedTuple):
    """The spans of all names, and the names of the whole text."""

    places: list[NamePlace]
    names: dict[str, EnglishName]


class _Met:
    """The statistics of one sequence of capitalised words."""

    def __init__(self, words: Words) -> None:
        self.middle = 0
        self.beginning = 0
        self.votes = votes_of_words(words)
        self.written: Counter[str] = Counter()


def find(text: str) -> EnglishFindings:
    """Find the names of a text, by capitals where no word needs one and by their surroundings."""
    return _Text(text).findings()


class _Text:
    """One text while names are searched."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = tokens_of(text)
        self._index = {token.start: index for index, token in enumerate(self._tokens)}
        self._lower = Counter(token.text for token in self._tokens if token.text.islower())
        runs = list(runs_of(text, self._tokens))
        quiet = [run for run in runs if not run[0].is_loud]
        self._headings = [run for run in runs if run[0].is_loud]
        self._certain = {_words(run) for run in quiet if not run[0].begins}
        self._runs = [kept for run in quiet if (kept := self._without_beginning(run))]

    def findings(self) -> EnglishFindings:
        """The names and their spans."""
        met: dict[Words, _Met] = {}
        for run in self._runs:
            words = _words(run)
            if words not in met:
                met[words] = _Met(words)
            self._note(met[words], run)
        parts = {
            word
            for words, how in met.items()
            if len(words) > 1 and type_of(how.votes) == "character" and self._confidence(words, how) >= _SURE
            for word in words
        }
        names: dict[Words, EnglishName] = {}
        for words, how in met.items():
            confidence = self._confidence(words, how, parts)
            if confidence >= _LEAST:
                written = how.written.most_common(1)[0][0]
                names[words] = EnglishName(
                    written, type_of(how.votes), how.middle + how.beginning, confidence
                )
        places = [
            NamePlace(run[0].start, run[-1].end, names[_words(run)].text)
            for run in self._runs
            if _words(run) in names
        ]
        places.extend(self._in_headings(names))
        return EnglishFindings(sorted(places), {name.text: name for name in names.values()})

    def _without_beginning(self, run: list[WordToken]) -> list[WordToken]:
        """The run without a first word that is capitalised only because it begins a sentence."""
        first = run[0]
        if not first.begins or len(run) == 1 or first.text in TITLES or first.text in GIVEN_NAMES:
            return run
        if _words(run) in self._certain:
            return run
        common = (
            ranks().leaning(first.text) < 0 and ranks().is_common(first.text) and not _is_like_a_name(first)
        )
        if common or self._lower[first.text.lower()] or _words(run[1:]) in self._certain:
            return run[1:]
        return run

    def _note(self, met: _Met, run: list[WordToken]) -> None:
        if run[0].begins:
            met.beginning += 1
        else:
            met.middle += 1
        start, end = run[0].start, run[-1].end
        met.written[" ".join(self._text[start:end].split())] += 1
        first, last = self._index[start], self._index[run[-1].start]
        met.votes.update(votes_of_place(self._neighbour(first, -1), run, self._neighbour(last, 1)))

    def _neighbour(self, index: int, step: int) -> WordToken | None:
        """The adjacent word; None if there is punctuation between them."""
        if not 0 <= index + step < len(self._tokens):
            return None
        left, right = sorted((self._tokens[index], self._tokens[index + step]))
        between = self._text[left.end : right.start]
        # A quotation ends before the verb that says who spoke: "Go," said Tom.
        return self._tokens[index + step] if not between.strip(" \n'’s") else None

    def _confidence(self, words: Words, met: _Met, parts: Collection[str] = ()) -> float:
        if len(words) == 1 and (words[0] in NEVER or words[0] in TITLES or len(words[0]) == 1):
            return 0.0
        odds = _BASE + _AT_BEGINNING * log1p(met.beginning) + _MORE_WORDS * min(2, len(words) - 1)
        if met.middle:
            odds += _MID_SENTENCE + _MORE_MID_SENTENCE * log1p(met.middle - 1)
        if len(words) == 1:
            lower = self._lower[words[0].lower()]
            odds += _LEANING * ranks().leaning(words[0]) - _IN_LOWER_CASE * log1p(lower)
        if words[0] in TITLES and len(words) > 1:
            odds += _TITLE
        if any(word in GIVEN_NAMES for word in words):
            odds += _GIVEN_NAME
        if len(words) == 1 and words[0] in parts:
            odds += _PART_OF_ANOTHER
        return 1 / (1 + exp(-odds))

    def _in_headings(self, names: dict[Words, EnglishName]) -> Iterator[NamePlace]:
        """Names in all capitals, as in headings, if they also occur in running text."""
        known = {tuple(word.upper() for word in words): name for words, name in names.items()}
        for run in self._headings:
            name = known.get(tuple(token.text.upper() for token in run))
            if name is not None:
                yield NamePlace(run[0].start, run[-1].end, name.text)


def _is_like_a_name(word: WordToken) -> bool:
    """Whether a word ends as many given names and few English words do, and is no frequent one: Sela."""
    return word.text.endswith("a") and ranks().lower.get(word.text.lower(), 0) > _FREQUENT


def _words(run: Sequence[WordToken]) -> Words:
    return tuple(token.text for token in run)
