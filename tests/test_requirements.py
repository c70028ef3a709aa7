"""The manifest of requirements and the tests agree, both ways, and the page that shows them is of today."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import pytest

from requirements import DOCUMENTS, FLOWS, REQUIREMENTS
from requirements.claims import BROWSER, claims_of_page, claims_of_tests, marked, titled
from requirements.requirement import Requirement
from requirements.table import PAGE, decision_page, requirements_page

LENGTHS = {"KG": 214, "LEVEL": 62, "ENGRAM": 231, "BUNDLE": 418, "MEMORY": 1812}
ROW = re.compile(r"^\| (F\d\d) \|.*\| `([\w-]+\.spec\.ts)` \|$", re.M)


def disagreements(wanted: Iterable[str], known: Iterable[str], claimed: Mapping[str, list[str]]) -> list[str]:
    """What is wrong between the manifest and the tests, as sentences."""
    untested = [f"{one} has no test" for one in sorted(set(wanted) - set(claimed))]
    unknown = [f"{', '.join(claimed[one])}: there is no {one}" for one in sorted(set(claimed) - set(known))]
    return untested + unknown


def is_wanted(one: Requirement) -> bool:
    return not one.later


def test_every_requirement_has_a_test_and_every_mark_a_requirement() -> None:
    asked = [one for one in REQUIREMENTS if one.says]
    known = [one.id for one in asked]
    assert disagreements([one.id for one in asked if is_wanted(one)], known, claims_of_tests()) == []


def test_all_that_is_asked_of_the_page_is_specified_in_a_browser() -> None:
    asked = [one for one in REQUIREMENTS if one.page]
    wanted = [one.id for one in asked if is_wanted(one)]
    known = [one.id for one in asked]
    assert disagreements([*wanted, *FLOWS], [*known, *FLOWS], claims_of_page()) == []


def test_every_flow_of_the_page_has_a_row_and_every_row_a_flow() -> None:
    rows = dict(ROW.findall((BROWSER / "README.md").read_text("utf-8")))
    assert tuple(sorted(rows)) == FLOWS
    claimed = claims_of_page()
    astray = [
        flow for flow, file in rows.items() if not any(test.startswith(f"{file}: ") for test in claimed[flow])
    ]
    assert astray == []


def test_what_has_a_test_is_neither_to_come_nor_on_its_way() -> None:
    shown = claims_of_tests().keys() | claims_of_page().keys()
    assert [one.id for one in REQUIREMENTS if not is_wanted(one) and one.id in shown] == []


def test_what_is_missing_on_either_side_is_noticed() -> None:
    sample = """
import pytest

@pytest.mark.scenario("A-1", "A-9")
def test_something() -> None: ...

@pytest.mark.slow
def test_other() -> None: ...

@pytest.mark.scenario("A-2")
def no_test() -> None: ...
"""
    claimed = marked(sample)
    assert claimed == {"A-1": ["test_something"], "A-9": ["test_something"]}
    assert disagreements(["A-1", "A-2"], ["A-1", "A-2", "A-3"], claimed) == [
        "A-2 has no test",
        "test_something: there is no A-9",
    ]
    assert disagreements(["A-1"], ["A-1", "A-9"], claimed) == []


def test_ids_are_read_from_titles_alone() -> None:
    sample = """
test("a node is added [F01] [KG1-R1-S1]", async ({ page }) => {
  expect("[F02]").toBe("[F02]");
});
  test(`axe: ${theme} [F17]`, async () => {});
test(
  "long [MEMORY-3.4.4-node]",
  async () => {});
test("a word [MEMORY-PAGE-TOKENS] in [brackets] of [FAR]", async () => {});
// test("[F03]")
"""
    assert titled(sample) == {
        "F01": ["a node is added"],
        "KG1-R1-S1": ["a node is added"],
        "F17": ["axe: ${theme}"],
        "MEMORY-3.4.4-node": ["long"],
        "MEMORY-PAGE-TOKENS": ["a word in [brackets] of [FAR]"],
    }


def test_ids_are_distinct_and_begin_with_their_document() -> None:
    assert len({one.id for one in REQUIREMENTS}) == len(REQUIREMENTS)
    astray = [
        one.id
        for name, rows in DOCUMENTS.items()
        for one in rows
        if not re.fullmatch(rf"{name}1?-[\w.-]+", one.id)
    ]
    assert astray == []


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_row_has_a_place_in_its_document(name: str) -> None:
    for one in DOCUMENTS[name]:
        assert re.fullmatch(r"\d+(–\d+)?(, \d+(–\d+)?)*", one.lines), one
        for part in one.lines.split(", "):
            first, _, last = part.partition("–")
            assert 0 < int(first) < int(last or 10**6), one
            assert int(last or first) <= LENGTHS[name], one


def test_the_scenarios_that_the_documents_number_are_all_there() -> None:
    numbered = {"KG1-R1": 3, "KG1-R2": 3, "KG1-R3": 2, "KG1-A": 1, "KG1-X": 4, "LEVEL": 4}
    wanted = [f"{group}-S{number}" for group, count in numbered.items() for number in range(1, count + 1)]
    assert [one.id for one in REQUIREMENTS if re.search(r"-S\d$", one.id)] == wanted


def test_a_requirement_is_said_in_one_english_sentence() -> None:
    for one in REQUIREMENTS:
        assert one.says or one.page, one
        for sentence in filter(None, (one.says, one.instead)):
            assert re.fullmatch(r"[A-Za-z][^.!?]*(?:\.\w[^.!?]*)*\.", sentence), sentence
        assert not one.page.endswith("."), one


def test_what_was_built_otherwise_has_a_decision() -> None:
    assert [one.id for one in REQUIREMENTS if bool(one.instead) is not bool(one.decision)] == []
    named = {one.decision for one in REQUIREMENTS if one.decision}
    assert [number for number in sorted(named) if decision_page(number) is None] == []


def test_the_page_of_requirements_is_of_today() -> None:
    assert PAGE.read_text("utf-8") == requirements_page(), "run make requirements and commit"
