"""Questions about long conversations: are the turns found that answer them?

Every session is a chapter and every turn a scene: `Speaker: text`, under the date of its session. R@k is the
share of a question's evidence turns among the first k. All five kinds of questions count.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bench.eval.plain_bm25 import PlainBm25
from bench.eval.table import Row
from bench.eval.variants import Variant
from fabula.index.passages import PassageIndex
from fabula.retrieval.ranking import Scoring, rank

KINDS = {1: "multi-hop", 2: "temporal", 3: "open", 4: "single-hop", 5: "adversarial"}
LIMITS = (1, 5, 10)
_SESSION = re.compile(r"session_(\d+)\Z")


class Turn(NamedTuple):
    """What somebody said: the instant of it, the date over it, and the line."""

    instant: int
    heading: str
    text: str


class Question(NamedTuple):
    """A question, its kind, and the numbers of the turns that answer it."""

    text: str
    kind: int
    evidence: frozenset[int]


class Conversation(NamedTuple):
    """The turns in their order, and questions about them."""

    turns: list[Turn]
    questions: list[Question]

    def compiled(self, headings: bool) -> PassageIndex:
        """The turns as passages."""
        return PassageIndex(
            (turn.instant, turn.heading if headings else "", turn.text) for turn in self.turns
        )


Judged = tuple[int, list[float]]


def conversations(file: Path) -> list[Conversation]:
    """The conversations of one part of the set."""
    return [_conversation(sample) for sample in json.loads(file.read_text("utf-8"))]


def _conversation(sample: dict[str, Any]) -> Conversation:
    told = sample["conversation"]
    numbers = sorted(int(found[1]) for key in told if (found := _SESSION.match(key)))
    turns: list[Turn] = []
    places: dict[str, int] = {}
    for session in numbers:
        for nth, turn in enumerate(told[f"session_{session}"]):
            places[turn["dia_id"]] = len(turns)
            line = f"{turn['speaker']}: {turn['text']}"
            turns.append(Turn((session << 20) | nth, told[f"session_{session}_date_time"], line))
    questions = [
        Question(
            asked["question"],
            asked["category"],
            frozenset(places[e] for e in asked["evidence"] if e in places),
        )
        for asked in sample["qa"]
    ]
    return Conversation(turns, [question for question in questions if question.evidence])


def turns_found(told: Sequence[Conversation], variants: Sequence[Variant]) -> Iterator[Row]:
    """Plain BM25 over turns and each variant; then the first two by half and by kind of question."""
    plain = [list(_plain(conversation)) for conversation in told]
    yield _row("plain BM25 over turns", plain)
    first: list[list[Judged]] = []
    for variant in variants:
        with variant.applied():
            judged = [list(_ours(conversation, variant)) for conversation in told]
        first = first or judged
        yield _row(variant.name, judged)
    for half, name in enumerate(("first half", "second half")):
        yield _row(f"{name}: plain BM25", plain[half::2])
        yield _row(f"{name}: ours", first[half::2])
    for kind, name in KINDS.items():
        yield _row(f"{name}: plain BM25", plain, kind)
        yield _row(f"{name}: ours", first, kind)


def _plain(conversation: Conversation) -> Iterator[Judged]:
    index = PlainBm25([turn.text for turn in conversation.turns])
    for question in conversation.questions:
        yield _judged(index.best(question.text), question)


def _ours(conversation: Conversation, variant: Variant) -> Iterator[Judged]:
    index = conversation.compiled(variant.headings)
    likeness = variant.likeness([turn.text for turn in conversation.turns]) if variant.likeness else None
    number = {turn.instant: place for place, turn in enumerate(conversation.turns)}
    turns = [number[instant] for instant in index.in_order().instants.tolist()]
    for question in conversation.questions:
        alike = likeness(question.text)[turns] if likeness else None
        ranking = rank(index, question.text, scoring=variant.scoring, likeness=alike)
        # A long turn is several passages; it counts where the first of them stands.
        order = dict.fromkeys(turns[row] for row in ranking.best(4 * LIMITS[-1]).tolist())
        yield _judged(list(order), question)


def _judged(order: Sequence[int], question: Question) -> Judged:
    found = (len(question.evidence.intersection(order[:limit])) for limit in LIMITS)
    return question.kind, [count / len(question.evidence) for count in found]


def _row(name: str, by_conversation: Sequence[Sequence[Judged]], kind: int | None = None) -> Row:
    judged = [figures for results in by_conversation for other, figures in results if kind in (None, other)]
    means = 100 * np.mean(judged, axis=0) if judged else np.zeros(len(LIMITS))
    return Row(
        name, len(judged), {f"R@{limit}": mean for limit, mean in zip(LIMITS, means.tolist(), strict=True)}
    )


def variants_without() -> list[Variant]:
    """Ours, and ours without one part at a time."""
    ours = Variant("ours")
    return [
        ours,
        replace(ours, name="  without stems", stems=False),
        replace(ours, name="  question words count", empty_words=False),
        replace(ours, name="  without pairs", scoring=Scoring(pair=0.0)),
        replace(ours, name="  neighbours lend nothing", scoring=Scoring(lending=0.0)),
        replace(ours, name="  the session counts nothing", scoring=Scoring(chapter=0.0)),
        replace(ours, name="  without the dates", headings=False),
        replace(
            ours,
            name="  each passage by itself",
            scoring=Scoring(pair=0.0, lending=0.0, chapter=0.0),
            headings=False,
        ),
    ]
