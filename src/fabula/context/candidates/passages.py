"""The passages of earlier scenes that bear on a text, in the order in which they deserve room."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from fabula.assembly.cutting import ELLIPSIS
from fabula.assembly.prose import whole_sentences
from fabula.assembly.recollections import RecalledCandidate
from fabula.context.audience import ModelView
from fabula.context.quotations import Quotation, quoted, told_by
from fabula.context.told_passages import open_likeness, readable, told_passages
from fabula.index.arrays import Floats, Mask
from fabula.index.lexemes import Counts
from fabula.index.passages import PassageIndex, PassageOrder
from fabula.index.words import shared_words
from fabula.matching import fold
from fabula.model.audience import OpenText, Withheld
from fabula.model.moment import Moment, place_of
from fabula.projections.meaning import Meaning
from fabula.retrieval.ranking import rank

# The line: the share of the best score, and how far above the average passage, a passage has to be.
LEAST_OF_BEST = 0.2
STANDS_OUT = 1.2
# A text with a word that few of the passages have may bear on all of them; this share of the best is enough.
TELLING = 0.2
ENOUGH_OF_BEST = 0.6
# Without such a word, a few passages give no average to stand out from; they need this score.
FEW = 20
LEAST_AMONG_FEW = 0.2
# Each sentence is also asked by itself; this is what the best of these scores adds to that of the whole.
ONE_BY_ONE = 0.5
# A chapter is good, and heard before another is heard twice, if its best passage has this share of the best.
GOOD_CHAPTER = 0.37
# Below this share of the best score, the first passage of a chapter is cut to a few sentences.
SURE = 0.6
GLIMPSE = 300
# How many words are looked at for each token of the budget; a word is more than a token in any language.
WORDS_PER_TOKEN = 2
WORDS_OF_LABEL = 8
MOST_PASSAGES = 2_000
SHOWN_BELOW = 3


class _Bearing(NamedTuple):
    """The score of every passage, the line, and which passages may be quoted at all."""

    scores: Floats
    line: float
    rows: Sequence[int]
    leading: int


def passage_candidates(
    on: ModelView, questions: Sequence[str], now: int, meaning: Meaning, token_budget: int
) -> Iterator[RecalledCandidate]:
    """Yield what bears on a text from before an instant, and the best few of what does not.

    The best passage of each sentence comes first, beginning with the last sentence; then one of each good
    chapter; then the others.
    """
    passages = told_passages(on)
    order = passages.in_order()
    allowed = readable(passages, told_by(on, order, now - 1))
    if not questions or allowed is None or not allowed.any():
        return
    found = _bearing(on, passages, allowed, questions, meaning)
    words_before = np.cumsum(order.lengths[found.rows] + WORDS_OF_LABEL) - order.lengths[found.rows]
    count = int(np.searchsorted(words_before, WORDS_PER_TOKEN * token_budget))
    rows = found.rows[: min(count, MOST_PASSAGES)]
    told = quoted(on, questions[0], rows, found.scores)
    weak = [
        nth
        for nth, row in enumerate(rows[: found.leading])
        if found.scores[row] < SURE * found.scores.max() and _width(told[nth].told) > GLIMPSE
    ]
    cut = _glimpses([told[nth].told for nth in weak], questions[0])
    glimpses = dict(zip(weak, cut, strict=True))
    for nth, quotation in enumerate(told):
        yield _candidate(quotation, nth, found.line, glimpses.get(nth))
    yield from _below(order, found, allowed)


def _bearing(
    on: ModelView, passages: PassageIndex, allowed: Mask, questions: Sequence[str], meaning: Meaning
) -> _Bearing:
    order, rankings = passages.in_order(), []
    for question in questions:
        on.check_time()
        likeness = meaning.of_passages(on.reader, on.index, question)
        likeness = open_likeness(passages, likeness, allowed)
        rankings.append(rank(passages, question, allowed=allowed, likeness=likeness))
    whole, *parts = (_over_most(ranking.scores) for ranking in rankings)
    if parts:
        whole = _over_most(whole + ONE_BY_ONE * np.max(parts, axis=0))
    scores = float(rankings[0].scores.max()) * whole
    best = float(scores.max())
    usual = STANDS_OUT * float(scores[allowed].mean())
    if _is_telling(passages, order.slots[allowed], questions[0]):
        usual = min(usual, ENOUGH_OF_BEST * best)
    elif np.count_nonzero(allowed) < FEW:
        usual = max(usual, LEAST_AMONG_FEW)
    line = max(LEAST_OF_BEST * best, usual)
    ranked = np.argsort(-scores, kind="stable")
    ranked = ranked[scores[ranked] >= max(line, 1e-9)]
    heads = [int(part.argmax()) for part in reversed(parts)]
    above = {*ranked.tolist()}
    chapters = order.chapters[ranked].tolist()
    leading = dict.fromkeys(row for row in heads if row in above)
    heard = {int(order.chapters[row]) for row in leading}
    for row, chapter in zip(ranked.tolist(), chapters, strict=True):
        if scores[row] < GOOD_CHAPTER * best:
            break
        if chapter not in heard:
            heard.add(chapter)
            leading[row] = None
    rows = [*leading, *(row for row in ranked.tolist() if row not in leading)]
    return _Bearing(scores, line, rows, len(leading))


def _is_telling(passages: PassageIndex, slots: Counts, question: str) -> bool:
    """Whether a text has a word that is in some of these passages and in few of them."""
    mask = np.zeros(len(passages.words.lengths), np.bool_)
    mask[slots] = True
    spread = passages.words.document_frequencies(passages.words.query_terms(question).codes, mask)
    return bool(((spread > 0) & (spread <= TELLING * len(slots))).any())


def _candidate(quotation: Quotation, nth: int, line: float, glimpse: OpenText | None) -> RecalledCandidate:
    return RecalledCandidate(
        kind="passage",
        id=quotation.id,
        label=OpenText(f"{quotation.chapter}.{quotation.scene}"),
        text=quotation.told if glimpse is None else glimpse,
        at=Moment(chapter=quotation.chapter, scene=quotation.scene),
        withheld=Withheld.of(sentences=quotation.told != quotation.text),
        matches=quotation.words,
        score=quotation.score,
        threshold=line,
        rank=nth,
        cut=glimpse is not None,
    )


def _below(order: PassageOrder, found: _Bearing, allowed: Mask) -> Iterator[RecalledCandidate]:
    """Yield the best of what does not bear on the text, of which only the place and the score are shown."""
    rest = np.where(allowed & (found.scores < found.line), found.scores, 0.0)
    for row in np.argsort(-rest, kind="stable")[:SHOWN_BELOW].tolist():
        if rest[row] > 0:
            chapter, scene = place_of(int(order.instants[row]))
            yield RecalledCandidate(
                kind="passage",
                id=f"{chapter}.{scene}:{order.starts[row]}",
                label=OpenText(f"{chapter}.{scene}"),
                text=OpenText(""),
                at=Moment(chapter=chapter, scene=scene),
                score=float(found.scores[row]),
                threshold=found.line,
            )


def _glimpses(texts: Sequence[OpenText], question: str) -> Iterator[OpenText]:
    """Yield of each text the run of sentences that shares the most words with the query."""
    folded = fold(question).text
    spans = [list(whole_sentences(text)) for text in texts]
    said = [text[start:end] for text, own in zip(texts, spans, strict=True) for start, end in own]
    words = iter(shared_words(said, folded))
    for text, own in zip(texts, spans, strict=True):
        widths = [_width(text[start:end]) for start, end in own]
        first, last = _densest(widths, [{*next(words)} for _ in own])
        start, end = own[first][0], own[last][1]
        before, after = ELLIPSIS if start else "", ELLIPSIS if end < len(text) else ""
        yield OpenText(f"{before}{text[start:end].strip()}{after}")


def _densest(widths: Sequence[int], words: Sequence[set[str]]) -> tuple[int, int]:
    """Return the ends of the run of sentences that has the most words, as long as it may be."""
    best = (-1, 0, 0, 0)
    for first in range(len(widths)):
        seen: set[str] = set()
        for last in range(first, len(widths)):
            length = sum(widths[first : last + 1])
            if last > first and length > GLIMPSE:
                break
            seen |= words[last]
            best = max(best, (len(seen), length, -first, last))
    return -best[2], best[3]


def _width(text: str) -> int:
    """Return the length in letters; a Chinese character counts as three."""
    return len(text) + 2 * sum("\u2e80" <= character <= "\uffdc" for character in text)


def _over_most(scores: Floats) -> Floats:
    most = float(scores.max(initial=0.0))
    return scores / most if most > 0 else scores
