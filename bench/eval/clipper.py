"""Claims about novels: are the chapters found that they come from, and do the passages fit a context?

R@k is the share of a claim's source chapters among the first k, hit@1 the share of claims whose first chapter
is one of them, all@5 of those with all of them in five. Most claims have two sources, so that R@1 cannot be
more than about 52. Of contexts, *sources* is the share that have a passage of every source chapter,
*events* the share of the events in the claims' outlines whose passage they have, that is, the one of that
chapter which is nearest to the event by plain BM25, and *all ev.* the share that have all of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bench.eval.plain_bm25 import PlainBm25, words_of
from bench.eval.table import Row
from bench.eval.variants import Variant
from fabula.index.passages import PassageIndex
from fabula.retrieval.ranking import FOR_A_CONTEXT, Scoring, rank, varied
from fabula.tokens import counter

BUDGETS = (1000, 2000, 4000)
SHORT_PASSAGE = 140
VOCABULARY = "o200k_base"
CHAPTER_FIGURES = ("R@1", "R@2", "R@3", "R@5", "hit@1", "all@5")

_CHAPTER = re.compile(r"# Chapter (\d+)")
_EVENT = re.compile(r"(\d+)\.\s+(.+)")


class Claim(NamedTuple):
    """What is claimed, the numbers of the chapters it comes from, and the events of the outline behind it."""

    text: str
    sources: frozenset[int]
    events: tuple[tuple[int, str], ...]


@dataclass
class Book:
    """A novel by chapters, with its claims, compiled by one variant."""

    name: str
    chapters: list[str]
    claims: list[Claim]

    def index(self) -> PassageIndex:
        """The passages; every chapter is one scene."""
        return PassageIndex((number << 20, "", text) for number, text in enumerate(self.chapters))


def books(folder: Path) -> list[Book]:
    """The novels of one part of the set."""
    return [_book(place) for place in sorted(folder.iterdir()) if (place / "claims.json").exists()]


def _book(place: Path) -> Book:
    chapters = [file.read_text("utf-8") for file in sorted((place / "chapters").glob("*.txt"))]
    events = _events(place / "outline.md")
    return Book(
        place.name,
        chapters,
        [_claim(claim, events) for claim in json.loads((place / "claims.json").read_text("utf-8"))],
    )


def _claim(claim: dict[str, Any], events: dict[tuple[int, int], str]) -> Claim:
    items = [(chapter, number) for chapter, number in claim["outline_items"]]
    return Claim(
        claim["claim"],
        frozenset(number - 1 for number in claim["source_chapters"]),
        tuple((item[0] - 1, events[item]) for item in items if item in events),
    )


def _events(file: Path) -> dict[tuple[int, int], str]:
    events: dict[tuple[int, int], str] = {}
    chapter, listing = 0, False
    for line in file.read_text("utf-8").splitlines() if file.exists() else ():
        if found := _CHAPTER.match(line):
            chapter = int(found[1])
        listing = "<events>" in line or (listing and "</events>" not in line)
        if listing and (found := _EVENT.match(line.strip())):
            events[chapter, int(found[1])] = found[2]
    return events


def chapters_found(novels: Sequence[Book], variants: Sequence[Variant]) -> Iterator[Row]:
    """Plain BM25 over whole chapters and each variant; then the first two on each half of the novels."""
    plain = [[_judged(order, claim) for claim, order in _plainly(book)] for book in novels]
    yield _chapters("plain BM25, whole chapters", plain)
    compiled: dict[tuple[bool, bool], list[PassageIndex]] = {}
    first: list[list[list[float]]] = []
    for variant in variants:
        words = variant.stems, variant.empty_words
        with variant.applied():
            if words not in compiled:
                compiled[words] = [book.index() for book in novels]
            both = zip(novels, compiled[words], strict=True)
            judged = [list(_by_variant(book, index, variant)) for book, index in both]
        first = first or judged
        yield _chapters(variant.name, judged)
    for half, name in enumerate(("first half", "second half")):
        yield _chapters(f"{name}: plain BM25", plain[half::2])
        yield _chapters(f"{name}: ours", first[half::2])


def _plainly(book: Book) -> Iterator[tuple[Claim, list[int]]]:
    index = PlainBm25(book.chapters)
    for claim in book.claims:
        yield claim, index.best(claim.text)


def _by_variant(book: Book, index: PassageIndex, variant: Variant) -> Iterator[list[float]]:
    likeness = variant.likeness(_passages(book, index)) if variant.likeness else None
    for claim in book.claims:
        alike = likeness(claim.text) if likeness else None
        ranking = rank(index, claim.text, scoring=variant.scoring, likeness=alike)
        yield _judged(ranking.best_chapters(99).tolist(), claim)


def _passages(book: Book, index: PassageIndex) -> list[str]:
    order = index.in_order()
    spans = zip(order.chapters.tolist(), order.starts.tolist(), order.ends.tolist(), strict=True)
    return [book.chapters[chapter][start:end].strip() for chapter, start, end in spans]


def _judged(order: Sequence[int], claim: Claim) -> list[float]:
    found = [len(claim.sources.intersection(order[:limit])) / len(claim.sources) for limit in (1, 2, 3, 5)]
    return [*found, float(order[0] in claim.sources if order else 0), float(found[3] == 1)]


def _chapters(name: str, by_book: Sequence[Sequence[Sequence[float]]]) -> Row:
    judged = [figures for results in by_book for figures in results]
    means = 100 * np.mean(judged, axis=0) if judged else np.zeros(len(CHAPTER_FIGURES))
    return Row(name, len(judged), dict(zip(CHAPTER_FIGURES, means.tolist(), strict=True)))


def as_of(novels: Sequence[Book]) -> Iterator[Row]:
    """The same when nothing after the last source has been told."""
    plain, masked, filtered, later = [], [], [], 0
    for book in novels:
        index = book.index()
        order = index.in_order()
        counted = [words_of(chapter) for chapter in book.chapters]
        for claim in book.claims:
            last = max(claim.sources)
            plain.append(_judged(PlainBm25.of(counted[: last + 1]).best(claim.text), claim))
            ranking = rank(index, claim.text, allowed=order.chapters <= last)
            masked.append(_judged(ranking.best_chapters(99).tolist(), claim))
            later += int(np.count_nonzero(ranking.scores[order.chapters > last]))
            later += int(np.count_nonzero(ranking.chapters > last))
            everything = rank(index, claim.text).best_chapters(99)
            filtered.append(_judged(everything[everything <= last].tolist(), claim))
    yield _chapters("plain BM25 on the chapters told", [plain])
    yield _chapters("ours, counted over what is told", [masked])
    yield _chapters("ours, counted over the whole book", [filtered])
    yield Row("passages of later chapters shown", len(masked), {"R@1": float(later)})


def contexts(novels: Sequence[Book], quick: bool) -> Iterator[Row]:
    """Passages put into a context until it is full."""
    budgets = BUDGETS[-1:] if quick else BUDGETS
    judged: dict[tuple[int, str], list[list[float]]] = {}
    tokens = counter(VOCABULARY)
    for book in novels:
        index = book.index()
        passages = _passages(book, index)
        costs = [tokens.count(passage) for passage in passages]
        where = index.in_order().chapters.tolist()
        plain = PlainBm25(passages)
        for claim, bearing in zip(book.claims, _bearing(book, passages, where), strict=True):
            ranking = rank(index, claim.text)
            for budget in budgets:
                fitting = budget // SHORT_PASSAGE
                for name, order in (
                    ("plain BM25 over passages", plain.best(claim.text)),
                    ("ours, by score", ranking.best(4 * fitting).tolist()),
                    ("ours, varied", varied(ranking, index.in_order(), fitting).tolist()),
                    (
                        "ours, varied for a context",
                        varied(ranking, index.in_order(), fitting, FOR_A_CONTEXT).tolist(),
                    ),
                ):
                    packed = _packed(order, costs, budget)
                    judged.setdefault((budget, name), []).append(_borne(packed, where, claim, bearing))
    for (budget, name), results in sorted(judged.items(), key=lambda item: item[0][0]):
        means = np.mean(results, axis=0) * [100, 100, 100, 1, 1]
        columns = ("sources", "events", "all ev.", "passages", "chapters")
        yield Row(f"{budget:,} tokens: {name}", len(results), dict(zip(columns, means.tolist(), strict=True)))


def _bearing(book: Book, passages: Sequence[str], where: Sequence[int]) -> Iterator[list[int]]:
    """For each claim, the passages nearest to its events, each looked for in the event's chapter only."""
    rows_of = {
        chapter: [row for row, other in enumerate(where) if other == chapter] for chapter in set(where)
    }
    indices = {chapter: PlainBm25([passages[row] for row in rows]) for chapter, rows in rows_of.items()}
    for claim in book.claims:
        yield [
            rows_of[chapter][indices[chapter].best(event)[0]]
            for chapter, event in claim.events
            if chapter in rows_of
        ]


def _packed(order: Sequence[int], costs: Sequence[int], budget: int) -> set[int]:
    packed: set[int] = set()
    for row in order:
        if costs[row] <= budget:
            packed.add(row)
            budget -= costs[row]
    return packed


def _borne(packed: set[int], where: Sequence[int], claim: Claim, bearing: Sequence[int]) -> list[float]:
    spoken_of = {where[row] for row in packed}
    borne = [row in packed for row in bearing]
    share = float(np.mean(borne)) if borne else 1.0
    return [float(claim.sources <= spoken_of), share, float(all(borne)), len(packed), len(spoken_of)]


def variants_without() -> list[Variant]:
    """Ours, and ours without one part at a time."""
    ours = Variant("ours")
    return [
        ours,
        replace(ours, name="  without stems", stems=False),
        replace(ours, name="  question words count", empty_words=False),
        replace(ours, name="  without pairs", scoring=Scoring(pair=0.0)),
        replace(ours, name="  only the best passage of a chapter", scoring=Scoring(whole=0.0, fading=0.0)),
        replace(ours, name="  only passages, added up", scoring=Scoring(whole=0.0)),
        replace(ours, name="  only chapters as one text", scoring=Scoring(whole=1e6)),
        replace(ours, name="  chapters saturate as passages do", scoring=Scoring(chapter_saturation=0.9)),
    ]
