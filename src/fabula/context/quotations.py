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
    index, reader = view.index, view.reader
    passages = index.passages(reader)
    order = passages.in_order()
    allowed = None if until is None else order.up_to(until)
    if not limit or not len(order.slots) or not question.strip():
        return []
    likeness = meaning.of_passages(reader, index, question)
    ranking = rank(passages, question, allowed=allowed, likeness=likeness)
    rows = _outstanding(ranking, limit) if only_outstanding else varied(ranking, order, limit).tolist()
    places = [place_in_telling(instant) for instant in order.instants[rows].tolist()]
    scenes = reader.manuscript.texts(index.project_id, {*places})
    spans = [(int(order.starts[row]), int(order.ends[row])) for row in rows]
    texts = [scenes[place][slice(*span)] for place, span in zip(places, spans, strict=True)]
    told = [view.redaction.passage(scenes[place], *span) for place, span in zip(places, spans, strict=True)]
    words = _shared(question, told)
    scores = ranking.scores[rows].tolist()
    return [
        Quotation(*place, *span, *said, score, shared)
        for place, span, said, score, shared in zip(
            places, spans, zip(texts, told, strict=True), scores, words, strict=True
        )
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
