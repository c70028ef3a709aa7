"""Time limits for queries."""

from __future__ import annotations

from collections.abc import Callable

from fabula.errors import QueryTimeout


class Deadline:
    """The time limit of one query."""

    __slots__ = ("_began", "_seconds", "_suggestion", "timeout_ms")

    def __init__(self, seconds: Callable[[], float], timeout_ms: int, suggestion: str | None = None) -> None:
        self._seconds = seconds
        self._began = seconds()
        self._suggestion = suggestion
        self.timeout_ms = timeout_ms

    def elapsed_ms(self) -> float:
        """Milliseconds since the query started."""
        return round((self._seconds() - self._began) * 1000, 3)

    def check(self, expansions: int) -> None:
        """Raise QueryTimeout if the time is up."""
        if self.elapsed_ms() >= self.timeout_ms:
            raise QueryTimeout(
                f"The query took longer than {self.timeout_ms} ms.",
                details={"timeoutMs": self.timeout_ms, "expansions": expansions},
                suggestion=self._suggestion,
            )
