"""Who is active in a chapter, against hand-made lists of who meets whom.

Names come from the list as they stand ("Princess Darya Alexandrovna Oblonskaya (Dolly)"), relations from
its one-line descriptions. P, R and F1 count pairs of chapter and character. Lookups ask "Who is Levin's
brother?", once with the descriptions as texts, once with what they say as relations and no texts; @1 and @5
are the first and the first five answers.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from bench.eval.graph_world import MemoryWorld, Person
from bench.eval.presence import Presence, presences
from bench.eval.table import DATA, Row, no_data, show
from fabula.matching.implied import implied_names
from fabula.retrieval.retriever import GraphRetriever

TEXTS = DATA / "english_novels" / "anna_karenina_chapters"

_LINE = re.compile(r"([A-Z]{2}) (.+)")
_CODE = re.compile(r"\b[A-Z]{2}\b")
_BRACKET = re.compile(r"\s*\(([^)]*)\)")
_WHAT_TO_WHOM = re.compile(r"(?:\w+ )*?(\w+) (?:of|to) ((?:[A-Z]{2}(?: and )?)+)")
_NUMBER = re.compile(r"\s+\d+$")


class Cast(NamedTuple):
    """The characters, what is said of who they are to each other, and who is active in each chapter."""

    people: list[Person]
    relations: list[tuple[int, str, int, tuple[str, ...]]]
    chapters: list[set[int]]


def report(quick: bool) -> list[Row]:
    """Measure and print; there is no quicker way."""
    rows = measure()
    show("Anna Karenina: who is active in a chapter", rows)
    return rows


def measure() -> list[Row]:
    """Full names only, parts of names too, and who is on stage."""
    list_file = DATA / "graphbase" / "anna.dat"
    texts = [file.read_text() for file in sorted(TEXTS.glob("*.txt"))]
    if not list_file.exists() or not texts:
        return no_data("graphbase", DATA)
    cast = read_cast(list_file)
    plain = _found(cast_world(cast, implied=False), texts)
    parts = _found(cast_world(cast, implied=True), texts)
    rows = [
        _row("full names and aliases", [{one.slot for one in own} for own in plain], cast.chapters),
        _row("and parts of names", [{one.slot for one in own} for own in parts], cast.chapters),
        _row(
            "told, not quoted, twice", [{o.slot for o in own if o.told >= 2} for own in parts], cast.chapters
        ),
    ]
    on_stage = [{one.slot for one in own if one.on_stage} for own in parts]
    for name, part in (
        ("", slice(None)),
        (", odd half", slice(0, None, 2)),
        (", even half", slice(1, None, 2)),
    ):
        rows.append(_row(f"on stage{name}", on_stage[part], cast.chapters[part]))
    for file in (list_file, DATA / "graphbase" / "huck.dat"):
        rows += _lookups(file)
    return rows


def read_cast(file: Path) -> Cast:
    """The characters and chapters of a list."""
    codes: dict[str, int] = {}
    people: list[Person] = []
    chapters: list[set[int]] = []
    for line in file.read_text(encoding="latin-1").splitlines():
        if line.startswith("*"):
            continue
        if match := _LINE.fullmatch(line):
            full, _, description = match[2].partition(", ")
            name = _NUMBER.sub("", _BRACKET.sub("", full))
            codes[match[1]] = len(people)
            people.append(Person(match[1], name, description, tuple(_BRACKET.findall(full))))
        elif ":" in line:
            chapters.append({codes[code] for code in _CODE.findall(line.split(":", 1)[1])})
    relations = [
        (slot, person.text, codes[code], ())
        for slot, person in enumerate(people)
        for code in _CODE.findall(person.text)
        if code in codes
    ]
    return Cast(people, relations, chapters)


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


def _found(world: MemoryWorld, texts: Sequence[str]) -> list[list[Presence]]:
    return [presences(world, text, world.everybody()) for text in texts]


def _row(name: str, predicted: Sequence[set[int]], gold: Sequence[set[int]]) -> Row:
    return Row(name, len(gold), agreement(predicted, gold))


def agreement(predicted: Sequence[set[int]], gold: Sequence[set[int]]) -> dict[str, float]:
    """Precision, recall and their harmonic mean, in per cent."""
    hits = sum(len(ours & theirs) for ours, theirs in zip(predicted, gold, strict=True))
    precision = hits / max(1, sum(map(len, predicted)))
    recall = hits / max(1, sum(map(len, gold)))
    mean = 2 * precision * recall / max(1e-9, precision + recall)
    return {"P": 100 * precision, "R": 100 * recall, "F1": 100 * mean}
