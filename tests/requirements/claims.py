"""Which tests say that they show which requirement."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path

TESTS = Path(__file__).parents[1]
BROWSER = TESTS.parent / "web" / "browser"

Claims = dict[str, list[str]]

_TITLE = re.compile(r"""^\s*test\(\s*(["'`])(.*?)\1""", re.M | re.S)
_TAG = re.compile(r"\[(F\d\d|(?:KG1?|LEVEL|ENGRAM|BUNDLE|MEMORY)-[\w.-]+)\]")


def marked(source: str) -> Claims:
    """The ids that a file of tests carries as marks, with the tests that carry them."""
    claimed: Claims = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            for decorator in node.decorator_list:
                for one in _ids(decorator):
                    claimed.setdefault(one, []).append(node.name)
    return claimed


def _ids(decorator: ast.expr) -> list[str]:
    if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.scenario":
        return [str(ast.literal_eval(argument)) for argument in decorator.args]
    return []


def titled(source: str) -> Claims:
    """The ids that the titles of a file of specifications carry, with these titles."""
    claimed: Claims = {}
    for _, title in _TITLE.findall(source):
        for tag in _TAG.findall(title):
            claimed.setdefault(tag, []).append(" ".join(_TAG.sub("", title).split()))
    return claimed


@cache
def claims_of_tests() -> Claims:
    """Every id that a test carries, with the tests as pytest names them."""
    return _gathered(sorted(TESTS.rglob("test_*.py")), marked, "::")


@cache
def claims_of_page() -> Claims:
    """Every id that a specification of the page carries, with file and title."""
    return _gathered(sorted(BROWSER.glob("*.spec.ts")), titled, ": ")


def _gathered(files: Iterable[Path], read: Callable[[str], Mapping[str, list[str]]], joint: str) -> Claims:
    claimed: Claims = {}
    for file in files:
        home = TESTS if TESTS in file.parents else BROWSER
        for one, tests in read(file.read_text("utf-8")).items():
            names = (f"{file.relative_to(home).as_posix()}{joint}{test}" for test in tests)
            claimed.setdefault(one, []).extend(names)
    return claimed
