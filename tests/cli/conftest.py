"""Commands run in this process, where a process of their own would show nothing more."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from doors import environment
from fabula.cli import main


class Done(NamedTuple):
    """How a command ended and what it said."""

    code: int
    out: str
    err: str


Run = Callable[..., Done]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command of `fabula` in an empty folder, with the given lines on its input and settings."""
    monkeypatch.chdir(tmp_path)

    def command(*arguments: str, stdin: str = "", **settings: str) -> Done:
        with monkeypatch.context() as patch:
            for name in set(os.environ) - set(environment()):
                patch.delenv(name)
            for name, value in environment(**settings).items():
                patch.setenv(name, value)
            patch.setattr(sys, "argv", ["fabula", *arguments])
            patch.setattr(sys, "stdin", io.StringIO(stdin))
            with pytest.raises(SystemExit) as ended:
                main()
        said = capsys.readouterr()
        return Done(int(ended.value.code or 0), said.out, said.err)

    return command
