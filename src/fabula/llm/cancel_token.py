"""Cancelling a call to a model from another thread: whoever waits for its answer is woken at once."""

from __future__ import annotations

import threading
from collections.abc import Callable


class CancelToken:
    """Cancels one call to a model; any thread may do so, at any time and more than once."""

    def __init__(self) -> None:
        self._cancelled = threading.Event()
        self._lock = threading.Lock()
        self._close: Callable[[], None] | None = None

    @property
    def is_cancelled(self) -> bool:
        """Whether the answer is no longer wanted."""
        return self._cancelled.is_set()

    def cancel(self) -> None:
        """End the call: the endpoint sees its connection close, and the reader sees the end of the stream."""
        self._cancelled.set()
        with self._lock:
            if self._close is not None:
                self._close()

    def on_cancel(self, close: Callable[[], None]) -> None:
        """Set what ends the call from now on; it is called right away if the call was cancelled already."""
        with self._lock:
            self._close = close
            if self.is_cancelled:
                close()

    def wait(self, seconds: float) -> None:
        """Wait for so many seconds, or until the call is cancelled."""
        self._cancelled.wait(seconds)
