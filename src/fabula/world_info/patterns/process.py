"""A process for patterns that may take for ever, which is ended at its deadline."""

from __future__ import annotations

import atexit
import json
import os
import selectors
import subprocess
import sys
from pathlib import Path
from threading import Lock
from time import monotonic

_WORKER = Path(__file__).with_name("worker.py")
# Until Python has started; a busy machine may need long.
_START_SECONDS = 20.0
# The worker watches the time as well; only if it fails to is it ended.
_GRACE_SECONDS = 0.25


class PatternTimeoutError(Exception):
    """A pattern was ended at its deadline."""


class Backtracker:
    """Searches in a process of its own, one pattern at a time; begun when first needed."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self._lock = Lock()

    def search(self, pattern: str, text: str, seconds: float) -> int | None:
        """Where the pattern first matches; PatternTimeoutError if it takes longer than the seconds."""
        if seconds <= 0:
            raise PatternTimeoutError
        question = json.dumps([pattern, text, seconds]).encode() + b"\n"
        with self._lock:
            process = self._started()
            answer = self._ask(process, question, seconds + _GRACE_SECONDS)
            if answer is None:
                self.end()
                raise PatternTimeoutError
        found = json.loads(answer)
        if found == "timeout":
            raise PatternTimeoutError
        return None if found is None else int(found)

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._owner != os.getpid():
            # A fork must not use the pipes of its parent, nor end its process.
            inherited, self._process = self._process, None
            inherited.returncode = 0
            _close(inherited)
        if self._process is not None and self._process.poll() is not None:
            self.end()
        if self._process is None:
            self._owner = os.getpid()
            self._process = subprocess.Popen(
                [sys.executable, "-I", str(_WORKER)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
            )
            if self._read(self._process, _START_SECONDS) is None:
                self.end()
                raise PatternTimeoutError
        return self._process

    def _ask(self, process: subprocess.Popen[bytes], question: bytes, seconds: float) -> bytes | None:
        assert process.stdin is not None
        try:
            # The worker reads before it searches, so this ends soon whatever the pattern is.
            process.stdin.write(question)
        except OSError:
            return None
        return self._read(process, seconds)

    def _read(self, process: subprocess.Popen[bytes], seconds: float) -> bytes | None:
        assert process.stdout is not None
        ends = monotonic() + seconds
        said = b""
        with selectors.DefaultSelector() as ready:
            ready.register(process.stdout, selectors.EVENT_READ)
            while not said.endswith(b"\n"):
                if not ready.select(max(0.0, ends - monotonic())):
                    return None
                part = os.read(process.stdout.fileno(), 4096)
                if not part:
                    return None
                said += part
        return said

    def end(self) -> None:
        """End the process; the next search begins another."""
        process, self._process = self._process, None
        if process is not None and self._owner == os.getpid():
            process.kill()
            process.wait()
            _close(process)


def _close(process: subprocess.Popen[bytes]) -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()


BACKTRACKER = Backtracker()
atexit.register(BACKTRACKER.end)
