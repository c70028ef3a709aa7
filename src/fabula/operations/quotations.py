"""The story's own words: passages of its scenes that bear on a question."""

from __future__ import annotations

from statistics import fmean
from typing import NamedTuple

from fabula.index.words import place_of, shared_words
from fabula.matching import fold
from fabula.model.context import MatchPlace
from fabula.model.moment import place_of as place_in_telling
from fabula.operations.ear import Ear
from fabula.operations.meaning import Meaning
from fabula.operations.remembered import recalled
from fabula.retrieval.ranking import Ranking, rank, varied

SHOWN_WORDS = 8
COMPARED = 12
STANDS_OUT = 1.5


class Quotation(NamedTuple):
    """A passage: where it stands, its words, how much it has to do with the question, and which words say so.

    `score` is from 0 to 1: the share of the question's words that the passage has, each weighed by how rare
    it is. Passages are ranked by more than that: by words in its neighbourhood, by its chapter, by meaning.
    """

    chapter: int
    scene: int
    start: int
    end: int
    text: str
    score: float
    words: tuple[MatchPlace, ...]

    @property
    def id(self) -> str:
        """What tells it from other passages."""
        return f"{self.chapter}.{self.scene}:{self.start}"


def quotations(
    on: Ear, question: str, meaning: Meaning, *, until: int | None, limit: int, only_outstanding: bool = False
) -> list[Quotation]:
    """The passages that bear most on a question, best first, of scenes up to an instant.

    Some passage is always the nearest to a text. With `only_outstanding`, those are given that are clearly
    nearer than the ones after them.
    """
    index, reader = on.index, on.reader
    passages = index.passages(reader)
    reading = passages.reading()
    allowed = None if until is None else reading.up_to(until)
    if not len(reading.slots) or not question.strip():
        return []
    likeness = meaning.of_passages(reader, index, question)
    ranking = rank(passages, question, allowed=allowed, likeness=likeness)
    rows = _outstanding(ranking, limit) if only_outstanding else varied(ranking, reading, limit).tolist()
    found = []
    for row in rows:
        score = float(ranking.scores[row])
        chapter, scene = place_in_telling(int(reading.instants[row]))
        start, end = int(reading.starts[row]), int(reading.ends[row])
        text = _scene_text(on, chapter, scene)[start:end]
        shared = _shared(question, on.open_part(text))
        found.append(Quotation(chapter, scene, start, end, text, score, shared))
    return found


def _outstanding(ranking: Ranking, limit: int) -> list[int]:
    rows = ranking.best(max(limit, COMPARED)).tolist()
    scores = ranking.scores[rows].tolist()
    least = STANDS_OUT * fmean(scores[limit:] or [1.0])
    return [row for row, score in zip(rows[:limit], scores, strict=False) if score >= least]


def _scene_text(on: Ear, chapter: int, scene: int) -> str:
    def read() -> str:
        kept = on.reader.manuscript.scene(on.index.project_id, chapter, scene)
        return "" if kept is None else kept.text

    return recalled(on.index, ("scene", chapter, scene), read)


def _shared(question: str, text: str) -> tuple[MatchPlace, ...]:
    """Words that the question and a passage have in common, and where they stand in the question."""
    folded = fold(question)
    places = []
    for word in shared_words([text], folded.text)[0]:
        place = place_of(word, folded.text)
        if place is not None:
            start, end = folded.span(place, place + len(word))
            places.append(MatchPlace.trusted(term=question[start:end], kind="word", start=start, end=end))
    return tuple(places[:SHOWN_WORDS])
