"""Ties and descriptions that the local extractor reads from whole novels.

The cast is given (verified aliases of the two Chinese novels), so that only the reading of ties is measured:
how many it finds, how many of the pairs in hand-made tables of kin and servants it relates, and how many of
its own ties between people of those tables the tables relate in any way. A table lists some dozen people and
misses most of what a novel states, so the second is a floor, not a precision. The floor of the first is what
co-occurrence gave before: pairs that are named together. Precision was judged by eye on sampled sentences.
"""

from __future__ import annotations

import csv
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from bench.eval.chinese_novels import FOLDER, NOVELS, Novel
from bench.eval.table import DATA, Row, no_data, show
from fabula.extraction.known import KnownNames
from fabula.extraction.local import LocalExtractor
from fabula.extraction.mentions import FoundMention, without_overlaps
from fabula.extraction.port import KnownEntity
from fabula.extraction.stated import stated
from fabula.extraction.ties.drafts import Somebody
from fabula.extraction.together import pairs
from fabula.extraction.whole_book import Block, joined, weighed
from fabula.matching import fold
from fabula.model.relation import Language

_THRESHOLD = 0.65
_APPROVED = 0.7
_LOOSE = ("knows", "companion", "同伴")
_BLOCK = 150_000

Pair = frozenset[str]


def report(quick: bool) -> list[Row]:
    """Measure and print."""
    if not FOLDER.exists():
        return no_data("ties", FOLDER)
    rows = [row for novel in NOVELS for row in _given_cast(novel)]
    if not quick:
        rows += [_by_itself(*book) for book in _books()]
    show("Ties and descriptions read from whole novels", rows)
    return rows


def _given_cast(novel: Novel) -> Iterator[Row]:
    """The ties between people whose names are given, against tables and against co-occurrence."""
    text = _text(FOLDER / novel.title)
    cast = cast_of(novel)
    known = KnownNames([KnownEntity(name, "character", tuple(names)) for name, names in cast.items()])
    who: dict[str, Somebody] = {}
    mentions: list[FoundMention] = []
    for hit, owner in known.places(text):
        word = text[hit.start : hit.end]
        who[word] = Somebody(owner.name, "character", 1.0)
        mentions.append(FoundMention(hit.start, hit.end, word, "character", 1.0))
    mentions = without_overlaps(mentions)
    began = time.process_time()
    found = stated(text, mentions, who, "zh", _THRESHOLD, is_book=True)
    seconds = time.process_time() - began
    sure = [tie for tie in found.ties if tie.confidence >= _APPROVED]
    wanted = _table(novel, cast)
    people = {name for pair in wanted for name in pair}
    told = {frozenset((tie.source.name, tie.target.name)) for tie in sure}
    close = {
        frozenset((tie.source.name, tie.target.name))
        for tie in sure
        if tie.type not in _LOOSE and {tie.source.name, tie.target.name} <= people
    }
    together = _together(text, mentions, who)
    yield Row(
        f"{novel.title}, cast given",
        len(wanted),
        {
            "ties": len(sure),
            "typed": sum(tie.type not in _LOOSE for tie in sure),
            "recall": _share(len(wanted & told), len(wanted)),
            "in table": _share(len(close & wanted), len(close)),
            "described": _share(sum(bool(found.facts.get(name)) for name in cast), len(cast)),
            "cpu s": seconds,
        },
    )
    yield Row(
        f"{novel.title}, co-occurrence",
        len(wanted),
        {"ties": len(together), "recall": _share(len(wanted & together), len(wanted))},
    )


def _by_itself(title: str, text: str, language: Language) -> Row:
    """What the extractor finds without knowing anybody: ties, and people who are described by facts."""
    nobody = KnownNames([])
    blocks = [
        Block(start, LocalExtractor().found(text[start : start + _BLOCK], nobody, language))
        for start in range(0, len(text), _BLOCK)
    ]
    found = weighed(joined(blocks), text, language)
    began = time.process_time()
    drafts = LocalExtractor(threshold=_THRESHOLD).drafts(text, found, nobody, language, is_book=True)
    seconds = time.process_time() - began
    people = [one for one in drafts if one.entity_type == "character" and one.kind == "entity"]
    ties = [one for one in drafts if one.kind == "relation" and one.confidence >= _APPROVED]
    return Row(
        f"{title}, nobody given",
        len(people),
        {
            "ties": len(ties),
            "typed": sum(one.attributes["type"] not in _LOOSE for one in ties),
            "described": _share(sum(bool(one.facts) for one in people), len(people)),
            "cpu s": seconds,
        },
    )


def _books() -> Iterator[tuple[str, str, Language]]:
    for novel in NOVELS:
        yield novel.title, _text(FOLDER / novel.title), "zh"
    anna = DATA / "english_novels" / "anna_karenina_chapters"
    if anna.exists():
        yield "Anna Karenina", _text(anna), "en"


def _text(folder: Path) -> str:
    return "\n".join(file.read_text(encoding="utf-8") for file in sorted(folder.glob("*.txt")))


def cast_of(novel: Novel) -> dict[str, list[str]]:
    """The verified aliases of a novel's people, by their main names."""
    cast: defaultdict[str, list[str]] = defaultdict(list)
    with (FOLDER / f"aliases_{novel.short}_verified_mlintang.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["Main_Name_Mapping"] != "NOISE":
                cast[row["Main_Name_Mapping"]].append(fold(row["Extracted_Name"], simplify=True).text)
    return dict(cast)


def _table(novel: Novel, cast: dict[str, list[str]]) -> set[Pair]:
    """The pairs of the hand-made table whose people are in the cast, under its main names."""
    main = {name: owner for owner, names in cast.items() for name in (owner, *names)}
    text = (FOLDER / novel.triples).read_text(encoding="utf-8-sig")
    if novel.triples.endswith(".tsv"):
        rows = [(row.split("\t")[0], row.split("\t")[2]) for row in text.splitlines()]
    else:
        rows = [(row[0], row[1]) for row in csv.reader(text.splitlines()) if len(row) > 2]
    found = {frozenset((main[one], main[other])) for one, other in rows if one in main and other in main}
    return {pair for pair in found if len(pair) == 2}


def _together(text: str, mentions: list[FoundMention], who: dict[str, Somebody]) -> set[Pair]:
    """The pairs that co-occurrence proposes, as it did before ties were read."""
    lines: defaultdict[int, list[FoundMention]] = defaultdict(list)
    ends = [place for place, character in enumerate(text) if character == "\n"]
    line = 0
    for mention in mentions:
        while line < len(ends) and ends[line] < mention.start:
            line += 1
        lines[line].append(mention)
    found = pairs(lines.values(), {name: one.name for name, one in who.items()})
    return {frozenset((who[pair.one.text].name, who[pair.other.text].name)) for pair in found}


def _share(part: int, whole: int) -> float:
    return 100 * part / whole if whole else 0.0
