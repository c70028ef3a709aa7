"""Whole conversations in which people come and go in their own words: who hears each line.

`-` after a name: they go with this line; `+`: they come with it. Most were written before the rules were
read; then 72 to 84 of 100 lines had exactly the right hearers.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from fabula.staging.on_stage import NamedAt
from fabula.staging.stage import presence_of, present_at

_LINE = re.compile(r"([^:]+?)([-+]?): (.*)")


class Line(NamedTuple):
    speaker: str
    move: str
    words: str


def _conversations() -> list[list[Line]]:
    made = []
    for row in Path(__file__).with_name("conversations.tsv").read_text(encoding="utf-8").splitlines():
        found = [_LINE.fullmatch(line) for line in row.split("\t")]
        made.append([Line(*one.groups()) for one in found if one is not None])
    return made


@pytest.mark.parametrize("lines", _conversations(), ids=lambda lines: lines[0].words[:24])
def test_every_line_is_heard_by_those_who_are_there(lines: list[Line]) -> None:
    first: dict[str, str] = {}
    for line in lines:
        first.setdefault(line.speaker, line.move)
    there = {speaker for speaker, move in first.items() if move != "+"}
    text, places, right = "", [], []
    for line in lines:
        there |= {line.speaker}
        places.append(len(text))
        right.append(frozenset(there))
        text += f"{line.speaker}: {line.words}\n"
        if line.move == "-":
            there -= {line.speaker}
    names = "|".join(map(re.escape, sorted(first, key=len, reverse=True)))
    spans = presence_of(text, [NamedAt(one.start(), one.end(), one[0]) for one in re.finditer(names, text)])
    assert [present_at(spans, place, place + 1) for place in places] == right
