"""A PostgreSQL that keeps what it acknowledges, as those of users do; to be killed, frozen and followed."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

from ports import free_port
from postgres import ask, binaries
from required import missing
from standstill import freeze
from waiting import PATIENCE


class Cluster:
    """One server, its folder, and its processes."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self._folder, self._programs = folder, programs
        self._data = folder / "data"
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self.server = f"postgresql://postgres@127.0.0.1:{self.port}"

    def make(self) -> None:
        """Make an empty one."""
        self._done("initdb", "-D", str(self._data), "-E", "UTF8", "-A", "trust", "-U", "postgres")

    def follow(self, other: Cluster, name: str) -> None:
        """Make one that follows another under a name."""
        where = f"{other.server}/postgres?application_name={name}"
        self._done("pg_basebackup", "-D", str(self._data), "-d", where, "-R", "-X", "stream", "-c", "fast")

    def start(self) -> None:
        """Start it and wait until it answers."""
        patience = time.monotonic() + PATIENCE
        while True:
            listening = ("-p", str(self.port), "-k", "", "-c", "listen_addresses=127.0.0.1")
            self._process = self._run("postgres", "-D", str(self._data), *listening)
            while self._process.poll() is None:
                with suppress(Exception):
                    ask(f"{self.server}/postgres", "SELECT 1")
                    return
                assert time.monotonic() < patience, self.log
                time.sleep(0.05)
            # What is left of a killed one may take a moment to go.
            assert time.monotonic() < patience, self.log

    @property
    def is_running(self) -> bool:
        """Whether it has not ended by itself."""
        return self._process is not None and self._process.poll() is None

    def promote(self) -> None:
        """Let one that follows go on by itself."""
        self._done("pg_ctl", "promote", "-D", str(self._data), "-w")

    def kill(self) -> None:
        """End it and all its parts at once."""
        self._signal(signal.SIGKILL)
        assert self._process is not None
        self._process.wait(PATIENCE)

    def freeze(self) -> None:
        """Let all of it stand still; what is sent to it still arrives."""
        for part in self._parts():
            with suppress(ProcessLookupError):
                freeze(part.pid)

    def thaw(self) -> None:
        """Let it go on."""
        self._signal(signal.SIGCONT)

    def close(self) -> None:
        """Leave nothing behind."""
        if self.is_running:
            self.kill()

    @property
    def log(self) -> str:
        """What it said."""
        return (self._folder / "log").read_text("utf-8", "replace")

    def _signal(self, number: signal.Signals) -> None:
        for part in self._parts():
            with suppress(psutil.NoSuchProcess):
                part.send_signal(number)

    def _parts(self) -> list[psutil.Process]:
        """All its processes; the first one is stopped, or it would make others meanwhile."""
        assert self._process is not None
        first = psutil.Process(self._process.pid)
        freeze(first.pid)
        return [*first.children(recursive=True), first]

    def _done(self, program: str, *arguments: str) -> None:
        assert self._run(program, *arguments).wait(PATIENCE) == 0, self.log

    def _run(self, program: str, *arguments: str) -> subprocess.Popen[bytes]:
        with (self._folder / "log").open("ab") as log:
            return subprocess.Popen(
                [str(self._programs / program), *arguments],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
                # It refuses to run as root.
                **({"user": "postgres", "group": "postgres"} if os.geteuid() == 0 else {}),
            )


@contextmanager
def new_cluster(disk: Path | None = None) -> Iterator[Cluster]:
    """One that is neither made nor started yet, with its data on a disk."""
    programs = binaries()
    if programs is None:
        missing("There is no PostgreSQL here: make postgresql")
    folder = Path(tempfile.mkdtemp(prefix="fabula-cluster-", dir=disk))
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres", "postgres")
    made = Cluster(folder, programs)
    try:
        yield made
    finally:
        made.close()
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def running_cluster(disk: Path | None = None) -> Iterator[Cluster]:
    """One that runs, with a database."""
    with new_cluster(disk) as cluster:
        cluster.make()
        cluster.start()
        ask(f"{cluster.server}/postgres", "CREATE DATABASE fabula")
        yield cluster
