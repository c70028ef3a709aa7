"""The manifest of scenarios and the tests agree: none without a test, no test for one that does not exist."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from scenarios import FLOWS, MEMORY_PAGE, SCENARIOS

HERE = Path(__file__).parent
BROWSER = HERE.parent / "web" / "browser"
TITLE = re.compile(r"""^\s*test\(\s*(["'`])(.*?)\1""", re.M | re.S)
TAG = re.compile(r"\[((?:F|KG|MEMORY)[\w.-]*\d[\w-]*)\]")
ROW = re.compile(r"^\| ((?:F|KG|MEMORY)\S*\d\S*) \|.*\| `([\w-]+\.spec\.ts)` \|$", re.M)


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


def titled_flows(source: str) -> dict[str, list[str]]:
    """The ids that the titles of a file of specifications carry, with these titles."""
    claimed: dict[str, list[str]] = {}
    for _, title in TITLE.findall(source):
        for tag in TAG.findall(title):
            claimed.setdefault(tag, []).append(title)
    return claimed


def test_all_that_is_said_of_the_page_is_specified_in_a_browser() -> None:
    wanted = [scenario.id for scenario in SCENARIOS if scenario.page] + [*FLOWS, *MEMORY_PAGE]
    claimed: dict[str, list[str]] = {}
    files: dict[str, set[str]] = {}
    for file in sorted(BROWSER.glob("*.spec.ts")):
        for tag, titles in titled_flows(file.read_text("utf-8")).items():
            claimed.setdefault(tag, []).extend(titles)
            files.setdefault(tag, set()).add(file.name)
    assert disagreements(wanted, claimed) == []
    rows = dict(ROW.findall((BROWSER / "README.md").read_text("utf-8")))
    assert sorted(rows) == sorted(wanted)
    assert [tag for tag, file in rows.items() if file not in files[tag]] == []


def test_ids_are_read_from_titles_alone() -> None:
    sample = """
test("a node is added [F01] [KG1-R1-S1]", async ({ page }) => {
  expect("[F02]").toBe("[F02]");
});
  test(`axe: ${theme} [F17]`, async () => {});
test(
  "long [MEMORY-3.4.4-node]",
  async () => {});
// test("[F03]")
"""
    assert sorted(titled_flows(sample)) == ["F01", "F17", "KG1-R1-S1", "MEMORY-3.4.4-node"]


def test_the_manifest_lists_all_ids_of_the_sources() -> None:
    kg = {"KG1-R1": 3, "KG1-R2": 3, "KG1-R3": 2, "KG1-A": 1, "KG1-X": 4, "LEVEL": 4}
    wanted = [f"{group}-S{number}" for group, count in kg.items() for number in range(1, count + 1)]
    assert [scenario.id for scenario in SCENARIOS if scenario.source in ("KG", "LEVEL")] == wanted


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.id)
def test_a_scenario_is_one_english_sentence(scenario: object) -> None:
    says = scenario.says
    assert re.fullmatch(r"[A-Z][^.!?]*\.", says), says
