"""Connections to PostgreSQL that are not waited for for ever when the server falls silent.

The driver waits as long as the socket lives, and the socket of a server that is frozen, or whose machine has
vanished, lives for ever. So a connection that hears nothing for a while lets the server be asked on another
one. If nobody answers there either, it is closed, and whoever waited is told.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Generator
from time import monotonic
from typing import Any

import psycopg

# So long nothing is heard before the server is asked whether it is there, and so long it may take to say so.
SUSPICIOUS_S = 3.0
ANSWER_S = 2.0
# Nobody waits longer for one statement, even of a server that is there; except who said that it takes long.
LONGEST_S = 30.0
# An answer is believed for so long.
_BELIEVED_S = 1.0

# A server of the address: its host, as named and as resolved, and its port.
Host = tuple[str, str, int]
# Somebody who lets nobody in, but says so.
_REFUSING: Host = ("", "", 0)


class SilentError(psycopg.OperationalError):
    """The server has fallen silent."""


class Lines:
    """The way of this process to one address: its connections, and whether anybody answers there."""

    def __init__(self, conninfo: dict[str, Any], **options: Any) -> None:
        self._options = {**conninfo, **options, "autocommit": True}
        self._asking = threading.Lock()
        self._asked_at = -math.inf
        self._answered: Host | None = None
        self.are_silent = False

    def connect(self) -> Watched:
        """A new connection; refused at once while it is known that nobody answers."""
        if self.are_silent and self.answering() is None:
            raise SilentError("the server does not answer")
        try:
            connection = _connected(self._options)
        except psycopg.errors.ConnectionTimeout:
            self.answering()
            raise
        connection.lines = self
        return connection

    def answering(self) -> Host | None:
        """Who answers at the address, if anybody does; asked by one thread at a time."""
        # As long as nobody answers, nobody need wait until another has found out the same again.
        if not self._asking.acquire(blocking=not self.are_silent):
            return None
        try:
            if monotonic() - self._asked_at > _BELIEVED_S:
                self._answered = self._ask()
                self._asked_at = monotonic()
                self.are_silent = self._answered is None
            return self._answered
        finally:
            self._asking.release()

    def _ask(self) -> Host | None:
        try:
            with _connected({**self._options, "connect_timeout": math.ceil(ANSWER_S)}) as connection:
                connection.execute("SELECT 1")
                return connection.host
        except (psycopg.errors.ConnectionTimeout, SilentError):
            return None
        except psycopg.Error:
            return _REFUSING


def _connected(options: dict[str, Any]) -> Watched:
    try:
        return Watched.connect(**options)
    except psycopg.Error as error:
        # The frames it came through hold the socket, and would until the garbage is collected.
        raise error.with_traceback(None) from None


class Watched(psycopg.Connection[Any]):
    """A connection that is given up when the server has fallen silent."""

    # Whoever is only to find out whether the server answers asks nobody else.
    lines: Lines | None = None
    takes_long = False

    @property
    def host(self) -> Host:
        """The server at the other end."""
        return self.info.host, self.info.hostaddr, self.info.port

    def wait(self, gen: Generator[Any, Any, Any], *args: Any, **options: Any) -> Any:
        """Wait for what was asked, as long as there is hope."""
        return super().wait(self._hoping(gen), *args, **options)

    def _hoping(self, gen: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
        heard = looked = monotonic()
        pause = ANSWER_S if self.lines is None else SUSPICIOUS_S
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted
                if ready:
                    heard = looked = monotonic()
                elif monotonic() - looked > pause:
                    if not self._is_hope(monotonic() - heard):
                        self.pgconn.finish()
                        raise SilentError("the server has fallen silent")
                    looked = monotonic()
                wanted = gen.send(ready)
        except StopIteration as end:
            return end.value

    def _is_hope(self, silence: float) -> bool:
        if self.lines is None or (silence > LONGEST_S and not self.takes_long):
            return False
        # Another server that answers at the same address is of no use to this connection.
        return self.lines.answering() in (self.host, _REFUSING)
