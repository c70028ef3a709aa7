"""Time and new ids, handed to whoever needs them."""

from __future__ import annotations

from typing import Protocol


class Clock(Protocol):
    """What tells the time and makes ids that sort by it."""

    def now(self) -> str:
        """The time in UTC as ISO 8601 with microseconds, later than any it gave before."""

    def new_id(self) -> str:
        """An id nobody else has."""

    def monotonic(self) -> float:
        """Seconds that only go forward, for deadlines."""
