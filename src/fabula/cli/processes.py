"""Several server processes behind one port, started, supervised and stopped by one parent.

They share the listening socket: the one with the fewest connections accepts the next, and a waiting
connection is not lost when a process ends. The parent serves no requests and opens no database meanwhile.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import shutil
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterable
from multiprocessing import connection, forkserver, resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from fabula.api.origins import new_page_token
from fabula.api.server_process import ServerProcess
from fabula.cli.logs import log_as_json
from fabula.cli.server_socket import LAST_ANSWERS_S, answer_at, on_hang_up
from fabula.config import Config
from fabula.errors import FabulaError
from fabula.jobs.crew import GRACE_S
from fabula.memory import Memory

# A process that ended sooner than this is restarted after an increasing delay.
SHORT_LIFE_S = 10.0
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 30.0
# Give up when this many processes in each slot ended before they could serve.
MOST_TRIES = 5
# How long to wait for the second sign that the parent is gone.
LAST_BREATH_S = 1.0
# How long processes may take to stop before they are killed: longer than responses and jobs.
LAST_PATIENCE_S = LAST_ANSWERS_S + GRACE_S + 5.0

# Where available, a single-threaded fork server imports everything once and forks the others.
_FORKS = "forkserver" in multiprocessing.get_all_start_methods()
_CONTEXT: Any = multiprocessing.get_context("forkserver" if _FORKS else "spawn")
_ENDINGS = {signal.SIGTERM, signal.SIGHUP} if _FORKS else set()
_IMPORTED = ["fabula.cli.processes", "fabula.cli.fair_server", "fabula.api.app", "fabula.api.connection"]

log = logging.getLogger("fabula.processes")


class ServerProcesses:
    """A number of processes that serve one listener until they are stopped."""

    def __init__(self, listener: socket.socket, config: Config, count: int) -> None:
        # State shared by the processes, readable by nobody else.
        self._folder = TemporaryDirectory(prefix="fabula-", ignore_cleanup_errors=True)
        folder, page_token = Path(self._folder.name), new_page_token()
        processes = [ServerProcess(folder, number, page_token) for number in range(count)]
        # Only the parent holds the other end, which closes when it dies.
        lifeline, self._life = _CONTEXT.Pipe(duplex=False)
        self._posts = [_Post(listener, config, process, lifeline) for process in processes]
        self._news, self._bell = os.pipe()
        self._is_leaving = False

    def run(self, begins: Callable[[], object]) -> int:
        """Keep the processes running until a signal arrives, and return the exit code.

        `begins` is called once all are ready. If one ends before that, something is wrong with all of them,
        and the server stops. Later, processes are restarted as long as any of them serves or still may.
        """
        for ending in (signal.SIGINT, signal.SIGTERM):
            signal.signal(ending, self._end)
        on_hang_up(self._end)
        try:
            for post in self._posts:
                post.fill()
            return self._look_after_them(begins)
        finally:
            self._stop()
            self._folder.cleanup()

    def _look_after_them(self, begins: Callable[[], object]) -> int:
        waiting = True
        while not self._is_leaving:
            self._wait()
            if waiting and any(post.is_vacant for post in self._posts):
                return 0 if self._is_leaving else _given_up("a process ended before all could answer")
            if waiting and all(post.is_ready() for post in self._posts):
                waiting = False
                begins()
            for post in self._posts:
                post.look_after()
            if all(post.is_hopeless for post in self._posts):
                return _given_up("no process could begin to answer again")
        return 0

    def _end(self, *_: object) -> None:
        self._is_leaving = True
        os.write(self._bell, b"!")

    def _wait(self) -> None:
        """Wait until a process has ended or is ready, a restart is due, or a signal has arrived."""
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
    """The slot of one process: the process in it, and since when."""

    def __init__(
        self, listener: socket.socket, config: Config, process: ServerProcess, lifeline: Connection
    ) -> None:
        self._listener, self._config, self._server_process = listener, config, process
        self._lifeline = lifeline
        self._process: BaseProcess | None = None
        self._says: Connection | None = None
        self._was_ready = False
        self._since = self._again_at = 0.0
        self._next_pause = FIRST_PAUSE_S
        self._failures = 0

    def fill(self) -> None:
        """Start a process."""
        _prepare()
        self._says, said = _CONTEXT.Pipe(duplex=False)
        known = (self._listener, self._config, self._server_process, said, self._lifeline)
        self._process = _CONTEXT.Process(target=_serve, args=known, daemon=True)
        self._process.start()
        said.close()
        self._since, self._was_ready = time.monotonic(), False

    @property
    def is_vacant(self) -> bool:
        """Whether no process is running here."""
        return self._process is None or not self._process.is_alive()

    @property
    def is_hopeless(self) -> bool:
        """Whether too many processes in a row have ended here before they could serve."""
        return self._failures >= MOST_TRIES

    def is_ready(self) -> bool:
        """Whether the process here has reported that it is ready."""
        if not self._was_ready and self._says is not None and self._says.poll():
            self._was_ready = _heard(self._says)
            self._failures = 0 if self._was_ready else self._failures
            self._says.close()
            self._says = None
        return self._was_ready

    def sources(self) -> Iterable[Connection | int]:
        """Yield the handles that signal an event here."""
        if self._process is not None:
            yield self._process.sentinel
        if self._says is not None:
            yield self._says

    def pause(self) -> float | None:
        """Return the seconds until a process is to be started here; None if there is one."""
        return max(0.0, self._again_at - time.monotonic()) if self._process is None else None

    def look_after(self) -> None:
        """Notice that a process has ended, and start another when it is due."""
        self.is_ready()
        if self._process is not None and self.is_vacant:
            log.warning("ended", extra={"pid": self._process.pid, "exit": self._process.exitcode})
            self._failures += not self._was_ready
            is_short = time.monotonic() - self._since < SHORT_LIFE_S
            self._next_pause = min(LONGEST_PAUSE_S, 2 * self._next_pause) if is_short else FIRST_PAUSE_S
            self._again_at = time.monotonic() + (self._next_pause if is_short else 0.0)
            self.leave(0.0)
        if self._process is None and time.monotonic() >= self._again_at:
            self.fill()

    def dismiss(self) -> None:
        """Ask the process to shut down."""
        if self._process is not None and self._process.is_alive():
            self._process.terminate()

    def leave(self, patience: float) -> None:
        """Wait this long for the process to end, then kill it."""
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


def _prepare() -> None:
    """Start the fork server, which lasts as long as the parent.

    A signal to the whole group must not end it, or the parent could not tell when the others have ended.
    """
    if _FORKS:
        _CONTEXT.set_forkserver_preload(_IMPORTED)
        resource_tracker.ensure_running()  # otherwise it would be started in between and unblock them again
        signal.pthread_sigmask(signal.SIG_BLOCK, _ENDINGS)
        try:
            forkserver.ensure_running()
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDINGS)


def _given_up(reason: str) -> int:
    log.error("given up", extra={"reason": reason})
    return 1


def _heard(says: Connection) -> bool:
    try:
        return bool(says.recv())
    except EOFError:  # the process ended before it was ready
        return False


def _serve(
    listener: socket.socket, config: Config, process: ServerProcess, said: Connection, lifeline: Connection
) -> None:
    """Serve until the parent says to stop or is gone."""
    # Ctrl+C and a hangup reach every process of the terminal; these wait for the parent's signal.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if _FORKS:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDINGS)
    log_as_json(config.log_level)
    follows = threading.Thread(
        target=_follow_parent, args=[process.folder, lifeline], daemon=True, name="parent"
    )
    follows.start()

    def begins() -> None:
        said.send(True)
        said.close()

    try:
        with Memory.configured(config, calls_file=process.calls) as memory:
            answer_at(listener, memory, config, begins, process=process)
    except FabulaError as error:
        log.error("not started", extra={"code": error.code, "reason": error.message})
        sys.exit(1)


def _follow_parent(folder: Path, lifeline: Connection) -> None:
    """Stop when the parent, or the fork server through which it monitors this process, is gone."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    parent.join()
    if lifeline.poll(LAST_BREATH_S):
        shutil.rmtree(folder, ignore_errors=True)  # normally the parent's task
    os.kill(os.getpid(), signal.SIGTERM)
