"""Wait for a server only as long as it shows signs of life.

The work itself runs in a separate thread, which can be abandoned.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from time import monotonic
from typing import Generic, TypeVar

# An unresponsive server is detected after the sum of the two, which must stay well below three seconds.
GLANCE_SECONDS = 0.4
PATIENCE_SECONDS = 2.1

T = TypeVar("T")


class Silence(Exception):
    """The server is unresponsive."""


class Errand(Generic[T]):
    """Work running in a thread of its own."""

    def __init__(self, work: Callable[[], T], name: str) -> None:
        self.began = monotonic()
        self._work = work
        self._results: list[T] = []
        self._faults: list[BaseException] = []
        self._over = threading.Event()
        threading.Thread(target=self._do, daemon=True, name=name).start()

    def is_over(self, within: float = 0.0) -> bool:
        """Whether the work has ended, now or within some seconds."""
        return self._over.wait(max(0.0, within))

    def result(self) -> T:
        """Return the result of the work, or raise its exception."""
        if self._faults:
            raise self._faults[0]
        return self._results[0]

    def _do(self) -> None:
        try:
            self._results.append(self._work())
        except BaseException as fault:
            self._faults.append(fault)
        finally:
            self._over.set()


class SignsOfLife:
    """Runs liveness checks; concurrent callers share one check."""

    def __init__(self, look: Callable[[], None]) -> None:
        self._look = look
        self._lock = threading.Lock()
        self._looking: Errand[None] | None = None

    def ask(self) -> None:
        """Return once the server responds; raises Silence if it does not, or the error of the check."""
        with self._lock:
            if self._looking is None or self._looking.is_over():
                self._looking = Errand(self._look, "sign-of-life")
            looking = self._looking
        if not looking.is_over(within=looking.began + PATIENCE_SECONDS - monotonic()):
            raise Silence
        looking.result()

    def rest(self) -> bool:
        """Whether no liveness check is running, now or within the time limit of the one that is."""
        with self._lock:
            looking = self._looking
        return looking is None or looking.is_over(within=PATIENCE_SECONDS)

    def while_waiting_for(self, errand: Errand[T]) -> T:
        """Return the result of the work; raises Silence as soon as a liveness check fails meanwhile."""
        while not errand.is_over(within=GLANCE_SECONDS):
            try:
                self.ask()
            except Exception as fault:
                raise Silence from fault
        return errand.result()
