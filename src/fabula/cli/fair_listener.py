"""A listener shared by several processes: the one with the fewest connections accepts the next.

The kernel wakes all of them, and the fastest, which is awake anyway, would accept nearly every connection. So
each waits a little for every connection it has. A frozen process delays nobody.
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
# After this long, the earlier connection was accepted by another process, and this is a new one.
_FORGOTTEN_S = 0.005
# How long it may take until an accepted connection is counted.
_UNCOUNTED_S = 0.02


class FairListener(socket.socket):
    """A listener taken over from another socket; `connections` returns the number this process has."""

    def __init__(self, listener: socket.socket, connections: Callable[[], int]) -> None:
        super().__init__(listener.family, listener.type, listener.proto, fileno=listener.detach())
        self._connections = connections
        self._came_at = self._looked_at = self._took_at = float("-inf")
        self._expected = 0

    def listen(self, backlog: int = WAITING_CONNECTIONS, /) -> None:
        """Set the full backlog: the event loop asks for only as many as it accepts at once."""
        super().listen(WAITING_CONNECTIONS)

    def accept(self) -> tuple[socket.socket, Any]:
        """Accept the next connection; raises BlockingIOError if it is another's turn or there is none."""
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
