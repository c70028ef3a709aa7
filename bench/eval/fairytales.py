"""Questions about fairy tales: is the section found that answers them?

Every section is a scene of one chapter; R@k is the share of questions with one of their sections among the
first k. The stories of the validation set were not looked at while the rules were made.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from bench.eval.plain_bm25 import PlainBm25
from bench.eval.table import DATA, Row, no_data, show
from fabula.index.passages import PassageIndex
from fabula.retrieval.ranking import rank, varied

FOLDER = DATA / "fairytaleqa"
PARTS = {"train": "training, looked at", "val": "validation, not looked at"}
LIMITS = (1, 3, 5)
SHOWN = 40

Ranked = Callable[[str], Sequence[int]]


class Tale(NamedTuple):
    """The sections of a story, and questions with the numbers of those that answer them."""

    sections: list[str]
    questions: list[tuple[str, frozenset[int]]]


def report(quick: bool) -> list[Row]:
    """Measure and print; there is no quicker way."""
    rows = list(measure())
    show("FairytaleQA: the section that answers a question", rows)
    return rows


def measure() -> Iterator[Row]:
    """Plain BM25 over sections and ours, on each part of the set."""
    if not FOLDER.exists():
        no_data("fairytales", FOLDER)
        return
    for part, name in PARTS.items():
        tales = [_tale(file) for file in sorted(FOLDER.glob(f"{part}.*.story.csv"))]
        yield _row(f"plain BM25, {name}", tales, lambda tale: PlainBm25(tale.sections).best)
        yield _row(f"ours, {name}", tales, _ours)


def _tale(file: Path) -> Tale:
    with file.open(encoding="utf-8-sig") as sections:
        rows = list(csv.DictReader(sections))
    number = {row["section"]: place for place, row in enumerate(rows)}
    with file.with_name(file.name.replace(".story.", ".questions.")).open(encoding="utf-8-sig") as questions:
        asked = [
            (
                row["question"],
                frozenset(number[one] for one in row["cor_section"].split(",") if one in number),
            )
            for row in csv.DictReader(questions)
        ]
    return Tale([row["text"] for row in rows], [(text, own) for text, own in asked if own])


def _ours(tale: Tale) -> Ranked:
    index = PassageIndex((scene, "", text) for scene, text in enumerate(tale.sections))
    order = index.in_order()

    def ranked(question: str) -> list[int]:
        rows = varied(rank(index, question), order, SHOWN)
        return list(dict.fromkeys(order.instants[rows].tolist()))

    return ranked


def _row(name: str, tales: Sequence[Tale], way: Callable[[Tale], Ranked]) -> Row:
    found = dict.fromkeys(LIMITS, 0)
    asked = 0
    for tale in tales:
        ranked = way(tale)
        for question, own in tale.questions:
            asked += 1
            order = ranked(question)
            for limit in LIMITS:
                found[limit] += not own.isdisjoint(order[:limit])
    return Row(name, asked, {f"R@{limit}": 100 * count / asked for limit, count in found.items()})
