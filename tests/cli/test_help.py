"""The terminal speaks the user's language."""

from __future__ import annotations

from pathlib import Path

import pytest

from doors import fabula

CHINESE = ({"LANG": "zh_CN.UTF-8"}, {"FABULA_LANG": "zh"}, {"LC_ALL": "zh_TW.UTF-8"})
ENGLISH = ({}, {"LANG": "en_GB.UTF-8"}, {"LANG": "zh_CN.UTF-8", "FABULA_LANG": "en"})


@pytest.mark.parametrize("settings", ENGLISH)
def test_help_in_english(tmp_path: Path, settings: dict[str, str]) -> None:
    done = fabula("--help", cwd=tmp_path, **settings)
    assert done.returncode == 0
    assert "the memory of a story" in done.stdout
    assert "故事" not in done.stdout
    for command in ("demo", "serve", "ipc", "story", "doctor", "schemas"):
        assert f" {command} " in done.stdout


@pytest.mark.parametrize("settings", CHINESE)
def test_help_in_chinese(tmp_path: Path, settings: dict[str, str]) -> None:
    done = fabula("--help", cwd=tmp_path, **settings)
    assert done.returncode == 0
    assert "故事的记忆" in done.stdout
    assert "the memory of a story" not in done.stdout


def test_help_of_a_command_in_chinese(tmp_path: Path) -> None:
    done = fabula("serve", "--help", cwd=tmp_path, FABULA_LANG="zh")
    assert "数据库文件" in done.stdout
    assert "监听端口" in done.stdout


def test_without_a_command_help_is_shown(tmp_path: Path) -> None:
    done = fabula(cwd=tmp_path)
    assert "serve" in done.stdout + done.stderr
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_command_is_an_error(tmp_path: Path) -> None:
    done = fabula("explode", cwd=tmp_path)
    assert done.returncode == 2
    assert "explode" in done.stderr
