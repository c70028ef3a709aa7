"""The manifest of scenarios and the tests agree: none without a test, no test for one that does not exist."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from scenarios import SCENARIOS

HERE = Path(__file__).parent


def marked_scenarios(source: str) -> dict[str, list[str]]:
    """The scenario ids that a test file claims, with the tests that claim them."""
    claimed: dict[str, list[str]] = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            for decorator in node.decorator_list:
                for scenario in _ids(decorator):
                    claimed.setdefault(scenario, []).append(node.name)
    return claimed


def _ids(decorator: ast.expr) -> list[str]:
    if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.scenario":
        return [str(ast.literal_eval(argument)) for argument in decorator.args]
    return []


def disagreements(known: Iterable[str], claimed: Mapping[str, list[str]]) -> list[str]:
    """What is wrong between the manifest and the tests, as sentences."""
    known = set(known)
    untested = [f"{scenario} has no test" for scenario in sorted(known - set(claimed))]
    unknown = [
        f"{', '.join(claimed[scenario])}: there is no scenario {scenario}"
        for scenario in sorted(set(claimed) - known)
    ]
    return untested + unknown


def claims_of_all_tests() -> dict[str, list[str]]:
    claimed: dict[str, list[str]] = {}
    for file in sorted(HERE.rglob("test_*.py")):
        for scenario, tests in marked_scenarios(file.read_text("utf-8")).items():
            claimed.setdefault(scenario, []).extend(tests)
    return claimed


def test_every_scenario_has_a_test_and_every_test_a_scenario() -> None:
    assert disagreements([scenario.id for scenario in SCENARIOS], claims_of_all_tests()) == []


def test_a_scenario_without_test_and_a_test_without_scenario_are_noticed() -> None:
    sample = """
import pytest

@pytest.mark.scenario("A-1", "A-9")
def test_something() -> None: ...

@pytest.mark.slow
def test_other() -> None: ...

@pytest.mark.scenario("A-2")
def no_test() -> None: ...
"""
    claimed = marked_scenarios(sample)
    assert claimed == {"A-1": ["test_something"], "A-9": ["test_something"]}
    assert disagreements(["A-1", "A-2"], claimed) == [
        "A-2 has no test",
        "test_something: there is no scenario A-9",
    ]
    assert disagreements(["A-1", "A-9"], claimed) == []


def test_the_manifest_lists_all_ids_of_the_sources() -> None:
    kg = {"KG1-R1": 3, "KG1-R2": 3, "KG1-R3": 2, "KG1-A": 1, "KG1-X": 4, "LEVEL": 4}
    wanted = [f"{group}-S{number}" for group, count in kg.items() for number in range(1, count + 1)]
    assert [scenario.id for scenario in SCENARIOS] == wanted


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.id)
def test_a_scenario_is_one_english_sentence(scenario: object) -> None:
    says = scenario.says
    assert re.fullmatch(r"[A-Z][^.!?]*\.", says), says
