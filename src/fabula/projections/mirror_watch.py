"""Waiting for somebody who may fall silent: as long as there are signs of life, and not much longer.

Whoever waits never does what is waited for. That is done in a thread of its own, which can be left alone.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from time import monotonic
from typing import Generic, TypeVar

# Silence is noticed after the two together, which must stay well under three seconds.
GLANCE_SECONDS = 0.4
PATIENCE_SECONDS = 2.1

T = TypeVar("T")


class Silence(Exception):
    """There was no sign of life."""


class Errand(Generic[T]):
    """A work that is under way in a thread of its own."""

    def __init__(self, work: Callable[[], T], name: str) -> None:
        self.began = monotonic()
        self._work = work
        self._results: list[T] = []
        self._faults: list[BaseException] = []
        self._over = threading.Event()
        threading.Thread(target=self._do, daemon=True, name=name).start()

    def is_over(self, within: float = 0.0) -> bool:
        """Whether it has come to an end, now or within some seconds."""
        return self._over.wait(max(0.0, within))

    def result(self) -> T:
        """What it gave, or the fault it ended with."""
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
    """Asks for signs of life; many who want one at the same time wait for the same one."""

    def __init__(self, look: Callable[[], None]) -> None:
        self._look = look
        self._lock = threading.Lock()
        self._looking: Errand[None] | None = None

    def ask(self) -> None:
        """Return at a sign of life; Silence if there is none, or the fault that there is instead."""
        with self._lock:
            if self._looking is None or self._looking.is_over():
                self._looking = Errand(self._look, "sign-of-life")
            looking = self._looking
        if not looking.is_over(within=looking.began + PATIENCE_SECONDS - monotonic()):
            raise Silence
        looking.result()

    def rest(self) -> bool:
        """Whether nobody is asked for a sign of life, now or as soon as one who is asked has answered."""
        with self._lock:
            looking = self._looking
        return looking is None or looking.is_over(within=PATIENCE_SECONDS)

    def while_waiting_for(self, errand: Errand[T]) -> T:
        """What an errand gives; Silence as soon as it lasts and there is no sign of life."""
        while not errand.is_over(within=GLANCE_SECONDS):
            try:
                self.ask()
            except Exception as fault:
                raise Silence from fault
        return errand.result()
