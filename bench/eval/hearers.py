"""Conversations whose people come and go: who hears each line?

There is no outside set of it here, so these are made up: between the lines of real conversations (LoCoMo,
never their first or last ones) and lines that only sound like coming or going, people take leave and come
back in the words of `hearers.tsv`, and others answer them or do not. Every second phrase was not looked at
while the rules were made. Exact: lines whose hearers are all right; leaks: lines heard by somebody who was
away; missed: lines that somebody who was there did not hear. The same person thought of the phrases of both
halves and of the rules, so that strangers' conversations will do worse.
"""

from __future__ import annotations

import csv
import json
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from bench.eval.table import DATA, Row, record, show
from fabula.staging.on_stage import NamedAt
from fabula.staging.stage import presence_of, present_at

_PHRASES = Path(__file__).with_suffix(".tsv")
_NAMES = {
    "en": ("Gianna", "Sara", "Javier", "Kailey", "Noah", "Mei", "Old Tom", "Dr. Hale"),
    "zh": ("李雷", "韩梅梅", "王医生", "小北", "老陈", "苏晚", "林远", "阿福"),
}
_HALVES = {"phrases looked at": 0, "phrases not looked at": 1}
_CONVERSATIONS = 300
_LEAVING, _COMING = 0.07, 0.12


class Line(NamedTuple):
    """What is said, by whom, and who hears it."""

    speaker: str
    words: str
    hearers: frozenset[str]


def report(quick: bool) -> list[Row]:
    """Measure and print; fewer conversations in a hurry."""
    rows = list(measure(50 if quick else _CONVERSATIONS))
    title = "Who hears each line of a conversation"
    show(title, rows)
    if rows and not quick:
        record("Hearers", __doc__, {title: rows})
    return rows


def measure(count: int) -> Iterator[Row]:
    """Everybody hears everything, and ours, in both languages and on both halves of the phrases."""
    for language in _NAMES:
        for half, parity in _HALVES.items():
            made = [conversation(language, parity, seed) for seed in range(count)]
            heard = [[frozenset(line.speaker for line in lines)] * len(lines) for lines in made]
            yield _row(f"{language}, {half}: everybody", made, heard)
            yield _row(f"{language}, {half}: ours", made, [hearers(lines) for lines in made])


def hearers(lines: Sequence[Line]) -> list[frozenset[str]]:
    """Who hears each line, by our rules."""
    text, places = "", []
    for line in lines:
        places.append(len(text))
        text += f"{line.speaker}: {line.words}\n"
    people = sorted({line.speaker for line in lines}, key=len, reverse=True)
    named = [
        NamedAt(found.start(), found.end(), found[0])
        for found in re.finditer("|".join(map(re.escape, people)), text)
    ]
    spans = presence_of(text, named)
    return [present_at(spans, place, place + 1) for place in places]


def conversation(language: str, parity: int, seed: int) -> list[Line]:
    """A conversation of some thirty lines in which people come and go."""
    dice = random.Random(f"{language} {parity} {seed}")
    phrases = _phrases(language, parity)
    people = list(dice.sample(_NAMES[language], dice.randint(3, 5)))
    there = people[: dice.randint(2, len(people))]
    away = people[len(there) :]
    lines: list[Line] = []

    def say(speaker: str, words: str) -> None:
        lines.append(Line(speaker, words, frozenset(there)))

    for speaker in there:
        say(speaker, _filler(dice, phrases, language, there, speaker))
    while len(lines) < 30:
        if len(there) > 2 and dice.random() < _LEAVING:
            leaver = dice.choice(there)
            say(leaver, dice.choice(phrases["leave"]))
            there.remove(leaver)
            away.append(leaver)
            for one in there[: dice.randint(0, 2)]:
                say(one, dice.choice(phrases["bid"]).format(leaver=leaver))
        elif away and dice.random() < _COMING:
            joiner = away.pop(dice.randrange(len(away)))
            there.append(joiner)
            say(joiner, dice.choice(phrases["join"]))
            for one in there[: dice.randint(0, min(2, len(there) - 1))]:
                say(one, dice.choice(phrases["welcome"]).format(joiner=joiner))
        else:
            last = lines[-1].speaker
            speaker = dice.choice([one for one in there if one != last])
            say(speaker, _filler(dice, phrases, language, there, speaker))
    return lines


def _filler(
    dice: random.Random, phrases: dict[str, list[str]], language: str, there: Sequence[str], speaker: str
) -> str:
    if language == "zh" or dice.random() < 0.1:
        return dice.choice(phrases["stay"])
    other = dice.choice([one for one in there if one != speaker])
    return dice.choice(phrases["real"]).format(other=other)


_read: dict[tuple[str, int], dict[str, list[str]]] = {}


def _phrases(language: str, parity: int) -> dict[str, list[str]]:
    if (found := _read.get((language, parity))) is None:
        found = {}
        with _PHRASES.open(encoding="utf-8") as rows:
            for own, kind, words in csv.reader(rows, delimiter="\t", quoting=csv.QUOTE_NONE):
                if own == language:
                    found.setdefault(kind, []).append(words)
        found = {kind: words[parity::2] for kind, words in found.items()}
        found["real"] = list(_real(parity)) or found["stay"]
        _read[language, parity] = found
    return found


def _real(parity: int) -> Iterator[str]:
    """Lines from the middle of real conversations, with a place for the name of who is spoken to."""
    file = DATA / "locomo" / "locomo10.dev.json"
    if not file.exists():
        return
    for sample in json.loads(file.read_text("utf-8"))[parity::2]:
        talk = sample["conversation"]
        names = re.compile(rf"\b(?:{talk['speaker_a']}|{talk['speaker_b']})\b")
        for key, turns in talk.items():
            if key.startswith("session_") and isinstance(turns, list):
                for turn in turns[4:-6]:
                    words = " ".join(turn["text"].split()).replace("{", "(").replace("}", ")")
                    yield names.sub("{other}", words)


def _row(name: str, made: Sequence[Sequence[Line]], heard: Sequence[Sequence[frozenset[str]]]) -> Row:
    pairs = [
        (line.hearers, own)
        for lines, found in zip(made, heard, strict=True)
        for line, own in zip(lines, found, strict=True)
    ]
    count = len(pairs) / 100
    return Row(
        name,
        len(pairs),
        {
            "exact": sum(own == right for right, own in pairs) / count,
            "leaks": sum(bool(own - right) for right, own in pairs) / count,
            "missed": sum(bool(right - own) for right, own in pairs) / count,
        },
    )
