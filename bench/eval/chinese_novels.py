"""Two classic novels: who is named in a chapter, who is what to whom, who appears with whom.

Names: the verified aliases say who is in a chapter; how much of it do main names find, and main names with
the parts that people use for short? Relations: "贾宝玉的父亲是谁？" from hand-made triples, the first and
the first five answers; also with another word for the same thing, over two hops, and with only the opposite
triple left. Company: pairs of a published table of co-occurrence against passages read here.
"""

from __future__ import annotations

import csv
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from bench.eval.graph_world import MemoryWorld, Person
from bench.eval.graphbase import agreement
from bench.eval.table import DATA, Row, no_data, show
from fabula.matching.implied import implied_names
from fabula.retrieval.anchors import namings
from fabula.retrieval.retriever import GraphRetriever

FOLDER = DATA / "chinese_novels"
MOST = 300

_Triple = tuple[str, str, str]
"""Somebody, what they are, to whom."""


class Novel(NamedTuple):
    """A novel and the names of its files."""

    title: str
    short: str
    triples: str


NOVELS = (
    Novel("红楼梦", "red_chamber", "hongloumeng_relation_epitaphial.csv"),
    Novel("西游记", "journey_west", "xiyouji_relations_clean_voidr.tsv"),
)

_OTHER_WORDS = {
    "父亲": "爹爹", "母亲": "娘亲", "妻": "娘子", "妻子": "夫人", "丈夫": "夫君", "丫环": "侍女",
    "丫头": "婢女", "朋友": "好友", "好友": "知己", "徒弟": "弟子", "师父": "师傅", "师傅": "师父",
    "手下": "部下", "仆人": "奴仆", "舅舅": "舅父", "主公": "主人", "臣": "臣子",
}  # fmt: skip
_OPPOSITES = {
    "父亲": {"儿子", "女儿"}, "母亲": {"儿子", "女儿"}, "儿子": {"父亲", "母亲"}, "女儿": {"父亲", "母亲"},
    "丈夫": {"妻", "妻子"}, "妻": {"丈夫"}, "妻子": {"丈夫"}, "徒弟": {"师父", "师傅"}, "师父": {"徒弟"},
    "师傅": {"徒弟"}, "主人": {"仆人", "丫环", "老奴"},
}  # fmt: skip


def report(quick: bool) -> list[Row]:
    """Measure and print; there is no quicker way."""
    rows = measure()
    show("Chinese novels: names, relations, company", rows)
    return rows


def measure() -> list[Row]:
    """All three for both novels."""
    if not FOLDER.exists():
        return no_data("chinese_novels", FOLDER)
    return [row for novel in NOVELS for row in (*_names(novel), *_relations(novel), *_company(novel))]


def _aliases(novel: Novel) -> dict[str, list[str]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    with (FOLDER / f"aliases_{novel.short}_verified_mlintang.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["Main_Name_Mapping"] != "NOISE":
                found[row["Main_Name_Mapping"]].append(row["Extracted_Name"])
    return dict(sorted(found.items()))


def _triples(novel: Novel) -> list[_Triple]:
    text = (FOLDER / novel.triples).read_text(encoding="utf-8-sig")
    if novel.triples.endswith(".tsv"):
        return [(who, what, whom) for who, what, whom in (row.split("\t") for row in text.splitlines())]
    return [(row[0], row[2], row[1]) for row in csv.reader(text.splitlines()) if len(row) > 2]


def _chapters(novel: Novel) -> list[str]:
    return [file.read_text(encoding="utf-8") for file in sorted((FOLDER / novel.title).glob("*.txt"))]


def _cast(novel: Novel, *, aliases: bool = False, implied: bool = False) -> MemoryWorld:
    known = _aliases(novel)
    people = [
        Person(name, name, "", tuple(own) if aliases else (), implied_names(name) if implied else ())
        for name, own in known.items()
    ]
    slots = {name: slot for slot, name in enumerate(known)}
    links = [
        (slots[who], what, slots[whom], ())
        for who, what, whom in _triples(novel)
        if who in slots and whom in slots
    ]
    return MemoryWorld(people, links, mentioning=False, simplify=True)


def _present(world: MemoryWorld, texts: Iterable[str]) -> list[set[int]]:
    return [
        {hit.slot for meant in namings(world, text, world.everybody()).values() for hit, _ in meant}
        for text in texts
    ]


def _names(novel: Novel) -> list[Row]:
    texts = _chapters(novel)
    gold = _present(_cast(novel, aliases=True), texts)
    return [
        Row(f"{novel.title} names: {name}", len(texts), agreement(_present(world, texts), gold))
        for name, world in (("main", _cast(novel)), ("main and parts", _cast(novel, implied=True)))
    ]


class _Question(NamedTuple):
    text: str
    about: str
    gold: frozenset[str]


def _relations(novel: Novel) -> list[Row]:
    triples = _triples(novel)
    answers: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for who, what, whom in triples:
        answers[whom, what].add(who)
    asked = [
        _Question(f"{whom}的{what}是谁？", whom, frozenset(gold)) for (whom, what), gold in answers.items()
    ]
    other = [
        _Question(
            f"{whom}的{_OTHER_WORDS[what]}",
            whom,
            frozenset(gold | answers.get((whom, _OTHER_WORDS[what]), set())),
        )
        for (whom, what), gold in list(answers.items())
        if what in _OTHER_WORDS
    ]
    farther = [
        _Question(f"{whom}的{first}的{second}", whom, frozenset(gold - {whom}))
        for (whom, first), between in sorted(answers.items())
        for middle in sorted(between)
        for (start, second), gold in sorted(answers.items())
        if start == middle and gold - {whom}
    ]
    random.Random(1).shuffle(farther)
    kept, turned = _turned(triples, answers)
    return [
        *_answered(f"{novel.title} relations", triples, asked),
        *_answered(f"{novel.title} other words", triples, other),
        *_answered(f"{novel.title} two hops", triples, farther[:MOST]),
        *_answered(f"{novel.title} only the opposite", kept, turned),
    ]


def _turned(
    triples: Sequence[_Triple], answers: dict[tuple[str, str], set[str]]
) -> tuple[list[_Triple], list[_Question]]:
    """The triples without those whose opposite is there too, and the questions for what was taken out."""
    there = set(triples)
    out: set[_Triple] = set()
    questions = []
    for who, what, whom in triples:
        opposite = {(whom, word, who) for word in _OPPOSITES.get(what, ())}
        if opposite & (there - out):
            out.add((who, what, whom))
            questions.append(_Question(f"{whom}的{what}是谁？", whom, frozenset(answers[whom, what])))
    return [triple for triple in triples if triple not in out], questions


def _answered(name: str, triples: Sequence[_Triple], questions: Sequence[_Question]) -> list[Row]:
    names = sorted({end for who, _, whom in triples for end in (who, whom)})
    slots = {name: slot for slot, name in enumerate(names)}
    told: defaultdict[str, list[str]] = defaultdict(list)
    for who, what, whom in triples:
        told[who].append(f"{who}是{whom}的{what}。")
    people = [Person(name, name, "".join(told[name]), (), implied_names(name)) for name in names]
    links = [(slots[who], what, slots[whom], ()) for who, what, whom in triples]
    world = MemoryWorld(people, links, mentioning=False)
    graph: Counter[str] = Counter()
    words: Counter[str] = Counter()
    for question in questions:
        found = GraphRetriever(world).retrieve(question.text, world.everybody()).targets
        for counts, ranked in (
            (graph, [t.slot for t in found]),
            (words, world.words.ranked(question.text, 20)),
        ):
            others = [names[slot] for slot in ranked if names[slot] != question.about]
            counts["@1"] += bool(set(others[:1]) & question.gold)
            counts["@5"] += bool(set(others[:5]) & question.gold)
    size = len(questions)
    return [
        Row(f"{name}: {way}", size, {key: 100 * counts[key] / size for key in ("@1", "@5")})
        for way, counts in (("BM25", words), ("graph", graph))
    ]


def _company(novel: Novel) -> list[Row]:
    with (FOLDER / f"cooccurrence_{novel.short}_mlintang.csv").open(encoding="utf-8") as file:
        gold = {
            frozenset((row["Source"], row["Target"])): float(row["Weight"]) for row in csv.DictReader(file)
        }
    passages = [passage for text in _chapters(novel) for passage in text.split("\n") if passage.strip()]
    rows = []
    for name, world in (
        ("main", _cast(novel)),
        ("main and parts", _cast(novel, implied=True)),
        ("all aliases", _cast(novel, aliases=True)),
    ):
        names = [person.name for person in world.people]
        shared: Counter[frozenset[str]] = Counter()
        for present in _present(world, passages):
            shared.update(
                frozenset((names[one], names[two])) for one, two in combinations(sorted(present), 2)
            )
        pairs = [frozenset(pair) for pair in combinations(names, 2)]
        is_gold = np.array([pair in gold for pair in pairs])
        weights = np.array([shared[pair] for pair in pairs], dtype=np.float64)
        best = np.argsort(-weights, kind="stable")[: int(is_gold.sum())]
        figures = {"AUC": 100 * _auc(weights, is_gold), "P@N": 100 * float(is_gold[best].mean())}
        rows.append(Row(f"{novel.title} company: {name}", int(is_gold.sum()), figures))
    return rows


def _auc(scores: np.ndarray, positive: np.ndarray) -> float:
    """How often a pair of the table has more than one that is not in it; ties count half."""
    _, ranks, counts = np.unique(scores, return_inverse=True, return_counts=True)
    middle = np.cumsum(counts) - (counts - 1) / 2
    ups = int(positive.sum())
    downs = len(positive) - ups
    return float((middle[ranks][positive].sum() - ups * (ups + 1) / 2) / max(1, ups * downs))
