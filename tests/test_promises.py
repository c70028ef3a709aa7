"""Every promise of the README is shown by tests that exist, and its page says so."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from promises import PROMISES
from promises.page import PAGE, promises_page
from promises.promise import Figure, promised

TESTS = Path(__file__).parent


def test_every_promise_has_a_row_in_the_order_of_the_readme() -> None:
    assert [one.words for one in PROMISES] == promised()


@pytest.mark.parametrize("test", sorted({test for one in PROMISES for test in one.tests}))
def test_what_shows_a_promise_exists(test: str) -> None:
    file, _, name = test.partition("::")
    written = ast.parse((TESTS / file).read_text("utf-8"))
    functions = {node.name for node in written.body if isinstance(node, ast.FunctionDef)}
    assert name in functions if name else any(one.startswith("test_") for one in functions)


def test_the_page_is_what_the_command_writes() -> None:
    """But for figures that a newer measurement has changed."""
    assert _shape(PAGE.read_text("utf-8")) == _shape(promises_page()), "make promises"


def _shape(page: str) -> str:
    return re.sub(r"(\| |<br>)[\d.,–]+(?: \S+)?: ", r"\1figure: ", page)


def test_a_figure_that_is_not_there_is_not_made_up() -> None:
    with pytest.raises(LookupError):
        Figure("", "bench/results/novel.md", "imagined", "seconds").read()
    with pytest.raises(LookupError):
        Figure("", "bench/results/novel.md", "real", "imagined").read()
