"""When two names are one person's."""

from __future__ import annotations

import pytest

from fabula.extraction.local_drafts import likeness


@pytest.mark.parametrize(
    ("short", "full"),
    [("黛玉", "林黛玉"), ("凤姐儿", "凤姐"), ("猪八戒", "八戒"), ("Mrs. Emerson", "Grandmother Emerson")],
)
def test_one_name_is_a_form_of_the_other(short: str, full: str) -> None:
    assert likeness(short, full) > 0


@pytest.mark.parametrize(
    ("short", "full"),
    [
        ("假春娇", "春娇"),  # who only pretends to be her
        ("小龙王", "龙王"),
        ("东龙王", "龙王"),  # one of several
        ("女儿", "女"),
        ("贾夫人", "夫人"),
        ("Mr. Emerson", "Grandmother Emerson"),
        ("Mrs. Smith", "Grandfather Smith"),
    ],
)
def test_names_that_only_look_alike_are_two(short: str, full: str) -> None:
    assert likeness(short, full) == 0
