"""`fabula receipt`: what it prints, in two languages, and what it refuses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fabula.memory import Memory
from postgres import place_at

Run = Callable[..., Any]
PLAIN = {"FABULA_EMBEDDING_MODEL": "none"}


@pytest.fixture
def told(tmp_path: Path) -> tuple[Path, list[str]]:
    """A database with two receipts of a story."""
    with Memory(place_at(tmp_path / "told.db")) as memory:
        story = memory.story("The [red] Harbour", language="en")
        story.entry("Ada", "Ada keeps the lamp.", category="character")
        story.entry("Dot", "Dot did it.", category="character", ai_context_level="never")
        first = story.context(0, 0, "Nobody.", receipt=True).receipt_id
        second = story.context(0, 0, "Ada and Dot.", receipt=True).receipt_id
    assert first is not None
    assert second is not None
    return tmp_path / "told.db", [first, second]


def receipt(run: Run, told: tuple[Path, list[str]], verb: str, *rest: str, **more: str) -> Any:
    return run("receipt", verb, "The [red] Harbour", *rest, "--db", str(told[0]), **PLAIN, **more)


def test_receipts_are_listed_shown_compared_and_made_again(run: Run, told: tuple[Path, list[str]]) -> None:
    first, second = told[1]
    listed = receipt(run, told, "list")
    assert listed.code == 0, listed.err
    assert listed.out.index(second[:12]) < listed.out.index(first[:12])
    shown = receipt(run, told, "show", second[:12]).out
    assert "named in the text" in shown
    assert "never told" in shown
    compared = receipt(run, told, "diff", first, second).out
    assert "Came (1)" in compared
    assert "Ada" in compared
    again = receipt(run, told, "replay", second, "--prompt")
    assert again.code == 0, again.err
    assert "Ada keeps the lamp." in again.out
    assert "byte for byte" in again.out


def test_the_same_in_chinese(run: Run, told: tuple[Path, list[str]]) -> None:
    first, second = told[1]
    assert "新增（1）" in receipt(run, told, "diff", first, second, FABULA_LANG="zh").out
    assert "逐字节相同" in receipt(run, told, "replay", second, FABULA_LANG="zh").out


def test_an_unknown_receipt_is_refused(run: Run, told: tuple[Path, list[str]]) -> None:
    done = receipt(run, told, "show", "zzz")
    assert done.code == 1
    assert "NOT_FOUND" in done.err
