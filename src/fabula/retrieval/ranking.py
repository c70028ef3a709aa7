"""Ranks passages and chapters for a query: BM25 at three ranges.

A passage is scored by its own words, by words of its neighbours, and by its chapter. All statistics are
counted over the visible passages only, so that what comes later in the story changes no score.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from fabula.index.arrays import Floats, Mask
from fabula.index.bm25 import QueryTerms, Rows
from fabula.index.passages import PassageIndex, PassageOrder

MAX_WORDS = 48
# For a long query, the rarest words are enough for the words of neighbours.
MAX_LENDING = 24
REACH = 3
LEAST_LENT = 0.05
MOST_ADDED = 32
# The best passage of a chapter gains up to this share of the best score, less if the chapter scores lower.
LEAD = 0.65
STEEPNESS = 4
# For a context, which has room for many passages, chapters that score lower are worth more.
FOR_A_CONTEXT = 2


@dataclass(frozen=True, slots=True)
class Scoring:
    """The weights of the scoring.

    `saturation` and `length` are BM25's k1 and b for passages, `chapter_saturation` and `chapter_length`
    those for chapters, where a recurring word is what the chapter is about. Two adjacent words of the query
    that occur within `near` words in a passage count as one more word with the weight `pair`. A neighbouring
    passage lends the weight of its words, halved for every `lending` words between the two centres; the
    next passage lends `from_next` of that, and words that more than `common` of the passages have are not
    lent. The scores of a chapter's passages add up, each counting `fading` times as much as the better one
    before it, and the chapter as one text counts `whole` times besides them. A passage gets `chapter` of the
    score of its chapter, and `likeness` of its similarity to the query, if given.
    """

    saturation: float = 0.9
    length: float = 0.4
    chapter_saturation: float = 5.0
    chapter_length: float = 0.75
    near: int = 15
    pair: float = 0.5
    lending: float = 35.0
    from_next: float = 0.5
    common: float = 0.2
    fading: float = 0.5
    whole: float = 1.0
    chapter: float = 0.35
    likeness: float = 0.3


USUAL = Scoring()


class Ranking(NamedTuple):
    """The scores of all passages in manuscript order, the visible chapters, and their scores.

    `shares` is the share of the query's words that a passage has itself, weighted by rarity, from 0 to 1.
    Scores, which decide the ranking, are scaled so that the best passage has the largest share.
    """

    scores: Floats
    shares: Floats
    chapters: Rows
    chapter_scores: Floats

    def best(self, limit: int) -> Rows:
        """The rows of the best passages, best first, ties in manuscript order."""
        return _best(self.scores, limit)

    def best_chapters(self, limit: int) -> Rows:
        """The best chapters, best first, ties in manuscript order."""
        return self.chapters[_best(self.chapter_scores, limit)]


def varied(ranking: Ranking, order: PassageOrder, limit: int, steepness: float = STEEPNESS) -> Rows:
    """The best passages, those that lead a chapter which bears on the query raised above the others.

    This is the order in which passages are shown, whatever their number: they should not come from one part
    of the story only. The lower the steepness, the more chapters come before the second passage of any.
    """
    return _best(ranking.scores + _leads(ranking, order, steepness), limit)


def _leads(ranking: Ranking, order: PassageOrder, steepness: float) -> Floats:
    """What is added to the score of the best passage of each chapter."""
    scores, added = ranking.scores, np.zeros(len(ranking.scores))
    some = np.flatnonzero(scores)
    if not len(some):
        return added
    chapters = order.chapters[some]
    begins = np.flatnonzero(np.concatenate([[True], chapters[1:] != chapters[:-1]]))
    most = np.maximum.reduceat(scores[some], begins)
    leading = some[scores[some] == np.repeat(most, np.diff(begins, append=len(some)))]
    # Of equally good passages of a chapter the first one leads.
    leading = leading[np.unique(order.chapters[leading], return_index=True)[1]]
    bearing = ranking.chapter_scores[np.searchsorted(ranking.chapters, order.chapters[leading])]
    added[leading] = LEAD * scores.max() * _over_most(bearing) ** steepness
    return added


def rank(
    index: PassageIndex,
    question: str,
    *,
    allowed: Mask | None = None,
    likeness: Floats | None = None,
    scoring: Scoring = USUAL,
) -> Ranking:
    """Score the allowed passages, by default all.

    The mask and `likeness` (cosine similarities from -1 to 1) follow the rows of the passage order.
    """
    order = index.in_order()
    seen = _seen(index, order, allowed, scoring)
    rows = seen.rows
    asked = index.words.query_terms(question)
    words = _words(index, asked, seen)
    weights = _weights(words, seen, scoring)
    own = _sums(words.rows, weights, len(rows)) + _paired(index, asked, words, seen, scoring)
    passages = _over_most(own + _lent(words, weights, seen, scoring))
    added = _over_most(_added_up(own, seen, scoring))
    chapters = added + scoring.whole * _over_most(_as_one_text(words, seen, scoring))
    shares = np.zeros(len(order.slots))
    shares[rows] = _shares(words, len(rows))
    sure = float(shares.max(initial=0.0))
    if likeness is not None and len(rows):
        alike = scoring.likeness * _over_most(_standing_out(likeness[rows]))
        passages = passages + alike
        chapters = chapters + _most_by_chapter(alike, seen)
        sure = max(sure, scoring.likeness * float(likeness[rows].max()))
    chapters = _over_most(chapters)
    scores = np.zeros(len(order.slots))
    # A passage without any match of its own gets nothing from its chapter.
    with_chapter = np.where(passages > 0, passages + scoring.chapter * chapters[seen.chapters], 0.0)
    scores[rows] = sure * _over_most(with_chapter)
    return Ranking(scores, shares, seen.numbers, sure * chapters)


class _Seen(NamedTuple):
    """The visible passages, in manuscript order.

    `rows` are their rows among all passages, `mask` is by slot, and `row_of` maps a slot to the row here.
    Chapters are numbered from 0 without gaps; `numbers` has their numbers in the story. `average` is the
    average length, and `lenders` says what each passage lends at each distance.
    """

    rows: Rows
    mask: Mask
    row_of: Rows
    lengths: Floats
    chapters: Rows
    numbers: Rows
    average: float
    lenders: list[tuple[int, Floats]]


class _Words(NamedTuple):
    """The words considered: their numbers in the query, their rarity, and their counts by row.

    `asked_rarity` is the total rarity of these and of the words that occur nowhere.
    """

    chosen: Rows
    rarity: Floats
    asked_rarity: float
    words: Rows
    rows: Rows
    counts: Floats


def _seen(index: PassageIndex, order: PassageOrder, allowed: Mask | None, scoring: Scoring) -> _Seen:
    if allowed is not None:
        return _all_of(index, order, np.flatnonzero(allowed), scoring)
    known: _Seen | None = index.worked_out.get(scoring)
    if known is None:
        known = index.worked_out[scoring] = _all_of(index, order, np.arange(len(order.slots)), scoring)
    return known


def _all_of(index: PassageIndex, order: PassageOrder, rows: Rows, scoring: Scoring) -> _Seen:
    slots = order.slots[rows]
    mask = np.zeros(len(index.words.lengths), np.bool_)
    mask[slots] = True
    row_of = np.zeros(len(mask), np.int64)
    row_of[slots] = np.arange(len(rows))
    chapters = order.chapters[rows]
    first = np.ones(len(rows), np.bool_)
    first[1:] = chapters[1:] != chapters[:-1]
    lengths = order.lengths[rows].astype(np.float64)
    average = max(1.0, float(lengths.mean())) if len(lengths) else 1.0
    numbered = np.cumsum(first) - 1
    lenders = list(_lenders(lengths, numbered, scoring))
    return _Seen(rows, mask, row_of, lengths, numbered, chapters[first], average, lenders)


def _words(index: PassageIndex, asked: QueryTerms, seen: _Seen) -> _Words:
    """The words of the query, or the most significant ones of a very long query."""
    spread = index.words.document_frequencies(asked.codes, seen.mask)
    rarity = _rarity(spread, len(seen.lengths))
    chosen = np.sort(_best(np.where(spread > 0, rarity * asked.said, 0.0), MAX_WORDS))
    tally = index.words.term_counts(asked.codes[chosen], seen.mask)
    rows, counts = seen.row_of[tally.slots], tally.counts.astype(np.float64)
    asked_rarity = float(rarity[chosen].sum() + rarity[spread == 0].sum())
    return _Words(chosen, rarity[chosen], asked_rarity, tally.words, rows, counts)


def _shares(words: _Words, size: int) -> Floats:
    """The share of the query's words that each passage has, weighted by rarity."""
    shared = _sums(words.rows, words.rarity[words.words], size)
    return np.minimum(shared / max(words.asked_rarity, 1e-9), 1.0)


def _rarity(spread: Rows, size: int) -> Floats:
    return np.log1p((size - spread + 0.5) / (spread + 0.5))


def _weights(words: _Words, seen: _Seen, scoring: Scoring) -> Floats:
    return words.rarity[words.words] * _saturated(words.counts, seen, words.rows, scoring)


def _saturated(counts: Floats, seen: _Seen, rows: Rows, scoring: Scoring) -> Floats:
    return _bm25(counts, seen.lengths[rows] / seen.average, scoring.saturation, scoring.length)


def _bm25(counts: Floats, lengths: Floats, k1: float, b: float) -> Floats:
    """The weight of each count in a text of a length relative to the average."""
    return counts * (k1 + 1) / (counts + k1 * (1 - b + b * lengths))


def _paired(index: PassageIndex, asked: QueryTerms, words: _Words, seen: _Seen, scoring: Scoring) -> Floats:
    """The bonus of passages in which adjacent words of the query occur close together."""
    total = np.zeros(len(seen.lengths))
    number = {asked_as: word for word, asked_as in enumerate(words.chosen.tolist())}
    pairs = [(number[a], number[b]) for a, b in asked.neighbours if a in number and b in number]
    if not pairs or not scoring.pair:
        return total
    used = np.unique(pairs)
    found = index.words.occurrences(asked.codes[words.chosen[used]], seen.mask)
    # Rows are offset so far that no word in one is near a word in another.
    sizes = seen.lengths.astype(np.int64) + scoring.near + 1
    starts = np.cumsum(sizes) - sizes
    rows = seen.row_of[found.slots]
    at = starts[rows] + found.places
    order = np.argsort(found.words * int(sizes.sum()) + at, kind="stable")
    at, rows = at[order], rows[order]
    bounds = np.searchsorted(found.words[order], np.arange(len(used) + 1))
    span = {word: slice(*bounds[nth : nth + 2]) for nth, word in enumerate(used.tolist())}
    for one, other in pairs:
        here, there = at[span[one]], at[span[other]]
        nearest = there[np.minimum(np.searchsorted(there, here - scoring.near), len(there) - 1)]
        met = rows[span[one]][np.abs(nearest - here) <= scoring.near]
        texts, counts = np.unique(met, return_counts=True)
        saturated = _saturated(counts.astype(np.float64), seen, texts, scoring)
        total[texts] += scoring.pair * min(words.rarity[one], words.rarity[other]) * saturated
    return total


def _lent(words: _Words, weights: Floats, seen: _Seen, scoring: Scoring) -> Floats:
    """What each passage gains from the words of its neighbours beyond its own."""
    size, count = len(seen.lengths), len(words.chosen)
    spread = np.bincount(words.words, minlength=count)
    lending = _best(np.where(spread <= scoring.common * size, words.rarity, 0.0), MAX_LENDING)
    line = np.full(count, -1)
    line[lending] = np.arange(len(lending))
    lends = line[words.words] >= 0
    rows, worth = words.rows[lends], weights[lends]
    places = line[words.words[lends]] * size + rows
    lent = np.zeros(len(lending) * size)
    for step, shares in seen.lenders:
        share = shares[rows]
        some = share > 0
        # A passage has each word once, so no index repeats within a step.
        there = places[some] + step
        lent[there] = np.maximum(lent[there], (share * worth)[some])
    lent[places] = np.maximum(lent[places] - worth, 0.0)
    gained: Floats = lent.reshape(len(lending), size).sum(axis=0)
    return gained


def _lenders(lengths: Floats, chapters: Rows, scoring: Scoring) -> Iterator[tuple[int, Floats]]:
    """For each distance within a chapter, the share of a word's weight that each passage lends."""
    if not scoring.lending:
        return
    middles = np.cumsum(lengths) - lengths / 2
    for step in range(1, min(REACH, len(middles) - 1) + 1):
        together = chapters[step:] == chapters[:-step]
        share = np.where(together, np.exp2((middles[:-step] - middles[step:]) / scoring.lending), 0.0)
        share[share < LEAST_LENT] = 0.0
        if share.any():
            nobody = np.zeros(step)
            yield step, np.concatenate([share, nobody])
            yield -step, np.concatenate([nobody, scoring.from_next * share])


def _as_one_text(words: _Words, seen: _Seen, scoring: Scoring) -> Floats:
    """The score of each chapter as one long text."""
    size = len(seen.numbers)
    keys = words.words * size + seen.chapters[words.rows]
    counts = _sums(keys, words.counts, len(words.chosen) * size).reshape(len(words.chosen), size)
    word, chapter = np.nonzero(counts)
    lengths = _sums(seen.chapters, seen.lengths, size)
    k1, b = scoring.chapter_saturation, scoring.chapter_length
    average = max(1.0, float(lengths.mean())) if len(lengths) else 1.0
    saturated = _bm25(counts[word, chapter], lengths[chapter] / average, k1, b)
    rarity = _rarity(np.count_nonzero(counts, axis=1), size)
    return _sums(chapter, rarity[word] * saturated, size)


def _added_up(own: Floats, seen: _Seen, scoring: Scoring) -> Floats:
    """The sum of the passage scores of each chapter, each discounted more than the better ones."""
    # Ordered by chapter, and by score within each.
    some = np.flatnonzero(own)
    order = some[np.argsort((seen.chapters - 0.5 * _over_most(own))[some])]
    chapters = seen.chapters[order]
    first = np.searchsorted(chapters, np.arange(len(seen.numbers)))
    nth = np.minimum(np.arange(len(order)) - first[chapters], MOST_ADDED)
    return _sums(chapters, own[order] * scoring.fading**nth, len(seen.numbers))


def _most_by_chapter(scores: Floats, seen: _Seen) -> Floats:
    most = np.zeros(len(seen.numbers))
    np.maximum.at(most, seen.chapters, scores)
    return most


def _standing_out(likeness: Floats) -> Floats:
    """How far the similarity of each passage exceeds the average."""
    return np.maximum(likeness - likeness.mean(), 0.0) if len(likeness) else likeness


def _sums(places: Rows, weights: Floats, size: int) -> Floats:
    """The weights summed up by index."""
    return np.bincount(places, weights, size).astype(np.float64, copy=False)


def _over_most(scores: Floats) -> Floats:
    most = float(scores.max()) if len(scores) else 0.0
    return scores / most if most > 0 else scores


def _best(scores: Floats, limit: int) -> Rows:
    rows = np.flatnonzero(scores > 0)
    if 0 < limit < len(rows):
        rows = rows[scores[rows] >= np.partition(scores[rows], -limit)[-limit]]
    return rows[np.argsort(-scores[rows], kind="stable")][:limit]
