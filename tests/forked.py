"""Commands of `fabula` that are forked from a process which has imported everything.

To import Fabula takes longer than most commands and than all that a server does in most tests. The process
has no threads and runs nothing before it forks, so a command begins as it would by itself.
"""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any

_MOST = 1 << 20
# Read when the modules of the terminal are imported; whoever has one imports them again.
_OF_TEXTS = ("FABULA_LANG", "LC_ALL", "LC_MESSAGES", "LANG", "COLUMNS")


def can_be_forked(arguments: object, settings: Mapping[str, str]) -> bool:
    """Whether a command would be the same: none of its settings concerns Python or the machine."""
    return "--processes" not in str(arguments) and all(
        name.startswith("FABULA_") or name in _OF_TEXTS for name in settings
    )


class Forked(subprocess.Popen[Any]):
    """A command like any other, only sooner: `Forked(["serve", …], …)`."""

    def _execute_child(  # type: ignore[no-untyped-def]
        self, args, _executable, _preexec, _close, _pass, cwd, env, _info, _flags, _shell, *rest
    ) -> None:
        stdin, _, _, stdout, _, stderr, *_ = pipes = rest[:6]
        streams = [given if given != -1 else own for own, given in enumerate((stdin, stdout, stderr))]
        in_own_group = bool(rest[11])
        command = {"arguments": args, "folder": str(cwd), "env": dict(env), "alone": in_own_group}
        self.pid = _nursery().ask(command, streams)[0]
        self._child_created = True
        self._close_pipe_fds(*pipes)

    def _internal_poll(self, _deadstate: int | None = None, **_: Any) -> int | None:
        if self.returncode is None:
            pid, status = self._try_wait(os.WNOHANG)
            if pid == self.pid:
                self._handle_exitstatus(status)
        return self.returncode

    def _try_wait(self, wait_flags: int) -> tuple[int, int]:
        if not wait_flags:
            ended = os.pidfd_open(self.pid)
            try:
                select.select([ended], [], [])
            finally:
                os.close(ended)
        pid, status = _nursery().ask({"over": self.pid})
        return pid, status


def forked_python(code: str, *arguments: str, env: Mapping[str, str] = os.environ, **how: Any) -> Forked:
    """Python that runs this code, as `python -c` would, with Fabula imported already."""
    return Forked(["-c", code, *arguments], cwd=os.getcwd(), env=env, **how)


class _Nursery:
    """The process that forks, seen from the tests."""

    def __init__(self, env: dict[str, str]) -> None:
        self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._turn = threading.Lock()
        with theirs:
            number = theirs.fileno()
            self._process = subprocess.Popen(
                [sys.executable, __file__, str(number)],
                env=env,
                pass_fds=[number],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                start_new_session=True,
            )

    def ask(self, question: dict[str, Any], streams: Sequence[int] = ()) -> list[int]:
        """Send a command, or ask whether one is over."""
        with self._turn:
            socket.send_fds(self._line, [json.dumps(question).encode()], streams)
            answer = self._line.recv(_MOST)
        if not answer:
            raise AssertionError("the process that forks commands has ended")
        return list(json.loads(answer))


@cache
def _nursery() -> _Nursery:
    from doors import environment

    return _Nursery(environment())


def _answer_commands(line: socket.socket) -> list[str] | None:
    """Fork a process for each command; in it, return the arguments, and at the end None."""
    while True:
        told, streams, _, _ = socket.recv_fds(line, _MOST, 3)
        if not told:
            return None
        question = json.loads(told)
        if "over" in question:
            line.send(json.dumps(os.waitpid(question["over"], os.WNOHANG)).encode())
            continue
        pid = os.fork()
        if pid == 0:
            _become(line, question, streams)
            return list(question["arguments"])
        for stream in streams:
            os.close(stream)
        line.send(json.dumps([pid]).encode())


def _become(line: socket.socket, question: dict[str, Any], streams: list[int]) -> None:
    line.close()
    for own, given in enumerate(streams):
        os.dup2(given, own)
        os.close(given)
    if question["alone"]:
        os.setsid()
    os.chdir(question["folder"])
    given = question["env"]
    has_other_texts = any(given.get(name) != os.environ.get(name) for name in _OF_TEXTS)
    os.environ.clear()
    os.environ.update(given)
    if has_other_texts:
        for name in [name for name in sys.modules if name.split(".")[:2] == ["fabula", "cli"]]:
            del sys.modules[name]


def _run() -> None:
    # Commands hear that their terminal is closed, also where the tests run under `nohup`.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    del sys.path[0]  # what lies beside the tests is not for commands

    arguments = _answer_commands(socket.socket(fileno=int(sys.argv[1])))
    if arguments is None:
        return
    if arguments[0] == "-c":
        sys.argv = ["-c", *arguments[2:]]
        exec(arguments[1], {"__name__": "__main__"})
        return
    sys.argv = ["fabula", *arguments]
    sys.exit(import_module("fabula.cli").main())


if __name__ == "__main__":
    _run()
