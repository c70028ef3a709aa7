"""Questions that take several passages: does the graph bring all of them?

A passage is an entity: its title is the name, its text the description, and whoever is named in a text is
linked. R@k is the share of a question's passages among the first k, all@5 the share of questions that have
all of them in five. The questions of MuSiQue and HotpotQA with even numbers were looked at while the rules
were made, those with odd numbers were not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from bench.eval.graph_world import MemoryWorld, Person
from bench.eval.table import DATA, Row, no_data, show
from fabula.matching.implied import implied_names
from fabula.retrieval.anchors import find_anchors
from fabula.retrieval.hops import expand
from fabula.retrieval.pruning import prune
from fabula.retrieval.retriever import GraphRetriever
from fabula.retrieval.role_question import parse_question
from fabula.retrieval.rules import DEFAULT, Rules

FOLDER = DATA / "multihop"
CORPUS, QUESTIONS = "2wikimultihopqa_corpus.json", "2wiki_101*.json"
TRAINING = {"MuSiQue": "musique_train", "HotpotQA": "hotpotqa_train"}
SHOWN = 10

Ranked = Callable[[str], Sequence[str]]
Question = Mapping[str, Any]

_BRACKET = re.compile(r"\s*\([^)]*\)")


def report(quick: bool) -> dict[str, list[Row]]:
    """Measure and print; there is no quicker way."""
    tables = {"2Wiki": measure(), **{title: list(_trained(name)) for title, name in TRAINING.items()}}
    for title, rows in tables.items():
        show(f"{title}: all passages of a question", rows)
    return tables


def _trained(name: str) -> Iterator[Row]:
    """Plain BM25 and the graph on all questions and on each half; paragraphs count, not titles."""
    if not (FOLDER / f"{name}_corpus.json").exists():
        return
    paragraphs, questions = _paragraphs(name)
    world = MemoryWorld([_person(number, *paragraph) for number, paragraph in enumerate(paragraphs)])

    def by_words(query: str) -> list[str]:
        return [world.id_of(slot) for slot in world.words.ranked(query, SHOWN)]

    def by_graph(query: str) -> list[str]:
        found = GraphRetriever(world).retrieve(query, world.everybody())
        return [world.id_of(target.slot) for target in found.targets]

    for part, own in (("", questions), (", looked at", questions[::2]), (", not looked at", questions[1::2])):
        yield _row(f"BM25{part}", by_words, own)
        yield _row(f"graph{part}", by_graph, own)


def _paragraphs(name: str) -> tuple[list[tuple[str, str]], list[Question]]:
    """The (title, text) of all paragraphs, and the questions with the numbers of theirs."""
    corpus = json.loads((FOLDER / f"{name}_corpus.json").read_text())
    if isinstance(corpus, dict):
        paragraphs = [(title, "".join(sentences)) for title, sentences in corpus.items()]
    else:
        paragraphs = [(one["title"], one["text"]) for one in corpus]
    numbers = {paragraph: f"{number:05}" for number, paragraph in enumerate(paragraphs)}
    questions: list[Question] = []
    for asked in json.loads((FOLDER / f"{name}.json").read_text()):
        if "paragraphs" in asked:
            own = [(p["title"], p["paragraph_text"]) for p in asked["paragraphs"] if p["is_supporting"]]
        else:
            own = [(title, "".join(corpus[title])) for title, _ in asked["supporting_facts"]]
        questions.append({"question": asked["question"], "gold_titles": [numbers[one] for one in own]})
    return paragraphs, questions


def measure() -> list[Row]:
    """BM25, the graph, the graph without one part at a time, and questions written differently."""
    files = sorted(FOLDER.glob(QUESTIONS))
    if not files or not (FOLDER / CORPUS).exists():
        return no_data("multihop", FOLDER)
    people = _people()
    questions = [question for file in files for question in json.loads(file.read_text())]
    world = MemoryWorld(people)

    def titles(slots: Sequence[int]) -> list[str]:
        return [people[slot].name for slot in slots]

    def by_words(query: str) -> list[str]:
        return titles(world.words.ranked(query, SHOWN))

    def by_graph(query: str) -> list[str]:
        found = GraphRetriever(world).retrieve(query, world.everybody())
        return titles([target.slot for target in found.targets])

    def without(rules: Rules, *, asking: bool = True) -> Ranked:
        return lambda query: titles(_stages(world, query, rules, asking=asking))

    rows = [
        _row("BM25", by_words, questions),
        _row("graph", by_graph, questions),
        _row("graph, odd half", by_graph, questions[::2]),
        _row("graph, even half", by_graph, questions[1::2]),
        _row("  anchors only", without(replace(DEFAULT, hops=0)), questions),
        _row("  one hop", without(replace(DEFAULT, hops=1)), questions),
        _row("  hops that ask for nothing", without(DEFAULT, asking=False), questions),
        _row("  no words of texts", without(replace(DEFAULT, words=0.0)), questions),
        _row("  no bonus for the answer", without(replace(DEFAULT, relation=0.0)), questions),
    ]
    for name, change in (
        ("small letters", str.lower),
        ("without brackets", lambda text: _BRACKET.sub("", text)),
    ):
        changed = [question | {"question": change(question["question"])} for question in questions]
        rows += [_row(f"BM25, {name}", by_words, changed), _row(f"graph, {name}", by_graph, changed)]
    return rows


def _people() -> list[Person]:
    corpus = json.loads((FOLDER / CORPUS).read_text())
    return [_person(number, passage["title"], passage["text"]) for number, passage in enumerate(corpus)]


def _person(number: int, title: str, text: str) -> Person:
    short = _BRACKET.sub("", title)
    aliases = (short,) if short not in (title, "") else ()
    return Person(f"{number:05}", title, text, aliases, implied_names(short))


def _stages(world: MemoryWorld, query: str, rules: Rules, *, asking: bool) -> list[int]:
    allowed = world.everybody()
    anchors = find_anchors(world, query, allowed, rules)
    asked = (
        parse_question(query, [place for anchor in anchors for place in anchor.places]) if asking else None
    )
    reached = expand(world, anchors, allowed, asked, rules)
    return [target.slot for target in prune(world, query, anchors, reached, allowed, asked, rules).kept]


def _row(name: str, ranked: Ranked, questions: Sequence[Question]) -> Row:
    shares = {"R@2": 0.0, "R@5": 0.0, "R@10": 0.0, "all@5": 0.0}
    for question in questions:
        gold = set(question["gold_titles"])
        titles = ranked(question["question"])
        for size in (2, 5, 10):
            shares[f"R@{size}"] += len(gold & set(titles[:size])) / len(gold)
        shares["all@5"] += gold <= set(titles[:5])
    return Row(name, len(questions), {key: 100 * value / len(questions) for key, value in shares.items()})
