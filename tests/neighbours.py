"""Several `fabula serve` on one database, each with a port of its own: a test chooses whom it asks."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any, Self

from doors import Server, popen
from endpoints import PlayedEndpoint, completion
from fabula.store.place import DatabasePlace
from waiting import PATIENCE


class Neighbours:
    """Server processes that can be killed and started again; what was true of one must be true of all."""

    def __init__(self, folder: Path, db: DatabasePlace, model: PlayedEndpoint, count: int) -> None:
        self.db, self.model = db, model
        self._folder = folder
        self._settings = {
            "FABULA_WORK_AFTER_SAVING": "off",
            "FABULA_LLM_BASE_URL": model.url,
            "FABULA_LLM_MODEL": "played",
        }
        started = [self._start() for _ in range(count)]
        self.servers = [Server(process, db) for process in started]

    def _start(self) -> Any:
        return popen(["serve", "--db", str(self.db), "--port", "0"], self._folder, self._settings)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.model.plays(completion("[]"))
        for server in self.servers:
            server.close()

    def kill(self, number: int) -> None:
        """End a process as a fault does."""
        process = self.servers[number].process
        process.send_signal(signal.SIGKILL)
        process.wait(PATIENCE)

    def start_again(self, number: int) -> Server:
        """Let one that was killed be there again."""
        self.servers[number].close()
        self.servers[number] = Server(self._start(), self.db)
        return self.servers[number]
