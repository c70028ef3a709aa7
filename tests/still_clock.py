"""A clock that stands still until a test moves it."""

from __future__ import annotations

from uuid import uuid4

from fabula.model.clock import later


class StillClock:
    """Each `now` is a microsecond after the last; `pass_seconds` moves it on."""

    def __init__(self) -> None:
        self._now = "2026-01-01T00:00:00.000000Z"
        self._seconds = 0.0

    def now(self) -> str:
        self._now = later(self._now, 1e-6)
        return self._now

    def new_id(self) -> str:
        return str(uuid4())

    def monotonic(self) -> float:
        return self._seconds

    def pass_seconds(self, seconds: float) -> None:
        self._now = later(self._now, seconds)
        self._seconds += seconds
