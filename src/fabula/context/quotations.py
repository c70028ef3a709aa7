"""Passages of the story's scenes that are relevant to a query."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from statistics import fmean
from typing import NamedTuple

from fabula.context.audience import ModelView
from fabula.index.words import place_of, shared_words
from fabula.matching import fold
from fabula.model.audience import OpenText
from fabula.model.context import MatchPlace
from fabula.model.moment import place_of as place_in_telling
from fabula.projections.meaning import Meaning
from fabula.retrieval.ranking import Ranking, rank, varied

SHOWN_WORDS = 8
COMPARED = 20
STANDS_OUT = 1.2
LEAST_AMONG_FEW = 0.2


class Quotation(NamedTuple):
    """A passage with its position, its relevance to the query, and the words they share.

    `told` is the text as redacted for the audience. `score` is from 0 to 1: the share of the query's
    words that the passage contains, weighted by rarity. The ranking also considers neighbouring words,
    the chapter and the embedding.
    """

    chapter: int
    scene: int
    start: int
    end: int
    text: str
    told: OpenText
    score: float
    words: tuple[MatchPlace, ...]

    @property
    def id(self) -> str:
        """An id that distinguishes it from other passages."""
        return f"{self.chapter}.{self.scene}:{self.start}"


def quotations(
    view: ModelView,
    question: str,
    meaning: Meaning,
    *,
    until: int | None,
    limit: int,
    only_outstanding: bool = False,
) -> list[Quotation]:
    """Return the passages most relevant to a query, best first, from scenes up to an instant.

    Some passage is always the nearest; with `only_outstanding`, only those clearly nearer than the rest
    are returned.
    """
    ranking = ranked_passages(view, question, meaning, until=until) if limit else None
    if ranking is None:
        return []
    order = view.index.passages(view.reader).in_order()
    rows = _outstanding(ranking, limit) if only_outstanding else varied(ranking, order, limit).tolist()
    read = read_passages(view, rows)
    words = _shared(question, [one.told for one in read])
    scores = ranking.scores[rows].tolist()
    return [Quotation(*one, score, shared) for one, score, shared in zip(read, scores, words, strict=True)]


class ReadPassage(NamedTuple):
    """A passage with its position, as it is written and as the audience may read it."""

    chapter: int
    scene: int
    start: int
    end: int
    text: str
    told: OpenText

    @property
    def id(self) -> str:
        """An id that distinguishes it from other passages."""
        return f"{self.chapter}.{self.scene}:{self.start}"


def ranked_passages(view: ModelView, question: str, meaning: Meaning, *, until: int | None) -> Ranking | None:
    """Rank the passages of scenes up to an instant; None if there are none or nothing is asked."""
    index, reader = view.index, view.reader
    passages = index.passages(reader)
    order = passages.in_order()
    if not len(order.slots) or not question.strip():
        return None
    allowed = None if until is None else order.up_to(until)
    likeness = meaning.of_passages(reader, index, question)
    return rank(passages, question, allowed=allowed, likeness=likeness)


def read_passages(view: ModelView, rows: Sequence[int]) -> list[ReadPassage]:
    """Read the passages in these rows of the manuscript order."""
    index, reader = view.index, view.reader
    order = index.passages(reader).in_order()
    places = [place_in_telling(instant) for instant in order.instants[rows].tolist()]
    scenes = reader.manuscript.texts(index.project_id, {*places})
    spans = [(int(order.starts[row]), int(order.ends[row])) for row in rows]
    return [
        ReadPassage(
            *place,
            *span,
            scenes[place][slice(*span)],
            view.redaction.passage(scenes[place], *span),
        )
        for place, span in zip(places, spans, strict=True)
    ]


def _outstanding(ranking: Ranking, limit: int) -> list[int]:
    rows = ranking.best(max(limit, COMPARED)).tolist()
    scores = ranking.scores[rows].tolist()
    least = STANDS_OUT * fmean(scores[limit:] or [1.0])
    if len(rows) < COMPARED:
        # Too few passages give no usual score to stand out from.
        least = max(least, LEAST_AMONG_FEW)
    return [row for row, score in zip(rows[:limit], scores, strict=False) if score >= least]


def _shared(question: str, texts: Sequence[str]) -> Iterator[tuple[MatchPlace, ...]]:
    """Yield the words that the query and each passage share, with their spans in the query."""
    folded = fold(question)
    for words in shared_words(texts, folded.text):
        places = ((word, place_of(word, folded.text)) for word in words)
        spans = (folded.span(place, place + len(word)) for word, place in places if place is not None)
        yield tuple(
            MatchPlace.trusted(term=question[start:end], kind="word", start=start, end=end)
            for start, end in islice(spans, SHOWN_WORDS)
        )
