"""Lookups in the hand-made casts of novels, and the casts themselves with who is active in which chapter.

Names come from the list as they stand ("Princess Darya Alexandrovna Oblonskaya (Dolly)"), relations from
its one-line descriptions. Lookups ask "Who is Levin's brother?", once with the descriptions as texts, once
with what they say as relations and no texts; @1 and @5 are the first and the first five answers.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from bench.eval.graph_world import MemoryWorld, Person
from bench.eval.table import DATA, Row, no_data, show
from fabula.matching.implied import implied_names
from fabula.retrieval.retriever import GraphRetriever

_LINE = re.compile(r"([A-Z]{2}) (.+)")
_CHAPTER = re.compile(r"(\d+(?:\.\d+)+)(?=:|$)")
_CODE = re.compile(r"\b[A-Z]{2}\b")
_ACCENT = re.compile(r"\\(?:([\'`^\"])([A-Za-z])|c\{?([cC])\}?)")
_MARKS = {"'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308"}
_BRACKET = re.compile(r"\s*\(([^)]*)\)")
_WHAT_TO_WHOM = re.compile(r"(?:\w+ )*?(\w+) (?:of|to) ((?:[A-Z]{2}(?: and )?)+)")
_NUMBER = re.compile(r"\s+\d+$")


class Cast(NamedTuple):
    """The characters, what is said of who they are to each other, and who is active in each chapter.

    `numbers` are the chapters as the list counts them: `1.2.3` is a chapter of a book of a volume.
    """

    people: list[Person]
    relations: list[tuple[int, str, int, tuple[str, ...]]]
    chapters: list[set[int]]
    numbers: list[str]


def report(quick: bool) -> list[Row]:
    """Measure and print; there is no quicker way."""
    rows = measure()
    show("Who is whose brother, by texts and by relations", rows)
    return rows


def measure() -> list[Row]:
    """Lookups in two lists."""
    files = [DATA / "graphbase" / name for name in ("anna.dat", "huck.dat")]
    if not all(file.exists() for file in files):
        return no_data("graphbase", DATA)
    return [row for file in files for row in _lookups(file)]


def read_cast(file: Path) -> Cast:
    """The characters and chapters of a list."""
    codes: dict[str, int] = {}
    people: list[Person] = []
    chapters: list[set[int]] = []
    numbers: list[str] = []
    for line in _ACCENT.sub(_accented, file.read_text(encoding="latin-1")).splitlines():
        if line.startswith("*"):
            continue
        if match := _LINE.fullmatch(line):
            full, _, description = match[2].partition(", ")
            name = _NUMBER.sub("", _BRACKET.sub("", full))
            codes[match[1]] = len(people)
            people.append(Person(match[1], name, description, tuple(_BRACKET.findall(full))))
        elif numbered := _CHAPTER.match(line):
            numbers.append(numbered[1])
            chapters.append({codes[code] for code in _CODE.findall(line[numbered.end() :])})
    relations = [
        (slot, person.text, codes[code], ())
        for slot, person in enumerate(people)
        for code in _CODE.findall(person.text)
        if code in codes
    ]
    return Cast(people, relations, chapters, numbers)


def _accented(found: re.Match[str]) -> str:
    """A letter with its accent, for how TeX writes it."""
    letter = f"{found[2]}{_MARKS[found[1]]}" if found[1] else f"{found[3]}\u0327"
    return unicodedata.normalize("NFC", letter)


def cast_world(cast: Cast, *, implied: bool) -> MemoryWorld:
    """The cast as a world, with or without parts of names."""
    people = [
        replace(person, implied=implied_names(person.name, person.aliases) if implied else ())
        for person in cast.people
    ]
    return MemoryWorld(people, cast.relations, mentioning=False)


class _Lookup(NamedTuple):
    whom: int
    what: str
    gold: set[int]


def _lookups(file: Path) -> list[Row]:
    cast = read_cast(file)
    slots = {person.id: slot for slot, person in enumerate(cast.people)}
    triples = _triples(cast, slots)
    asked: defaultdict[tuple[int, str], set[int]] = defaultdict(set)
    for who, what, whom, _ in triples:
        asked[whom, what].add(who)
    lookups = [_Lookup(whom, what, gold) for (whom, what), gold in asked.items()]
    told = [
        replace(
            person,
            text=_CODE.sub(lambda code: _named(cast, slots, code[0]), person.text),
            implied=implied_names(person.name, person.aliases),
        )
        for person in cast.people
    ]
    by_texts = MemoryWorld(told)
    by_relations = MemoryWorld([replace(person, text="") for person in told], triples)
    return [
        Row(f"{file.stem} lookups by {name}: {way}", len(lookups), _answered(world, lookups, way))
        for name, world in (("texts", by_texts), ("relations", by_relations))
        for way in ("BM25", "graph")
    ]


def _triples(cast: Cast, slots: dict[str, int]) -> list[tuple[int, str, int, tuple[str, ...]]]:
    """Who is what to whom, where both names are nobody else's."""
    often = Counter(person.name for person in cast.people)
    return [
        (slot, match[1], slots[code], ())
        for slot, person in enumerate(cast.people)
        if (match := _WHAT_TO_WHOM.match(person.text))
        for code in _CODE.findall(match[2])
        if code in slots and often[person.name] == often[_named(cast, slots, code)] == 1
    ]


def _named(cast: Cast, slots: dict[str, int], code: str) -> str:
    return cast.people[slots[code]].name if code in slots else code


def _answered(world: MemoryWorld, lookups: Sequence[_Lookup], way: str) -> dict[str, float]:
    hits: Counter[int] = Counter()
    for lookup in lookups:
        query = f"Who is {world.people[lookup.whom].name}'s {lookup.what}?"
        if way == "BM25":
            ranked = world.words.ranked(query, 20)
        else:
            found = GraphRetriever(world).retrieve(query, world.everybody())
            ranked = [target.slot for target in found.targets]
        others = [slot for slot in ranked if slot != lookup.whom]
        hits.update(size for size in (1, 5) if lookup.gold & set(others[:size]))
    return {f"@{size}": 100 * hits[size] / len(lookups) for size in (1, 5)}


def agreement_row(name: str, predicted: Sequence[set[int]], gold: Sequence[set[int]]) -> Row:
    return Row(name, len(gold), agreement(predicted, gold))


def agreement(predicted: Sequence[set[int]], gold: Sequence[set[int]]) -> dict[str, float]:
    """Precision, recall and their harmonic mean, in per cent."""
    hits = sum(len(ours & theirs) for ours, theirs in zip(predicted, gold, strict=True))
    precision = hits / max(1, sum(map(len, predicted)))
    recall = hits / max(1, sum(map(len, gold)))
    mean = 2 * precision * recall / max(1e-9, precision + recall)
    return {"P": 100 * precision, "R": 100 * recall, "F1": 100 * mean}
