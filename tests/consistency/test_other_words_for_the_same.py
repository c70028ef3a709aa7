"""Traits and deaths in words that mean the same as others, and red eyes that are no trait."""

from __future__ import annotations

import pytest

from fabula.memory import Memory

NAMES = {"en": ("Mara", "Jon"), "zh": ("林若雪", "陆行舟")}


def _rules(memory: Memory, established: str, later: str) -> list[str]:
    language = "en" if established.isascii() else "zh"
    story = memory.story(later, language=language)
    for name in NAMES[language]:
        story.entity.create(type="character", name=name)
    story.scene(0, 0, established)
    story.scene(3, 0, later)
    return [one.rule for one in story.checks.run().findings]


@pytest.mark.parametrize(
    ("established", "later", "rule"),
    [
        ("林若雪有一双碧绿的眼睛。", "林若雪那双琥珀色的眸子望着远方。", "trait"),
        ("陆行舟满头银发。", "陆行舟乌黑的头发在风里飘着。", "trait"),
        ("林若雪天生一头红发。", "林若雪金色的长发披在肩上。", "trait"),
        ("陆行舟被斩于市。", "陆行舟笑道：“喝茶。”", "dead-acts"),
        ("陆行舟被赐死。", "陆行舟推开门，大步走了进来。", "dead-acts"),
        ("Jon, who was tall, sat down.", "Jon was short.", "trait"),
    ],
)
def test_other_words_contradict_as_well(memory: Memory, established: str, later: str, rule: str) -> None:
    assert rule in _rules(memory, established, later)


@pytest.mark.parametrize(
    "later",
    [
        "Mara's eyes were red from weeping.",
        "Mara's eyes were red and swollen.",
    ],
)
def test_eyes_that_are_red_for_now_contradict_nothing(memory: Memory, later: str) -> None:
    assert _rules(memory, "Mara's eyes were grey as slate.", later) == []
