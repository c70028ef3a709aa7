"""Who is who in a whole novel, against aliases and casts that others have verified.

`joined` and `proposed` are shares of the verified pairs of names that mean one person; a pair whose names do
not both stand in the text as words is left out. `right` is the share of the joins that agree with the list,
where it has both names. `people` counts, of the forty people named most, those who are one entity and the
only ones in it; a part of an English name is somebody's only if it is nobody else's name. Each stands beside
the names joined by their form alone. `half 1` was looked at while the first rules were made. Since the rules
for names with titles (decision 058) the misses of both halves have been read, so that neither is unseen any
more.
"""

from __future__ import annotations

import csv
import re
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from bench.eval.graphbase import read_cast
from bench.eval.table import DATA, Row, no_data, show
from fabula.extraction.found import FoundMentions
from fabula.extraction.known import KnownNames
from fabula.extraction.local import LocalExtractor
from fabula.extraction.local_drafts import likeness
from fabula.extraction.people import grouped_names
from fabula.extraction.whole_book import Block, joined, weighed
from fabula.matching import fold
from fabula.matching.implied import implied_names
from fabula.model.proposal import Draft, ProposalKind
from fabula.model.relation import Language

_BLOCK = 150_000
_APPROVED, _PROPOSED = 0.8, 0.65
_MOST_NAMED = 40
_BANDS = (_PROPOSED, _APPROVED, 0.9, 0.97, 1.1)
_OFTEN = 5
_PART_OF_A_WORD = 0.8
_HAN = re.compile("[\u4e00-\u9fff]")

_CHINESE = {"红楼梦": "red_chamber", "西游记": "journey_west"}
_ENGLISH = {"anna_karenina_chapters": "anna.dat", "les_miserables": "jean.dat"}

Pairs = list[tuple[str, str]]


class _Names(NamedTuple):
    """The names of each entity found, those of each pair that is proposed as one, and the time it took."""

    entities: list[set[str]]
    proposed: list[tuple[set[str], set[str]]]
    seconds: float
    people: Sequence[tuple[float, set[str]]] = ()


def report(quick: bool) -> list[Row]:
    """Measure and print; in a hurry, one novel of each language."""
    rows: list[Row] = []
    for title, list_name in list(_CHINESE.items())[: 1 if quick else None]:
        file = DATA / "chinese_novels" / f"aliases_{list_name}_verified_mlintang.csv"
        text = _text(DATA / "chinese_novels" / title)
        rows += _chinese(title, text, file) if text and file.exists() else no_data(title, file)
    for title, list_name in list(_ENGLISH.items())[: 1 if quick else None]:
        file = DATA / "graphbase" / list_name
        text = _text(DATA / "english_novels" / title)
        rows += _english(title, text, file) if text and file.exists() else no_data(title, file)
    show("Who is who in a novel", rows)
    return rows


def _text(folder: Path) -> str:
    return "".join(file.read_text("utf-8") + "\n" for file in sorted(folder.glob("*.txt")))


def _chinese(title: str, text: str, file: Path) -> list[Row]:
    pairs = _pairs(file, text)
    halves = {"half 1": pairs[: len(pairs) // 2], "half 2": pairs[len(pairs) // 2 :]}
    people: defaultdict[str, set[str]] = defaultdict(set)
    for name, main in _listed(file):
        people[main] |= {name, main}
    rows = []
    for way, names in _ways(text, "zh").items():
        rows += [
            Row(f"{title}, {way}, {half}", len(own), _of_pairs(own, dict(pairs), names))
            for half, own in halves.items()
        ]
        rows[-1].figures.update(_of_people(list(people.values()), names, text), **{"cpu s": names.seconds})
        if names.people:
            rows.append(Row(f"{title}: judged right by confidence", len(names.people), _judged(file, names)))
    return rows


def _judged(file: Path, names: _Names) -> dict[str, float]:
    """Of the people found with such a confidence whom the list judges, the share that it has as people."""
    with file.open(encoding="utf-8") as lines:
        judged = {
            fold(row["Extracted_Name"], simplify=True).text: row["Main_Name_Mapping"] != "NOISE"
            for row in csv.DictReader(lines)
        }
    figures = {}
    for least, most in pairwise(_BANDS):
        own = [
            any(judged.get(name, False) for name in found)
            for confidence, found in names.people
            if least <= confidence < most and not found.isdisjoint(judged)
        ]
        figures[f">={least}"] = 100 * sum(own) / max(1, len(own))
    return figures


def _english(title: str, text: str, file: Path) -> list[Row]:
    cast = read_cast(file)
    seen = Counter(slot for chapter in cast.chapters for slot in chapter)
    parts = Counter(part for person in cast.people for part in implied_names(person.name, person.aliases))
    stated = Counter(name for person in cast.people for name in {person.name, *person.aliases})
    people = [
        {
            person.name,
            *person.aliases,
            *(
                one
                for one in implied_names(person.name, person.aliases)
                if parts[one] == 1 and not stated[one]
            ),
        }
        for person in (cast.people[slot] for slot, _ in seen.most_common())
    ]
    return [
        Row(f"{title}, {way}", _MOST_NAMED, _of_people(people, names, text) | {"cpu s": names.seconds})
        for way, names in _ways(text, "en").items()
    ]


def _ways(text: str, language: Language) -> dict[str, _Names]:
    """The names joined by their form alone, and by everything that the book says."""
    began = time.process_time()
    found = weighed(_found(text, language), text, language)
    read = time.process_time() - began
    sure = [name for name in found.names if name.confidence >= _PROPOSED and name.times >= 3]
    plain = grouped_names(sure, KnownNames(()), likeness)
    floor = [
        {name.text for name in (entity.name, *entity.aliases)}
        for entity in plain.entities
        if entity.confidence >= _APPROVED
    ]
    began = time.process_time()
    drafts = LocalExtractor(threshold=_PROPOSED).drafts(text, found, KnownNames(()), language)
    seconds = read + time.process_time() - began
    return {"by form": _Names(floor, [], read), "ours": _of_drafts(drafts, seconds)}


def _found(text: str, language: Language) -> FoundMentions:
    blocks = []
    start = 0
    while start < len(text):
        end = text.find("\n", start + _BLOCK)
        end = len(text) if end < 0 else end + 1
        blocks.append(Block(start, LocalExtractor().found(text[start:end], KnownNames(()), language)))
        start = end
    return joined(blocks)


def _of_drafts(drafts: Sequence[Draft], seconds: float) -> _Names:
    entities = {draft.entity_name: set(draft.names) for draft in drafts if draft.kind is ProposalKind.ENTITY}
    sure = [
        set(draft.names)
        for draft in drafts
        if draft.kind is ProposalKind.ENTITY and draft.confidence >= _APPROVED
    ]
    proposed = []
    for draft in drafts:
        if draft.kind is ProposalKind.ALIAS:
            owner = str(draft.attributes["aliasOf"])
            proposed.append(
                (entities.get(draft.entity_name, {draft.entity_name}), entities.get(owner, {owner}))
            )
    people = [
        (draft.confidence, set(draft.names))
        for draft in drafts
        if draft.kind is ProposalKind.ENTITY and draft.entity_type == "character"
    ]
    waiting = [names for names in entities.values() if names not in sure and len(names) > 1]
    return _Names(sure, [*proposed, *((names, names) for names in waiting)], seconds, people)


def _listed(file: Path) -> Iterable[tuple[str, str]]:
    with file.open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            if row["Main_Name_Mapping"] != "NOISE":
                name, main = row["Extracted_Name"], row["Main_Name_Mapping"]
                yield fold(name, simplify=True).text, fold(main, simplify=True).text


def _pairs(file: Path, text: str) -> Pairs:
    """The verified pairs, in the order of the list, whose names both stand in the text as words."""
    pairs = dict.fromkeys(pair for pair in _listed(file) if pair[0] != pair[1])
    return [
        (name, main)
        for name, main in pairs
        if main in text and name[0] != "那" and name[:-1] != main and _is_word(name, text)
    ]


def _times(name: str, text: str) -> int:
    """How often a name stands in a text; an English one as whole words."""
    return len(re.findall(rf"\b{re.escape(name)}\b", text)) if name.isascii() else text.count(name)


def _is_word(name: str, text: str) -> bool:
    """Whether a string of the list is more than a piece of a longer word: 乌巢禅 is one of 乌巢禅师."""
    places = [found.span() for found in re.finditer(re.escape(name), text)]
    for neighbours in (
        Counter(text[start - 1 : start] for start, _ in places),
        Counter(text[end : end + 1] for _, end in places),
    ):
        for character, count in neighbours.most_common(1):
            if _HAN.match(character) and count > _PART_OF_A_WORD * len(places):
                return False
    return bool(places)


def _of_pairs(pairs: Pairs, listed: dict[str, str], names: _Names) -> dict[str, float]:
    together = sum(any({name, main} <= entity for entity in names.entities) for name, main in pairs)
    offered = sum(
        not any({name, main} <= entity for entity in names.entities)
        and any({name, main} <= ones | others for ones, others in names.proposed)
        for name, main in pairs
    )
    mains = listed | {main: main for main in listed.values()}
    known = [[mains[name] for name in entity if name in mains] for entity in names.entities]
    joins = sum(len(entity) - 1 for entity in known if entity)
    wrong = sum(len(set(entity)) - 1 for entity in known if entity)
    return {
        "joined": 100 * together / max(1, len(pairs)),
        "proposed": 100 * offered / max(1, len(pairs)),
        "right": 100 * (joins - wrong) / max(1, joins),
    }


def _of_people(people: Sequence[set[str]], names: _Names, text: str) -> dict[str, float]:
    """How many of those named most are one entity each."""
    times = {name: _times(name, text) for person in people for name in person}
    most = sorted(people, key=lambda person: -max(times[name] for name in person))[:_MOST_NAMED]
    found = 0
    for person in most:
        used = {name for name in person if times[name] >= _OFTEN}
        own = [entity for entity in names.entities if entity & used]
        others = any(entity & (other - person) for entity in own for other in people if other is not person)
        found += len(own) == 1 and not others
    return {"people": found}
