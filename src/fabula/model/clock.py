"""The clock that callers inject: it tells the time and makes ids."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """Tells the time and makes ids that sort by it."""

    def now(self) -> str:
        """The time in UTC as ISO 8601 with microseconds, always later than the last one returned."""

    def new_id(self) -> str:
        """A unique id."""

    def monotonic(self) -> float:
        """Seconds of a monotonic clock, for deadlines."""


def later(time: str, seconds: float) -> str:
    """The time that many seconds later, in the clock's format, whose strings sort by time."""
    moved = datetime.fromisoformat(time) + timedelta(seconds=seconds)
    return moved.isoformat(timespec="microseconds").replace("+00:00", "Z")


def seconds_between(earlier: str, time: str) -> float:
    """The seconds from the earlier time to the other."""
    return (datetime.fromisoformat(time) - datetime.fromisoformat(earlier)).total_seconds()
