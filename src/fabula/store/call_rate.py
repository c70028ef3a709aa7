"""The rate of language model calls, shared by several processes through one small file."""

from __future__ import annotations

import logging
import math
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from fabula.llm.rate import WINDOW_S, CallRate, too_often

# A model call takes seconds, writing one row no time at all, unless a process is frozen.
_PATIENCE_S = 2.0
# The content need not survive a power failure.
_SETTINGS = "PRAGMA synchronous=OFF"
_CALLS = "CREATE TABLE IF NOT EXISTS calls (caller TEXT NOT NULL, at REAL NOT NULL)"

log = logging.getLogger("fabula.calls")


class SharedCallRate:
    """The calls of the last minute by caller, across processes."""

    def __init__(self, file: Path, per_minute: int, monotonic: Callable[[], float]) -> None:
        self._file, self._limit, self._monotonic = file, per_minute, monotonic
        self._alone = CallRate(per_minute, monotonic)

    def admit(self, caller: str) -> None:
        """Count a call; raises RateLimited if the caller has used up this minute's. A limit of 0 means none.

        If the file cannot be used, only the calls of this process count.
        """
        if self._limit == 0:
            return
        try:
            with self._held() as calls:
                now = self._monotonic()
                calls.execute("DELETE FROM calls WHERE ? - at >= ?", (now, WINDOW_S))
                asked = "SELECT count(*), min(at) FROM calls WHERE caller = ?"
                count, first = calls.execute(asked, (caller,)).fetchone()
                if count < self._limit:
                    calls.execute("INSERT INTO calls VALUES (?, ?)", (caller, now))
        except sqlite3.Error as error:
            log.warning("counted alone", extra={"reason": type(error).__name__})
            self._alone.admit(caller)
        else:
            if count >= self._limit:
                raise too_often(self._limit, math.ceil(WINDOW_S - (now - first)))

    @contextmanager
    def _held(self) -> Iterator[sqlite3.Connection]:
        """Open the file under an exclusive lock."""
        with closing(sqlite3.connect(self._file, timeout=_PATIENCE_S, isolation_level=None)) as calls:
            calls.execute(_SETTINGS)
            calls.execute("BEGIN IMMEDIATE")
            calls.execute(_CALLS)
            yield calls
            calls.execute("COMMIT")
