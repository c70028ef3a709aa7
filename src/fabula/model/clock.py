"""Time and new ids, handed to whoever needs them."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """What tells the time and makes ids that sort by it."""

    def now(self) -> str:
        """The time in UTC as ISO 8601 with microseconds, later than any it gave before."""

    def new_id(self) -> str:
        """An id nobody else has."""

    def monotonic(self) -> float:
        """Seconds that only go forward, for deadlines."""


def later(time: str, seconds: float) -> str:
    """The time so many seconds after another, in the form of the clock; texts of it sort as times."""
    moved = datetime.fromisoformat(time) + timedelta(seconds=seconds)
    return moved.isoformat(timespec="microseconds").replace("+00:00", "Z")


def seconds_between(earlier: str, time: str) -> float:
    """How many seconds after the first the second is."""
    return (datetime.fromisoformat(time) - datetime.fromisoformat(earlier)).total_seconds()
