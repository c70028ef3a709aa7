"""One listener for several processes, of which the one with the fewest connections takes the next.

The kernel wakes all of them, and the quickest would take nearly everybody: it is the one that is awake
anyway. So each holds back a little for every connection it has. One that is frozen holds up nobody.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from time import monotonic, sleep
from typing import Any

WAITING_CONNECTIONS = 2048
_PER_CONNECTION_S = 0.0005
_LONGEST_S = 0.01
_GLANCE_S = 0.0002
# Whoever came so long ago was taken by another: this one has come since.
_FORGOTTEN_S = 0.005
# So long it may take until a connection that was taken is counted.
_UNCOUNTED_S = 0.02


class FairListener(socket.socket):
    """A listener that is taken over from another socket; `connections` are those that this process has."""

    def __init__(self, listener: socket.socket, connections: Callable[[], int]) -> None:
        super().__init__(listener.family, listener.type, listener.proto, fileno=listener.detach())
        self._connections = connections
        self._came_at = self._looked_at = self._took_at = float("-inf")
        self._expected = 0

    def listen(self, backlog: int = WAITING_CONNECTIONS, /) -> None:
        """Let as many wait as there is room for: the event loop asks for as few as it takes at once."""
        super().listen(WAITING_CONNECTIONS)

    def accept(self) -> tuple[socket.socket, Any]:
        """The next connection; BlockingIOError if it is another's turn, or if there is none."""
        now = monotonic()
        if now - self._looked_at > _FORGOTTEN_S:
            self._came_at = now
        self._looked_at = now
        load = self._load(now)
        if now - self._came_at < min(load * _PER_CONNECTION_S, _LONGEST_S):
            sleep(_GLANCE_S)
            raise BlockingIOError
        self._looked_at = float("-inf")
        taken = super().accept()
        self._took_at, self._expected = now, load + 1
        return taken

    def _load(self, now: float) -> int:
        counted = self._connections()
        return max(counted, self._expected) if now - self._took_at < _UNCOUNTED_S else counted
