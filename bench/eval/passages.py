"""Passages of novels and turns of conversations, found by what is asked about them."""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from bench.eval import clipper, locomo
from bench.eval.table import Row, no_data, show
from bench.eval.variants import Variant, by_vectors, vectors_at_hand
from bench.measure import Series
from bench.report import RESULTS, markdown
from fabula.index.passages import PassageIndex
from fabula.retrieval.ranking import rank

# Texts of others, for measuring only; they are not part of the project.
DATA = Path(os.environ.get("FABULA_EVAL_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))

QUICK_BOOKS = 8
QUICK_CONVERSATIONS = 2
TIMED = 300

# What was tried on the way to these rules, on the same claims and questions.
NO_HELP = """\
Tried with rules close to these and left out, because no gain showed on both halves of the data:

- words of the first hits added to the question (pseudo-relevance feedback): CLIPPER R@1 falls by 0.7 to 2,
  LoCoMo R@5 by 0.2 to 2.4;
- the claim in clauses, each looked for by itself: nothing moves by more than 1, R@1 and R@5 mostly down;
- chapters or passages chosen one after the other by what they add to those before: CLIPPER R@3 falls by 0.6
  to 7, and contexts hold fewer of the events;
- neighbours that lend words to passages of a hundred words and more; passages of 60 or 250 words;
- Dirichlet smoothing in the place of BM25, powers of the rarity, ranks added in the place of scores;
- names that weigh more than their rarity says: no change; a bonus for turns of the speaker who is named: 3 to
  4 more for multi-hop questions, 5 less for adversarial ones;
- an answer that avoids turns of one session, or next to one another: LoCoMo R@5 falls by 0.6 and more.
"""

Tables = dict[str, list[Row]]


def measure(quick: bool) -> Tables:
    """Everything there is data for, on the terminal and in bench/results/."""
    tables: Tables = {}
    for folder in sorted(place for place in (DATA / "clipper").glob("*") if place.is_dir()):
        tables |= _novels(folder, quick)
    for file in sorted((DATA / "locomo").glob("locomo10*.json")):
        told = locomo.conversations(file)[: QUICK_CONVERSATIONS if quick else None]
        rows = locomo.turns_found(told, _with_vectors(locomo.variants_without()))
        tables |= _told(f"LoCoMo {file.stem.split('.')[-1]}: turns that answer a question", rows)
    if not tables:
        no_data("passages", DATA)
    elif not quick:
        _save(tables)
    return tables


def _novels(folder: Path, quick: bool) -> Tables:
    novels = clipper.books(folder)[: QUICK_BOOKS if quick else None]
    part = f"CLIPPER {folder.name}"
    variants = _with_vectors(clipper.variants_without())
    return (
        _told(f"{part}: chapters a claim comes from", clipper.chapters_found(novels, variants))
        | _told(f"{part}: as of the last chapter it comes from", clipper.as_of(novels))
        | _told(f"{part}: passages in a context", clipper.contexts(novels, quick))
        | _told(
            f"{part}: all novels as one story, milliseconds; to compile, seconds, also per million letters",
            _times(novels),
        )
    )


def _with_vectors(variants: Sequence[Variant]) -> list[Variant]:
    ours = variants[0]
    return (
        [*variants, replace(ours, name="ours, with vectors", likeness=by_vectors)]
        if vectors_at_hand()
        else [*variants]
    )


def _times(novels: Sequence[clipper.Book]) -> Iterable[Row]:
    """What it takes to compile everything at once, to ask, and to ask after a chapter has changed."""
    chapters = [chapter for book in novels for chapter in book.chapters]
    questions = [claim.text for book in novels for claim in book.claims]
    questions = questions[:: max(1, len(questions) // TIMED)]
    began = time.process_time()
    index = PassageIndex((number << 20, "", text) for number, text in enumerate(chapters))
    size = len(index.in_order().slots)
    built = time.process_time() - began
    letters = sum(map(len, chapters))
    yield Row("compiling", size, {"cpu s": built, "per 1M": built / letters * 1e6})
    half = index.in_order().chapters <= len(chapters) // 2
    asking, early, changed = Series(), Series(), Series()
    for question in questions:
        asking.time(rank, index, question)
        early.time(rank, index, question, allowed=half)
    for number, question in enumerate(questions[::10]):
        index.put(number << 20, chapters[number] + question)
        changed.time(rank, index, question)
    for name, series in (
        ("asking", asking),
        ("asking, as of the middle", early),
        ("asking after a change", changed),
    ):
        figures = series.figures()
        yield Row(
            name, len(series.wall), {key: float(figures[key]) for key in ("p50", "p95", "cpu_p50", "cpu_p95")}
        )


def _told(title: str, rows: Iterable[Row]) -> Tables:
    found = list(rows)
    show(title, found)
    return {title: found}


def _save(tables: Tables) -> None:
    RESULTS.mkdir(exist_ok=True)
    told = {title: [row._asdict() for row in rows] for title, rows in tables.items()}
    about = {"python": platform.python_version(), "processors": os.cpu_count()}
    whole = json.dumps({"about": about, "tables": told}, ensure_ascii=False, indent=1)
    (RESULTS / "retrieval_passages.json").write_text(f"{whole}\n", "utf-8")
    parts = [
        "# Passages, measured",
        *(text.strip() for text in (__doc__, clipper.__doc__, locomo.__doc__) if text),
    ]
    for title, rows in tables.items():
        columns = list(dict.fromkeys(key for row in rows for key in row.figures))
        cells = [
            [row.name.strip() if row.name == row.name.strip() else f"– {row.name.strip()}", str(row.cases)]
            + [f"{row.figures[column]:.1f}" if column in row.figures else "" for column in columns]
            for row in rows
        ]
        parts += [f"## {title}", markdown(["", "cases", *columns], cells)]
    parts += ["## What did not help", NO_HELP.strip()]
    (RESULTS / "retrieval_passages.md").write_text("\n\n".join(parts) + "\n", "utf-8")
