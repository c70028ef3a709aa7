"""Texts found by words, by vectors, and by both: is the embedder worth having?

*Words* is plain BM25; Chinese is split into characters and pairs of them. *Vectors* is the cosine alone.
*Both* adds the two, each as distance from its mean in standard deviations; how much the vectors weigh is
chosen on one half of the questions and used on the other, and the other way round. *Both, at 1* weighs them
alike. Figures are mean average precision in percent, and the share of questions with a right text among the
first five.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.eval.plain_bm25 import PlainBm25
from bench.eval.table import DATA, Row, no_data, show
from fabula.llm.embedder import Embedder
from fabula.llm.local_embedder import LocalEmbedder

BOOKS, QUICK_BOOKS = 8, 2
PASSAGES = 2_500
WEIGHTS = (0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0)
QUESTIONS = Path(__file__).parent / "chinese_questions.tsv"

_HAN = re.compile("[\u3400-\u9fff]+")
_SENTENCE = re.compile(r"[^。！？\n]+[。！？”]*")

Numbers = NDArray[np.float64]


class Question(NamedTuple):
    """A question and the units (turns, chapters, articles) that answer it."""

    text: str
    answers: frozenset[int]


class Library(NamedTuple):
    """Texts, the unit that each is part of, and questions."""

    texts: list[str]
    units: list[int]
    questions: list[Question]


def report(quick: bool, embedder: Embedder | None = None) -> list[Row]:
    """Measure and print, with the embedder of the package or another."""
    if not DATA.is_dir():
        return no_data("embeddings", DATA)
    chosen = embedder or LocalEmbedder()
    rows = [
        row
        for name, libraries in _yardsticks(quick)
        for row in _judged(name, [_scores(library, chosen) for library in libraries])
    ]
    show(f"Texts found with {chosen.model}", rows)
    return rows


def _yardsticks(quick: bool) -> Iterator[tuple[str, list[Library]]]:
    yield "LoCoMo: turn that answers", [_conversation(sample) for sample in _json("locomo/locomo10.dev.json")]
    books = sorted((DATA / "clipper" / "dev").iterdir())[: QUICK_BOOKS if quick else BOOKS]
    yield "CLIPPER: chapters of a claim", [_book(book) for book in books]
    yield "2Wiki: articles for a question", [_encyclopedia()]
    if not quick:
        for title in ("红楼梦", "西游记"):
            yield f"{title}: chapter of an episode", [_novel(title, _episodes(title))]
            yield f"{title}: chapter of a title", [_novel(title, None)]


# The texts


def _json(name: str) -> Any:
    return json.loads((DATA / name).read_text("utf-8"))


def _conversation(sample: dict[str, Any]) -> Library:
    told = sample["conversation"]
    turns = [turn for name, said in told.items() if re.fullmatch(r"session_\d+", name) for turn in said]
    place = {turn["dia_id"]: number for number, turn in enumerate(turns)}
    questions = [
        Question(item["question"], frozenset(place[e] for e in item["evidence"] if e in place))
        for item in sample["qa"]
        if item["category"] != 5
    ]
    texts = [f"{turn['speaker']}: {turn['text']} {turn.get('blip_caption', '')}" for turn in turns]
    return Library(texts, list(range(len(texts))), [question for question in questions if question.answers])


def _book(folder: Path) -> Library:
    texts, units = list[str](), list[int]()
    for file in sorted((folder / "chapters").glob("*.txt")):
        words = file.read_text("utf-8").split()
        passages = [" ".join(words[start : start + 200]) for start in range(0, len(words), 200)]
        texts += passages
        units += [int(file.stem)] * len(passages)
    claims = json.loads((folder / "claims.json").read_text("utf-8"))
    return Library(texts, units, [Question(c["claim"], frozenset(c["source_chapters"])) for c in claims])


def _encyclopedia() -> Library:
    asked = _json("multihop/2wiki_101.dev.json")
    wanted = {title for item in asked for title in item["gold_titles"]}
    corpus = _json("multihop/2wikimultihopqa_corpus.json")
    articles = [a for number, a in enumerate(corpus) if number < PASSAGES or a["title"] in wanted]
    numbers: dict[str, int] = {}
    units = [numbers.setdefault(article["title"], len(numbers)) for article in articles]
    questions = [
        Question(item["question"], frozenset(numbers[title] for title in item["gold_titles"]))
        for item in asked
    ]
    return Library([f"{article['title']}: {article['text']}" for article in articles], units, questions)


def _episodes(title: str) -> list[Question]:
    lines = [line.split("\t") for line in QUESTIONS.read_text("utf-8").splitlines()]
    return [Question(text, frozenset({int(chapter)})) for book, chapter, text in lines if book == title]


def _novel(title: str, questions: list[Question] | None) -> Library:
    texts, units, titles = list[str](), list[int](), list[Question]()
    for number, file in enumerate(sorted((DATA / "chinese_novels" / title).glob("*.txt")), start=1):
        heading, _, body = file.read_text("utf-8").strip().partition("\n")
        passages = _chinese_passages(body)
        texts += passages
        units += [number] * len(passages)
        titles.append(Question(re.sub(r"^\S+?[　 ]+", "", heading), frozenset({number})))
    return Library(texts, units, questions or titles)


def _chinese_passages(text: str, size: int = 300) -> list[str]:
    passages = [""]
    for sentence in _SENTENCE.findall(text):
        if passages[-1] and len(passages[-1]) + len(sentence) > size:
            passages.append("")
        passages[-1] += sentence.strip()
    return passages


# Finding


class Scored(NamedTuple):
    """The scores of every unit by words and by vectors, mixed at each weight, and the right units."""

    by_words: list[Numbers]
    by_vectors: list[Numbers]
    mixed: list[list[Numbers]]
    right: list[NDArray[np.bool_]]


def _scores(library: Library, embedder: Embedder) -> Scored:
    words = PlainBm25([_spaced(text) for text in library.texts])
    vectors = embedder.embed(library.texts, kind="document")
    names, places = np.unique(np.array(library.units), return_inverse=True)
    scored = Scored([], [], [], [])
    best = partial(_best_of, places=places, count=len(names))
    for question in library.questions:
        said = _standing(words.scores(_spaced(question.text)))
        meant = _standing((vectors @ embedder.embed([question.text], kind="query")[0]).astype(np.float64))
        scored.by_words.append(best(said))
        scored.by_vectors.append(best(meant))
        scored.mixed.append([best(said + weight * meant) for weight in WEIGHTS])
        scored.right.append(np.isin(names, list(question.answers)))
    return scored


def _spaced(text: str) -> str:
    """A text with its Chinese split into characters and pairs."""
    return _HAN.sub(lambda run: f" {' '.join(_grams(run[0]))} ", text)


def _grams(run: str) -> list[str]:
    return [*run, *(run[start : start + 2] for start in range(len(run) - 1))]


def _standing(scores: Numbers) -> Numbers:
    spread = float(scores.std())
    return (scores - scores.mean()) / (spread or 1.0)


def _best_of(scores: Numbers, places: NDArray[np.int64], count: int) -> Numbers:
    best = np.full(count, -np.inf)
    np.maximum.at(best, places, scores)
    return best


# Judging


def _judged(name: str, parts: Sequence[Scored]) -> Iterator[Row]:
    right = [mask for part in parts for mask in part.right]
    words = _figures([scores for part in parts for scores in part.by_words], right)
    vectors = _figures([scores for part in parts for scores in part.by_vectors], right)
    mixed = np.stack(
        [
            _figures([scores[nth] for part in parts for scores in part.mixed], right)
            for nth in range(len(WEIGHTS))
        ]
    )
    even = np.arange(len(right)) % 2 == 0
    tuned = np.where(even[:, None], mixed[_best(mixed, ~even)], mixed[_best(mixed, even)])
    yield Row(f"{name}, words", len(right), _shown(words))
    yield Row("  vectors", len(right), _shown(vectors))
    yield Row("  both", len(right), _shown(tuned))
    yield Row("  both, at 1", len(right), _shown(mixed[WEIGHTS.index(1.0)]))


def _best(mixed: Numbers, half: NDArray[np.bool_]) -> int:
    return int(mixed[:, half, 0].mean(axis=1).argmax())


def _figures(scores: Sequence[Numbers], right: Sequence[NDArray[np.bool_]]) -> Numbers:
    return np.array([_figure(found, mask) for found, mask in zip(scores, right, strict=True)])


def _figure(scores: Numbers, right: NDArray[np.bool_]) -> tuple[float, float]:
    """Average precision, and whether a right one is among the first five; equal scores share their places."""
    ranks = np.sort(
        [1 + (scores > score).sum() + ((scores == score).sum() - 1) / 2 for score in scores[right]]
    )
    nth = np.arange(1, len(ranks) + 1)
    return float((nth / np.maximum(ranks, nth)).mean()), float(ranks[0] <= 5)


def _shown(figures: Numbers) -> dict[str, float]:
    precision, hits = 100 * figures.mean(axis=0)
    return {"precision": float(precision), "in five": float(hits)}
