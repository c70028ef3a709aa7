"""Several server processes behind one port: started, looked after, and told to end by one parent.

They share the listening socket, so that whoever is idle takes the next connection, and a connection that
waits is not lost with a process. The parent answers nobody and opens no database while they run.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterable
from multiprocessing import connection
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from fabula.cli.listening import LAST_ANSWERS_S, answer_at
from fabula.cli.logs import log_as_json
from fabula.config import Config
from fabula.errors import FabulaError
from fabula.memory import Memory
from fabula.operations.working.job_crew import GRACE_S

# A process that ended sooner than this after its start is started again after a pause that grows.
SHORT_LIFE_S = 10.0
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 30.0
# After answers and jobs have had their time to end; then nobody is asked any more.
LAST_PATIENCE_S = LAST_ANSWERS_S + GRACE_S + 5.0

# Where there is one, a small process imports everything once and forks the others; it never has a thread.
_FORKS = "forkserver" in multiprocessing.get_all_start_methods()
_CONTEXT: Any = multiprocessing.get_context("forkserver" if _FORKS else "spawn")
_IMPORTED = ["fabula.cli.processes", "fabula.api.app", "uvicorn"]

log = logging.getLogger("fabula.processes")


class ServerProcesses:
    """So many processes that answer at one listener, for as long as nobody ends them."""

    def __init__(self, listener: socket.socket, config: Config, count: int) -> None:
        self._posts = [_Post(listener, config, number) for number in range(count)]
        self._news, self._bell = os.pipe()
        self._is_leaving = False

    def run(self, begins: Callable[[], object]) -> int:
        """Keep them running until a signal ends it; `begins` is called when all are ready. The exit code.

        If one ends before all were ready there is something wrong with all of them, and that is the end.
        """
        for ending in (signal.SIGINT, signal.SIGTERM):
            signal.signal(ending, self._end)
        if _FORKS:
            _CONTEXT.set_forkserver_preload(_IMPORTED)
        try:
            for post in self._posts:
                post.fill()
            return self._look_after_them(begins)
        finally:
            self._stop()

    def _look_after_them(self, begins: Callable[[], object]) -> int:
        waiting = True
        while not self._is_leaving:
            self._wait()
            if waiting and any(post.is_vacant for post in self._posts):
                return 0 if self._is_leaving else 1
            if waiting and all(post.is_ready() for post in self._posts):
                waiting = False
                begins()
            for post in self._posts:
                post.look_after()
        return 0

    def _end(self, *_: object) -> None:
        self._is_leaving = True
        os.write(self._bell, b"!")

    def _wait(self) -> None:
        """Until a process has ended or is ready, one is to be started again, or a signal came."""
        pauses = [pause for post in self._posts if (pause := post.pause()) is not None]
        sources: list[Connection | int] = [self._news, *(s for post in self._posts for s in post.sources())]
        connection.wait(sources, min(pauses, default=None))

    def _stop(self) -> None:
        for post in self._posts:
            post.dismiss()
        patience = time.monotonic() + LAST_PATIENCE_S
        for post in self._posts:
            post.leave(max(0.0, patience - time.monotonic()))


class _Post:
    """The place of one process: whoever holds it, and since when."""

    def __init__(self, listener: socket.socket, config: Config, number: int) -> None:
        self._listener, self._config, self._number = listener, config, number
        self._process: BaseProcess | None = None
        self._says: Connection | None = None
        self._was_ready = False
        self._since = self._again_at = 0.0
        self._next_pause = FIRST_PAUSE_S

    def fill(self) -> None:
        """Start a process."""
        self._says, said = _CONTEXT.Pipe(duplex=False)
        self._process = _CONTEXT.Process(
            target=_serve, args=(self._listener, self._config, self._number, said), daemon=True
        )
        self._process.start()
        said.close()
        self._since, self._was_ready = time.monotonic(), False

    @property
    def is_vacant(self) -> bool:
        """Whether there is no process here that runs."""
        return self._process is None or not self._process.is_alive()

    def is_ready(self) -> bool:
        """Whether the process here has said that it answers."""
        if not self._was_ready and self._says is not None and self._says.poll():
            self._was_ready = _heard(self._says)
            self._says.close()
            self._says = None
        return self._was_ready

    def sources(self) -> Iterable[Connection | int]:
        """What tells that something has happened here."""
        if self._process is not None:
            yield self._process.sentinel
        if self._says is not None:
            yield self._says

    def pause(self) -> float | None:
        """Seconds until a process is to be started here; None if there is one."""
        return max(0.0, self._again_at - time.monotonic()) if self._process is None else None

    def look_after(self) -> None:
        """Note that a process has ended, and start another when it is time to."""
        self.is_ready()
        if self._process is not None and self.is_vacant:
            log.warning("ended", extra={"pid": self._process.pid, "exit": self._process.exitcode})
            is_short = time.monotonic() - self._since < SHORT_LIFE_S
            self._next_pause = min(LONGEST_PAUSE_S, 2 * self._next_pause) if is_short else FIRST_PAUSE_S
            self._again_at = time.monotonic() + (self._next_pause if is_short else 0.0)
            self.leave(0.0)
        if self._process is None and time.monotonic() >= self._again_at:
            self.fill()

    def dismiss(self) -> None:
        """Ask the process to end in order."""
        if self._process is not None and self._process.is_alive():
            self._process.terminate()

    def leave(self, patience: float) -> None:
        """Wait so long for the end of the process, then end it."""
        if self._process is not None:
            self._process.join(patience)
            if self._process.is_alive():
                self._process.kill()
                self._process.join()
            self._process.close()
            self._process = None
        if self._says is not None:
            self._says.close()
            self._says = None


def _heard(says: Connection) -> bool:
    try:
        return bool(says.recv())
    except EOFError:  # it ended before it had anything to say
        return False


def _serve(listener: socket.socket, config: Config, number: int, said: Connection) -> None:
    """What a process does: answer, until the parent says to stop or is gone."""
    # Ctrl+C reaches every process of a terminal; these wait for what the parent says.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    log_as_json(config.log_level)
    threading.Thread(target=_follow_parent, daemon=True, name="parent").start()

    def begins() -> None:
        said.send(True)
        said.close()

    try:
        with Memory.configured(config) as memory:
            answer_at(listener, memory, config, begins, process=number)
    except FabulaError as error:
        log.error("not started", extra={"code": error.code, "reason": error.message})
        sys.exit(1)


def _follow_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
