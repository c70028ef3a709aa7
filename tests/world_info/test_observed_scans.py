"""Everything that SillyTavern was seen to do, Fabula does; where it failed, Fabula says what is wrong."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from fabula.world_info.case import LorebookCase
from fabula.world_info.trial import tried, vectors_count
from observed_scans import Case, cases, expected

# SillyTavern failed inside, or compared orders that are not there; docs/world_info.md lists each.
DIFFERENT = {"unusual-145", "unusual-147", "unusual-148", "order-052"}
DOCS = Path(__file__).parents[2] / "docs" / "world_info.md"


def answers(case: Case) -> list[dict[str, Any]]:
    found = tried(LorebookCase.model_validate(case), vectors_count, lambda: None)
    turns = found if isinstance(found, tuple) else (found,)
    return [turn.model_dump(by_alias=True, mode="json") for turn in turns]


@pytest.mark.parametrize("feature", sorted(cases()))
def test_what_was_observed_is_what_fires(feature: str) -> None:
    wrong = []
    for case in cases()[feature]:
        if case["id"] in DIFFERENT:
            continue
        for turn, (seen, said) in enumerate(zip(expected(case), answers(case), strict=True)):
            wrong += [
                (case["id"], turn, field, value, said[field])
                for field, value in seen.items()
                if said[field] != value
            ]
    assert wrong == []


def test_only_the_listed_cases_are_left_out() -> None:
    every = [case for of_feature in cases().values() for case in of_feature]
    assert len(every) == 1472
    failed = {
        case["id"]
        for case in every
        if any("error" in seen or "internalError" in seen for seen in expected(case))
    }
    assert failed == DIFFERENT - {"order-052"}
    assert set(re.findall(r"`((?:unusual|order)-\d+)`", DOCS.read_text("utf-8"))) == DIFFERENT


def case_of(name: str) -> Case:
    return next(case for case in cases()[name.rsplit("-", 1)[0]] if case["id"] == name)


def test_an_entry_whose_content_is_no_text_is_left_out_alone() -> None:
    (answer,) = answers(case_of("unusual-145"))
    assert answer["activated"] == [1, 2]
    assert [row["reason"] for row in answer["trace"]] == ["unreadable", "key", "constant"]


def test_an_entry_that_is_no_object_is_left_out_alone() -> None:
    (answer,) = answers(case_of("unusual-148"))
    assert answer["activated"] == [1]
    assert {row["reason"] for row in answer["trace"]} == {"constant", "unreadable"}


def test_groups_given_as_a_list_are_groups() -> None:
    case = case_of("unusual-147")
    (answer,) = answers(case)
    entries = case["book"]["entries"].values()
    assert any(isinstance(entry.get("group"), list) for entry in entries)
    assert answer["activated"]


def test_an_entry_without_an_order_has_the_order_of_a_new_one() -> None:
    (answer,) = answers(case_of("order-052"))
    assert answer["activated"] == [1, 2, 0]
