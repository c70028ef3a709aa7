"""Contradictions in many wordings: what was told first, what contradicts it, and what does not.

The sentences were written before the rules were read, but for the last two; the rules found 32 of the
first 116.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from fabula.memory import Memory

CAST = {
    "en": ("Mara", "Dorian", "Petra", "Wendel", "Ilse", "Tomas"),
    "zh": ("陆知微", "沈怀安", "顾小满", "韩铁山", "孟青禾", "白景行"),
}
CASE_FILE = {"en": "case file", "zh": "案卷"}
RULES = {"rank": "trait", "title": "trait"}
with Path(__file__).with_name("sentences_of_others.tsv").open(encoding="utf-8") as rows:
    CASES = [tuple(row) for row in csv.reader(rows, delimiter="\t", quoting=csv.QUOTE_NONE)]


def found_in(memory: Memory, language: str, kind: str, first: str, later: str) -> list[str]:
    story = memory.story(later, language="zh" if language == "zh" else "en")
    for name in CAST[language]:
        whole = "Ilse Hartmann" if name == "Ilse" and "Hartmann" in first else name
        story.entity.create(type="character", name=whole)
    if kind == "number":
        story.entity.create(type="item", name=CASE_FILE[language], description=first)
    else:
        story.scene(0, 0, first)
    story.scene(1, 0, later)
    return [
        one.rule
        for one in story.checks.run().findings
        if one.severity != "info" and one.here is not None and one.here.chapter == 1
    ]


@pytest.mark.parametrize(("language", "kind", "first", "wrong", "right"), CASES)
def test_what_contradicts_the_story_is_found_and_nothing_else(
    memory: Memory, language: str, kind: str, first: str, wrong: str, right: str
) -> None:
    assert RULES.get(kind, kind) in found_in(memory, language, kind, first, wrong)
    assert found_in(memory, language, kind, first, right) == []


SOUND = {
    "en": (
        "I saw two men near the library.",
        "I fired one shot at a rabbit in March.",
        "I had twelve silver coins in my purse.",
        "My own room is on the first floor.",
        "The train arrived on the 13th of May.",
        "He was alive at half past eight.",
        "There were five people in the library that night.",
        "I found her at ten o'clock in the morning.",
    ),
    "zh": (
        "我在书房附近看见两个人。",
        "三月里我朝兔子开过一枪。",
        "我钱包里有十二枚银币。",
        "我自己的房间在一楼。",
        "我爬到了二楼。",
        "八点半我还见过他活着。",
        "那晚书房里有五个人。",
        "我早上十点发现的她。",
    ),
}
EVIDENCE = {
    "en": (
        "The autopsy report puts the time of death at 9 p.m. Three shots were fired in the library. The "
        "thief took seventeen gold coins from the safe. The window of the study is on the third floor. The "
        "train left the station on the 12th of May."
    ),
    "zh": (
        "验尸报告写明死亡时间是晚上九点。书房里一共开了三枪。贼从保险柜里偷走了十七枚金币。书房的窗户在三楼。"
    ),
}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_sound_testimony_is_left_alone(memory: Memory, language: str) -> None:
    story = memory.story("Trial", language="zh" if language == "zh" else "en")
    story.entity.create(type="item", name=CASE_FILE[language], description=EVIDENCE[language])
    for number, said in enumerate(SOUND[language]):
        story.scene(number, 0, said)
    assert [one.message for one in story.checks.run().findings] == []
