"""`fabula serve --processes`: several processes behind one port, as tests look at them and break them."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

import httpx
import psutil

from doors import FABULA, Server, popen
from standstill import freeze
from waiting import PATIENCE, eventually


class Together(Server):
    """A parent and the processes it looks after."""

    def __init__(
        self, folder: Path, count: int = 3, program: Sequence[str] = (FABULA,), **settings: str
    ) -> None:
        self.count = count
        db = folder / "fabula.db"
        # The folder of a test is too deep for the address of a socket.
        self._temporary = TemporaryDirectory(prefix="together-", ignore_cleanup_errors=True)
        self.temporary = Path(self._temporary.name)
        settings = {"FABULA_WORK_AFTER_SAVING": "off", "TMPDIR": self._temporary.name, **settings}
        command = ["serve", "--db", str(db), "--port", "0", "--processes", str(count)]
        super().__init__(popen(command, folder, settings, program=program, in_own_group=True), db)

    def close(self) -> None:
        """Let nothing of them stay behind."""
        super().close()
        self._temporary.cleanup()

    def processes(self, but: Iterable[psutil.Process] = ()) -> set[psutil.Process]:
        """The processes that answer, as soon as there are as many as there should be."""

        def look() -> set[psutil.Process] | None:
            there = self._answering() - set(but)
            return there if len(there) == self.count else None

        return eventually(look)

    def _answering(self) -> set[psutil.Process]:
        said = (
            record["message"] for record in self.records() if "Started server process" in record["message"]
        )
        numbers = [int(message.split("[")[1].rstrip("]")) for message in said]
        return {psutil.Process(number) for number in numbers if psutil.pid_exists(number)}

    def tell_all(self, what: signal.Signals) -> None:
        """Send a signal to the parent and everybody below it, as a terminal does."""
        os.killpg(self.process.pid, what)

    def get(self, path: str) -> httpx.Response:
        """An answer on a connection of its own, from whoever takes it."""
        return httpx.get(f"{self.url}{path}", timeout=PATIENCE, trust_env=False)

    def post(self, path: str, body: object) -> httpx.Response:
        """An answer on a connection of its own, from whoever takes it."""
        return httpx.post(f"{self.url}{path}", json=body, timeout=PATIENCE, trust_env=False)

    def assert_all_gone(self, processes: Iterable[psutil.Process]) -> None:
        """Nobody is left, nor anything of them, and the port can be had by others."""
        _, alive = psutil.wait_procs(processes, timeout=PATIENCE)
        assert alive == []
        eventually(lambda: list(self.temporary.glob("fabula-*")) == [])
        with socket.socket() as another:
            another.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            another.bind(("127.0.0.1", urlsplit(self.url).port))
            another.listen()


@contextmanager
def together(
    folder: Path, count: int = 3, program: Sequence[str] = (FABULA,), **settings: str
) -> Iterator[Together]:
    """Processes behind one port that are gone at the end, whatever happens."""
    server = Together(folder, count, program, **settings)
    try:
        yield server
    finally:
        server.close()


@contextmanager
def only(one: psutil.Process, among: Iterable[psutil.Process]) -> Iterator[None]:
    """Everybody but one is frozen."""
    others = [process for process in among if process != one]
    for process in others:
        freeze(process.pid)
    try:
        yield
    finally:
        for process in others:
            process.resume()
