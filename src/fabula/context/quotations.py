"""Passages of the story's scenes that are relevant to a query."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from fabula.context.audience import ModelView
from fabula.context.told_passages import open_likeness, readable, told_passages
from fabula.index.arrays import Floats, Mask
from fabula.index.passages import PassageOrder
from fabula.index.words import place_of, shared_words
from fabula.matching import fold
from fabula.model.audience import OpenText
from fabula.model.context import MatchPlace
from fabula.model.moment import place_of as place_in_telling
from fabula.projections.meaning import Meaning
from fabula.retrieval.ranking import Ranking, rank, varied

SHOWN_WORDS = 8

_Span = tuple[int, int]


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
    view: ModelView, question: str, meaning: Meaning, *, until: int | None, limit: int
) -> list[Quotation]:
    """Return the passages most relevant to a query, best first, from scenes up to an instant."""
    ranking = ranked_passages(view, question, meaning, until=until) if limit else None
    if ranking is None:
        return []
    order = told_passages(view).in_order()
    return quoted(view, question, varied(ranking, order, limit).tolist(), ranking.scores)


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
    """Rank the passages of scenes up to an instant by what may be read; None without any or a question."""
    passages = told_passages(view)
    order = passages.in_order()
    if not len(order.slots) or not question.strip():
        return None
    allowed = readable(passages, None if until is None else told_by(view, order, until))
    likeness = meaning.of_passages(view.reader, view.index, question)
    return rank(passages, question, allowed=allowed, likeness=open_likeness(passages, likeness, allowed))


def told_by(view: ModelView, order: PassageOrder, instant: int) -> Mask:
    """Return which passages are told by an instant, and play by the time of the view."""
    told = order.up_to(instant)
    now = instant if view.instant is None else view.instant
    happened = view.index.clock.happened(order.instants, now)
    return told if happened is None else told & happened


def quoted(view: ModelView, question: str, rows: Sequence[int], scores: Floats) -> list[Quotation]:
    """Return some passages with their scores and the words they share with a query."""
    read = read_passages(view, rows)
    words = _shared(question, [one.told for one in read])
    return [
        Quotation(*one, float(scores[row]), shared)
        for one, row, shared in zip(read, rows, words, strict=True)
    ]


def read_passages(view: ModelView, rows: Sequence[int]) -> list[ReadPassage]:
    """Read the passages in these rows of the manuscript order."""
    order = view.index.passages(view.reader).in_order()
    places = [place_in_telling(instant) for instant in order.instants[rows].tolist()]
    scenes = view.reader.manuscript.texts(view.index.project_id, {*places})
    spans = [(int(order.starts[row]), int(order.ends[row])) for row in rows]
    told = _redacted(view, scenes, list(zip(places, spans, strict=True)))
    return [
        ReadPassage(*place, *span, scenes[place][slice(*span)], open_text)
        for place, span, open_text in zip(places, spans, told, strict=True)
    ]


def _redacted(
    view: ModelView, scenes: Mapping[_Span, str], passages: Sequence[tuple[_Span, _Span]]
) -> list[OpenText]:
    """Return the text of each passage, given by place and span, as the audience may see it."""
    spans: dict[_Span, list[_Span]] = {}
    for place, span in passages:
        spans.setdefault(place, []).append(span)
    told = {place: iter(view.redaction.passages(scenes[place], own)) for place, own in spans.items()}
    return [next(told[place]) for place, _ in passages]


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
