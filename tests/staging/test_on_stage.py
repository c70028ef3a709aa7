"""Who is on stage, and who is only talked about."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.staging.dialogue import Speeches
from fabula.staging.on_stage import NamedAt, presences

CAST = ("Mara", "Old Tom", "Egret", "林远", "苏晚", "老陈")
SPEECH = "Nobody knows. 没有人知道，他说。"


def named(text: str) -> list[NamedAt[str]]:
    return [NamedAt(*found.span(), found[0]) for found in re.finditer("|".join(CAST), text)]


def on_stage(text: str) -> set[str]:
    return {who for who, one in presences(text, named(text)).items() if one.is_on_stage}


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("Mara opened the door. She had not seen Egret for a year.", {"Mara"}),
        ("“Where is Egret?” asked Mara. “Egret left with Old Tom. Egret is well.”", {"Mara"}),
        ("‘Don’t wait for Egret,’ said Old Tom.", {"Old Tom"}),
        ("The room was full of Egret's things: Egret's hat, Egret's boots.", {"Egret"}),
        ("林远推开门，想起了老陈。", {"林远"}),
        ("三天后，林远把苏晚拉进门里，桌上是老陈的灯。", {"林远", "苏晚"}),
        ("“老陈走了。老陈不会回来。老陈死了。”苏晚说道。", {"苏晚"}),
        ("“Egret, come here! And you, Old Tom?” Mara’s hat fell.", {"Egret", "Old Tom"}),
        ("“We saw Egret, Old Tom, and Mara.”", set()),
        ("“苏晚，你来。”他说。", {"苏晚"}),
        ("Nobody was there.", set()),
    ],
)
def test_those_who_act_are_there_and_those_who_are_spoken_of_are_not(text: str, who: set[str]) -> None:
    assert on_stage(text) == who


@given(st.lists(st.sampled_from(CAST), max_size=8), st.sampled_from(["“{}”", "「{}」", '"{}"']))
def test_nobody_is_there_who_is_only_in_speeches(names: list[str], marks: str) -> None:
    assert on_stage("It rained.\n" + marks.format(f"{SPEECH}{' '.join(names)}")) == set()


@given(st.text(alphabet='ab “”「」"‘’\n', max_size=60))
def test_a_place_outside_all_quotation_marks_is_not_spoken(text: str) -> None:
    speeches = Speeches(text + "\nx")
    assert not speeches.hold(len(text) + 1)


def test_a_text_of_many_pages_needs_more_than_three_mentions() -> None:
    mentioned = "They talked of Egret in the harbour. " * 3
    assert on_stage(mentioned) == {"Egret"}
    assert on_stage(mentioned + "It rained on the sea. " * 1_000) == set()
