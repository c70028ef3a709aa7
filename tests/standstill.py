"""Processes that are made to stand still, and that do."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

PATIENCE_S = 60.0
# Stopped, or over.
_STILL = ("T", "Z", "X", None)


def freeze(pid: int) -> None:
    """Stop a process, and return when every thread of it stands still: a signal takes a moment to arrive."""
    os.kill(pid, signal.SIGSTOP)
    until = time.monotonic() + PATIENCE_S
    while not all(_state(task) in _STILL for task in Path(f"/proc/{pid}/task").glob("*")):
        assert time.monotonic() < until, "it goes on"
        time.sleep(0.001)


def _state(task: Path) -> str | None:
    """What a thread is doing; None of one that is gone. Its name, in brackets, may hold anything."""
    try:
        return (task / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()[0]
    except OSError:
        return None
