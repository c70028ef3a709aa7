"""The line to a model, which somebody else may cut: who waits at its other end is woken at once."""

from __future__ import annotations

import threading
from collections.abc import Callable


class Line:
    """One call to a model; any thread may cut it, at any time, more than once."""

    def __init__(self) -> None:
        self._cut = threading.Event()
        self._lock = threading.Lock()
        self._hang_up: Callable[[], None] | None = None

    @property
    def is_cut(self) -> bool:
        """Whether nobody wants the answer any more."""
        return self._cut.is_set()

    def cut(self) -> None:
        """End the call: the endpoint sees the connection close, and who reads from it sees the end."""
        self._cut.set()
        with self._lock:
            if self._hang_up is not None:
                self._hang_up()

    def connect(self, hang_up: Callable[[], None]) -> None:
        """Say how the call is ended from now on; it is ended here if it was cut already."""
        with self._lock:
            self._hang_up = hang_up
            if self.is_cut:
                hang_up()

    def rest(self, seconds: float) -> None:
        """Wait, but not any longer when the line is cut."""
        self._cut.wait(seconds)
