"""The terminal speaks the user's language."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from doors import environment, fabula
from fabula.cli.texts import TABLES
from fabula.config import language

Run = Callable[..., Any]


def test_no_text_hides_another_of_the_same_key() -> None:
    keys = Counter(key for table in TABLES for key in table)
    assert [key for key, times in keys.items() if times > 1] == []


@pytest.mark.slow
def test_help_in_english(tmp_path: Path) -> None:
    done = fabula("--help", cwd=tmp_path, LANG="zh_CN.UTF-8", FABULA_LANG="en")
    assert done.returncode == 0
    assert "the memory of a story" in done.stdout
    assert "故事" not in done.stdout
    for command in ("demo", "serve", "ipc", "story", "user", "doctor", "schemas"):
        assert f" {command} " in done.stdout


@pytest.mark.slow
def test_help_in_chinese(tmp_path: Path) -> None:
    done = fabula("--help", cwd=tmp_path, LANG="zh_CN.UTF-8")
    assert done.returncode == 0
    assert "故事的记忆" in done.stdout
    assert "the memory of a story" not in done.stdout


def test_without_a_command_it_says_what_it_is_and_where_the_stories_are(run: Run, tmp_path: Path) -> None:
    place = tmp_path / "my stories" / "故事.db"
    first = run(FABULA_DB=str(place), COLUMNS="40")
    assert first.code == 0
    assert f"Your stories will be in {place}." in first.out
    assert [line.split("  ")[1] for line in first.out.splitlines() if line.startswith("  ")] == [
        "fabula demo",
        "fabula serve",
        "fabula import FILE",
    ]
    assert not place.parent.exists(), "asking makes nothing"
    assert run("story", "new", "x", FABULA_DB=str(place)).code == 0
    again = run(FABULA_DB=str(place), FABULA_LANG="zh").out
    assert f"你的故事在 {place}。" in again
    assert "在浏览器里打开你的故事" in again


@pytest.mark.slow
def test_help_of_a_command_in_chinese(tmp_path: Path) -> None:
    done = fabula("serve", "--help", cwd=tmp_path, FABULA_LANG="zh")
    assert done.returncode == 0
    assert "数据库" in done.stdout
    assert "监听端口" in done.stdout


@pytest.mark.slow
def test_only_those_who_serve_wait_for_what_serves(tmp_path: Path) -> None:
    code = "import sys, fabula.cli.main; print({'fastapi', 'uvicorn', 'alembic', 'httpx'} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment(), capture_output=True, check=True
    )
    assert done.stdout.strip() == b"set()"


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "en_GB.UTF-8"}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "en_GB.UTF-8", "LC_ALL": "zh_TW.UTF-8"}, "zh"),
        ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "zh_CN"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "FABULA_LANG": "en"}, "en"),
        ({"FABULA_LANG": "zh"}, "zh"),
    ],
)
def test_the_language_of_the_terminal(settings: dict[str, str], expected: str) -> None:
    assert language(settings) == expected


def test_without_a_command_help_is_shown(run: Run, tmp_path: Path) -> None:
    done = run()
    assert "serve" in done.out + done.err
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_command_is_an_error(run: Run) -> None:
    done = run("explode")
    assert done.code == 2
    assert "explode" in done.err
