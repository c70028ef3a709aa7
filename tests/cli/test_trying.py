"""`fabula try`: a case from a file or the input, as JSON or as a table, in two languages."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fabula.cli.try_texts import TRY_TEXTS
from fabula.world_info.rules import SCAN_REASONS

Run = Callable[..., Any]
CASE = {
    "book": {
        "entries": {
            "0": {"uid": 0, "key": ["harbour"], "comment": "Harbour", "content": "The bell rings."},
            "1": {"uid": 1, "key": ["bell"], "content": "A bell of bronze.", "position": 4, "depth": 2},
            "2": {"uid": 2, "key": ["whale"], "content": "Whales."},
        }
    },
    "chat": [{"name": "Tobin", "is_user": True, "mes": "We reach the harbour."}],
}


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "case.json"
    path.write_text(json.dumps(CASE), "utf-8")
    return str(path)


def test_the_answer_is_json(run: Run, file: str) -> None:
    done = run("try", file)
    assert done.code == 0, done.err
    said = json.loads(done.out)
    assert said["activated"] == [0, 1]
    assert said["atDepth"] == [{"depth": 2, "role": 0, "contents": ["A bell of bronze."]}]
    assert [row["reason"] for row in said["trace"]] == ["key", "key", "not_found"]


def test_turns_are_answered_with_a_list(run: Run, tmp_path: Path) -> None:
    (tmp_path / "turns.json").write_text(
        json.dumps({"book": CASE["book"], "turns": [{"chat": CASE["chat"]}, {}]})
    )
    done = run("try", "turns.json", "--fired")
    assert [len(turn["trace"]) for turn in json.loads(done.out)] == [2, 0]


def test_a_table_says_what_fires_and_why(run: Run, file: str) -> None:
    done = run("try", file, "--table")
    assert done.code == 0, done.err
    words = done.out.split()
    assert [words.count(name) for name in ("yes", "book.0", "book.1", "book.2", "harbour", "bell")] == [
        2,
        1,
        1,
        1,
        1,
        1,
    ]
    assert "Harbour" in words
    assert "2 of 3 entries fire in 3 passes" in done.out


def test_the_table_speaks_chinese(run: Run, file: str) -> None:
    done = run("try", file, "--table", LC_ALL="zh_CN.UTF-8")
    assert "文中有关键词" in done.out
    assert "3 条中有 2 条触发" in done.out


@pytest.mark.parametrize(
    ("content", "code"), [("{", "VALIDATION_ERROR"), ('{"book": 5}', "VALIDATION_ERROR")]
)
def test_a_bad_case_is_refused_with_its_code(run: Run, tmp_path: Path, content: str, code: str) -> None:
    (tmp_path / "bad.json").write_text(content)
    done = run("try", "bad.json")
    assert done.code == 1
    assert done.err.startswith(code)


def test_a_file_that_is_not_there_is_named(run: Run) -> None:
    done = run("try", "nothing.json")
    assert done.code == 1
    assert "nothing.json" in done.err


def test_every_reason_has_words_in_both_languages() -> None:
    for reason in SCAN_REASONS:
        english, chinese = TRY_TEXTS[f"scan_{reason.code}"]
        assert english
        assert chinese
        assert english != chinese
