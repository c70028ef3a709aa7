"""The databases that the service is measured on: a copy of a SQLite file, and a PostgreSQL of our own."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

from bench.http import free_port
from fabula.store.moving import move
from fabula.store.place import DatabasePlace, PostgresPlace


def programs() -> Path | None:
    """The folder of PostgreSQL's own programs, the newest there is."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda file: int(file.parts[-3]))
    return found[-1].parent if found else None


@contextmanager
def sqlite_copy(made: Path) -> Iterator[tuple[DatabasePlace, psutil.Process | None]]:
    """A copy of a file; there is no process behind it."""
    with tempfile.TemporaryDirectory(prefix="fabula-bench-") as folder:
        yield Path(shutil.copy(made, folder)), None


@contextmanager
def postgresql_copy(made: Path) -> Iterator[tuple[DatabasePlace, psutil.Process | None]]:
    """The same stories in a PostgreSQL as it comes: it waits for the disk at every commit."""
    folder = Path(tempfile.mkdtemp(prefix="fabula-bench-postgresql-"))
    there, port = programs(), free_port()
    assert there is not None
    as_user: list[str] = []
    if os.geteuid() == 0:  # the server refuses to run as root
        shutil.chown(folder, "postgres", "postgres")
        as_user = ["runuser", "-u", "postgres", "--"]
    made_by = [*as_user, str(there / "initdb"), "-D", f"{folder}/data", "-A", "trust", "-U", "postgres"]
    subprocess.run(
        [*made_by, "-E", "UTF8", "--locale=C.UTF-8"], check=True, stdout=subprocess.DEVNULL, cwd="/"
    )
    options = ["-D", f"{folder}/data", "-p", str(port), "-k", "", "-c", "listen_addresses=127.0.0.1"]
    server = subprocess.Popen(
        [*as_user, str(there / "postgres"), *options, "-c", "max_connections=400"],
        stderr=subprocess.DEVNULL,
        cwd="/",
    )
    try:
        address = f"postgresql://postgres@127.0.0.1:{port}"
        _create(address)
        move(made, PostgresPlace(f"{address}/bench"))
        yield PostgresPlace(f"{address}/bench"), _postmaster(server.pid)
    finally:
        _postmaster(server.pid).terminate()
        server.wait(timeout=60)
        shutil.rmtree(folder, ignore_errors=True)


def _create(address: str) -> None:
    import psycopg

    over = time.monotonic() + 60
    while True:
        try:
            with psycopg.connect(f"{address}/postgres", autocommit=True) as connection:
                connection.execute("CREATE DATABASE bench")
            return
        except psycopg.OperationalError:
            if time.monotonic() > over:
                raise
            time.sleep(0.1)


def _postmaster(pid: int) -> psutil.Process:
    """The server itself, behind whoever started it as another user."""
    process = psutil.Process(pid)
    while process.name() == "runuser":
        process = process.children()[0]
    return process
