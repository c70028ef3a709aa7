"""A PostgreSQL that is killed while people write, and comes back."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from doors import PATIENCE, serving
from fabula.store.place import Address
from faulty import Tell, rounds
from load import Writers, begin, held
from postgres import ask, binaries
from required import missing


class Cluster:
    """A PostgreSQL that keeps what it acknowledges, as those of users do, and can be killed."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self._folder, self._programs = folder, programs
        self._data = folder / "data"
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self._port = probe.getsockname()[1]
        self._process: subprocess.Popen[bytes] | None = None
        self.server = f"postgresql://postgres@127.0.0.1:{self._port}"
        self._run("initdb", "-D", str(self._data), "-E", "UTF8", "-A", "trust", "-U", "postgres").wait(
            PATIENCE
        )

    def start(self) -> None:
        """Start it and wait until it answers."""
        patience = time.monotonic() + PATIENCE
        while True:
            listening = ("-p", str(self._port), "-k", "", "-c", "listen_addresses=127.0.0.1")
            self._process = self._run("postgres", "-D", str(self._data), *listening)
            while self._process.poll() is None:
                with suppress(Exception):
                    ask(f"{self.server}/postgres", "SELECT 1")
                    return
                assert time.monotonic() < patience, (self._folder / "log").read_text()
                time.sleep(0.05)
            # What is left of a killed one may take a moment to go.
            assert time.monotonic() < patience, (self._folder / "log").read_text()

    def kill(self) -> None:
        """End it and all its parts at once."""
        first = int((self._data / "postmaster.pid").read_text().split()[0])
        parts = [psutil.Process(first), *psutil.Process(first).children(recursive=True)]
        for part in parts:
            with suppress(psutil.NoSuchProcess):
                part.send_signal(signal.SIGKILL)
        assert self._process is not None
        self._process.wait(PATIENCE)

    def close(self) -> None:
        """Leave nothing behind."""
        if self._process is not None and self._process.poll() is None:
            self.kill()

    def _run(self, program: str, *arguments: str) -> subprocess.Popen[bytes]:
        with (self._folder / "log").open("ab") as log:
            return subprocess.Popen(
                ["runuser", "-u", "postgres", "--", str(self._programs / program), *arguments],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
            )


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    programs = binaries()
    if programs is None:
        missing("There is no PostgreSQL here: make postgresql")
    folder = Path(tempfile.mkdtemp(prefix="fabula-killed-"))
    shutil.chown(folder, "postgres", "postgres")
    made = Cluster(folder, programs)
    try:
        made.start()
        yield made
    finally:
        made.close()
        shutil.rmtree(folder, ignore_errors=True)


def test_killed_and_back(tmp_path: Path, cluster: Cluster, tell: Tell) -> None:
    ask(f"{cluster.server}/postgres", "CREATE DATABASE fabula")
    place = Address(f"{cluster.server}/fabula")
    begin(place)
    count, slowest = rounds(2, 8), 0.0
    with serving(tmp_path, db=place) as server:
        writers = Writers(lambda: [server.url], count=4)
        for _ in range(count):
            writers.start()
            writers.grow(20)
            cluster.kill()
            began = time.monotonic()
            refused = server.client.post("/api/v2/stories", json={"title": "题"})
            slowest = max(slowest, time.monotonic() - began)
            assert (refused.status_code, refused.json()["code"]) == (503, "INTERNAL_ERROR")
            assert server.client.get("/api/v2/health").status_code == 200
            ready = server.client.get("/api/v2/ready")
            assert (ready.status_code, ready.json()["database"]) == (503, False)
            assert "fabula_database_up 0.0" in server.client.get("/metrics").text
            cluster.start()
            writers.grow(20)
            writers.stop()
            assert server.client.get("/api/v2/ready").status_code == 200
            seen = held(place, writers)
        refusals = writers.refusals
        server.end()
    told = f"{seen}; {refusals.total()} refused, in {slowest:.1f} s at most"
    tell(f"PostgreSQL killed (SIGKILL) while 4 people write, {count} times", told)
