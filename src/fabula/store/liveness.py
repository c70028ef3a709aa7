"""Liveness checks for PostgreSQL: nobody waits forever on a server that no longer responds.

The driver waits as long as the socket lives, and the socket of a server that is frozen, or whose machine has
vanished, lives forever. So a connection that hears nothing for a while probes the server over a second one.
If that gets no answer either, the first connection is closed and whoever was waiting gets an error.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Generator
from time import monotonic
from typing import Any

import psycopg

# How long a connection may receive nothing before the server is probed, and how long that may take.
SUSPICIOUS_S = 3.0
ANSWER_S = 2.0
# The longest wait for one statement, even if the server is alive; `takes_long` lifts it.
LONGEST_S = 30.0
# How long the result of a probe is believed.
_BELIEVED_S = 1.0

# One server behind the address: its host, as named and as resolved, and its port.
Host = tuple[str, str, int]
# A server that is alive but refuses the connection.
_REFUSING: Host = ("", "", 0)


class UnresponsiveError(psycopg.OperationalError):
    """The server no longer responds."""


class MonitoredServer:
    """One database address as this process sees it: opens connections to it and knows whether it responds."""

    def __init__(self, conninfo: dict[str, Any], **options: Any) -> None:
        self._options = {**conninfo, **options, "autocommit": True}
        self._asking = threading.Lock()
        self._asked_at = -math.inf
        self._answered: Host | None = None
        self.is_unresponsive = False

    def connect(self) -> MonitoredConnection:
        """Open a connection; fails at once while the server is known to be unresponsive."""
        if self.is_unresponsive and self.answering() is None:
            raise UnresponsiveError("the server does not respond")
        try:
            connection = _connected(self._options)
        except psycopg.errors.ConnectionTimeout:
            self.answering()
            raise
        connection.server = self
        return connection

    def answering(self) -> Host | None:
        """Return the server that responds at the address, or None; one thread probes at a time."""
        # While the server is unresponsive, no thread needs to wait for another to find that out again.
        if not self._asking.acquire(blocking=not self.is_unresponsive):
            return None
        try:
            if monotonic() - self._asked_at > _BELIEVED_S:
                self._answered = self._ask()
                self._asked_at = monotonic()
                self.is_unresponsive = self._answered is None
            return self._answered
        finally:
            self._asking.release()

    def _ask(self) -> Host | None:
        try:
            with _connected({**self._options, "connect_timeout": math.ceil(ANSWER_S)}) as connection:
                connection.execute("SELECT 1")
                return connection.host
        except (psycopg.errors.ConnectionTimeout, UnresponsiveError):
            return None
        except psycopg.Error:
            return _REFUSING


def _connected(options: dict[str, Any]) -> MonitoredConnection:
    try:
        return MonitoredConnection.connect(**options)
    except psycopg.Error as error:
        # The frames it came through hold the socket, and would until the garbage is collected.
        raise error.with_traceback(None) from None


class MonitoredConnection(psycopg.Connection[Any]):
    """A connection that is closed when its server no longer responds."""

    # A probe has none: it must not start another probe.
    server: MonitoredServer | None = None
    takes_long = False

    @property
    def host(self) -> Host:
        """The server at the other end."""
        return self.info.host, self.info.hostaddr, self.info.port

    def wait(self, gen: Generator[Any, Any, Any], *args: Any, **options: Any) -> Any:
        """Wait for the result as long as the server responds."""
        return super().wait(self._monitored(gen), *args, **options)

    def _monitored(self, gen: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
        heard = looked = monotonic()
        pause = ANSWER_S if self.server is None else SUSPICIOUS_S
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted
                if ready:
                    heard = looked = monotonic()
                elif monotonic() - looked > pause:
                    if not self._is_worth_waiting(monotonic() - heard):
                        self.pgconn.finish()
                        raise UnresponsiveError("the server no longer responds")
                    looked = monotonic()
                wanted = gen.send(ready)
        except StopIteration as end:
            return end.value

    def _is_worth_waiting(self, unheard_s: float) -> bool:
        if self.server is None or (unheard_s > LONGEST_S and not self.takes_long):
            return False
        # If another server now responds at this address, this connection is still lost.
        return self.server.answering() in (self.host, _REFUSING)
