"""The engine that tests run on: SQLite files, or databases of a PostgreSQL that lives as long as the tests.

`FABULA_TEST_ENGINE=postgresql` switches. The server is started once for all workers, listens on loopback,
and ends with the process that started it, however that ends. With `FABULA_TEST_POOLER=transaction` a pooler
stands before it, and gives each transaction whichever connection is free. `FABULA_TEST_ENGINE=citus` loads
Citus into it, if PostgreSQL has it here, and distributes every database over the one machine.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import cache
from pathlib import Path
from typing import Any

from fabula.memory import Memory
from fabula.store.place import DatabasePlace, PostgresPlace
from fabula.store.sharding import distribute
from fabula.store.tables import metadata
from pooler import pooling
from ports import free_port

ENGINE = os.environ.get("FABULA_TEST_ENGINE", "sqlite")
ON_CITUS = ENGINE == "citus"
ON_POSTGRESQL = ENGINE == "postgresql" or ON_CITUS
# Where the workers of a run find the server that its first process started.
SERVER = "FABULA_TEST_POSTGRESQL"
# Where they find the pooler before it, if there is one.
POOLER = "FABULA_TEST_POOLER"
TEMPLATE = "fabula_template"
PATIENCE_S = 60.0
_HANG_UP = (
    "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid != pg_backend_pid()"
)
_EMPTY = "".join(f"DELETE FROM {table.name};" for table in reversed(metadata.sorted_tables))

# Ends when its input does, and takes everything along. Texts are sorted by the rules of a language there,
# so that whoever relies on the order of a database's default finds out.
_SERVER = """
set -e
"$1/initdb" -D "$2/data" -E UTF8 --locale=C.UTF-8 --locale-provider=icu --icu-locale=en \
  -A trust -U postgres --no-sync > "$2/log" 2>&1
"$1/postgres" -D "$2/data" -p "$3" -k "" -c listen_addresses=127.0.0.1 \
  -c fsync=off -c synchronous_commit=off -c full_page_writes=off -c autovacuum=off -c max_connections=400 \
  -c shared_buffers=64MB -c wal_level=minimal -c max_wal_senders=0 $4 >> "$2/log" 2>&1 &
read -r _ || true
kill -INT $!
wait $! || true
rm -rf "$2/data"
"""
_WITH_CITUS = "-c shared_preload_libraries=citus -c citus.shard_count=4 -c max_prepared_transactions=400"


def binaries() -> Path | None:
    """The folder of PostgreSQL's own programs, the newest there is."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda file: int(file.parts[-3]))
    if found:
        return found[-1].parent
    program = shutil.which("postgres")
    return Path(program).parent if program else None


@contextmanager
def running() -> Iterator[str]:
    """The address of a fresh server, without the name of a database."""
    programs = binaries()
    assert programs is not None, "There is no PostgreSQL here: make postgresql"
    folder = Path(tempfile.mkdtemp(prefix="fabula-postgresql-"))
    port = free_port()
    command = ["sh", "-c", _SERVER, "sh", str(programs), str(folder), str(port)]
    command.append(_WITH_CITUS if ON_CITUS else "")
    if os.geteuid() == 0:  # the server refuses to run as root
        shutil.chown(folder, "postgres", "postgres")
        command = ["runuser", "-u", "postgres", "--", *command]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, cwd="/")
    try:
        address = f"postgresql://postgres@127.0.0.1:{port}"
        _wait_for(address, process, folder / "log")
        yield address
    finally:
        assert process.stdin is not None
        process.stdin.close()
        process.wait(PATIENCE_S)
        shutil.rmtree(folder, ignore_errors=True)


def _wait_for(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    import psycopg

    over = time.monotonic() + PATIENCE_S
    while True:
        try:
            psycopg.connect(f"{address}/postgres", connect_timeout=5).close()
            return
        except psycopg.OperationalError:
            said = log.read_text("utf-8", "replace") if log.exists() else ""
            assert process.poll() is None, f"PostgreSQL did not start:\n{said}"
            assert time.monotonic() < over, f"PostgreSQL does not answer:\n{said}"
            time.sleep(0.05)


@contextmanager
def running_with_template() -> Iterator[str]:
    """The same, with an empty database of today's schema to copy from."""
    with running() as address:
        ask(f"{address}/postgres", f"CREATE DATABASE {TEMPLATE}")
        if not ON_CITUS:  # it is connected to its databases, which then cannot be copied
            Memory(f"{address}/{TEMPLATE}").close()
        with pooling(address) if POOLER in os.environ else nullcontext("") as pooler:
            os.environ.update({POOLER: pooler} if pooler else {})
            yield address


def ask(url: str, *statements: str) -> None:
    """Run statements, each by itself."""
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement)


class Databases:
    """Databases for tests that name files: one for each name, used again when its test is over."""

    def __init__(self, server: str) -> None:
        self._server = server
        self._blank: set[str] = set()
        self._used: dict[Path, str] = {}
        self._free: list[str] = []
        self._made = 0
        # To connect takes the server longer than to empty a database, so the connections are kept.
        self._kept: dict[str, Any] = {}

    def at(self, path: Path) -> PostgresPlace:
        """The database that stands for a file."""
        if path not in self._used:
            self._used[path] = self._free.pop() if self._free else self._new()
        name = self._used[path]
        if POOLER in os.environ:
            return PostgresPlace(f"{os.environ[POOLER]}/{name}?pooler=transaction")
        return PostgresPlace(f"{self._server}/{name}")

    def blank_at(self, path: Path) -> PostgresPlace:
        """The same, without any table."""
        if path not in self._used:
            self._used[path] = self._new(is_blank=True)
            self._blank.add(self._used[path])
        return self.at(path)

    def come_back(self, folder: Path) -> None:
        """Empty the databases of a test that is over."""
        for path in [path for path in self._used if path.is_relative_to(folder)]:
            name = self._used.pop(path)
            if name in self._blank:
                ask(f"{self._server}/postgres", f"DROP DATABASE {name} WITH (FORCE)")
            else:
                self._empty(name)
                self._free.append(name)

    def _empty(self, name: str) -> None:
        import psycopg

        try:
            if name not in self._kept:
                self._kept[name] = psycopg.connect(f"{self._server}/{name}", autocommit=True)
            self._kept[name].execute(f"{_HANG_UP};{_EMPTY}")
        except psycopg.OperationalError:  # a test may have ended every connection
            del self._kept[name]
            hang_up(f"{self._server}/{name}")
            ask(f"{self._server}/{name}", _EMPTY)

    def _new(self, *, is_blank: bool = False) -> str:
        template = "template0" if is_blank or ON_CITUS else TEMPLATE
        self._made += 1
        name = f"test_{os.getpid()}_{self._made}"
        ask(f"{self._server}/postgres", f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY")
        if ON_CITUS:
            self._add_citus(name, is_blank=is_blank)
        return name

    def _add_citus(self, name: str, *, is_blank: bool) -> None:
        """Make a cluster of one machine, and distribute the tables over it."""
        url = f"{self._server}/{name}"
        node = f"'127.0.0.1', {self._server.rpartition(':')[2]}"
        own = (
            f"citus_set_coordinator_host({node})",
            f"citus_set_node_property({node}, 'shouldhaveshards', true)",
        )
        ask(url, "CREATE EXTENSION citus", *(f"SELECT {one}" for one in own))
        if not is_blank:
            Memory(url).close()
            distribute(PostgresPlace(url))


def hang_up(url: str) -> None:
    """End every other connection to a database."""
    ask(url, _HANG_UP)


_databases: Databases | None = None


def databases() -> Databases:
    """The databases of this process."""
    global _databases
    if _databases is None:
        _databases = Databases(os.environ[SERVER])
    return _databases


@cache
def _empty_file() -> bytes:
    """A file of today's schema that nothing was written to."""
    with tempfile.TemporaryDirectory(prefix="fabula-template-") as folder:
        path = Path(folder) / "fabula.db"
        Memory(path).close()
        return path.read_bytes()


def place_at(path: Path) -> DatabasePlace:
    """A file of today's schema, or on PostgreSQL the database that stands for it."""
    if ON_POSTGRESQL:
        return databases().at(path)
    if not path.exists():
        path.write_bytes(_empty_file())
    return path


def blank_at(path: Path) -> DatabasePlace:
    """The same, before anything was ever kept there."""
    return databases().blank_at(path) if ON_POSTGRESQL else path


def found(address: PostgresPlace, statement: str, values: tuple[Any, ...]) -> list[Any]:
    """What a plain connection finds; parameters are written as for SQLite."""
    import psycopg

    with psycopg.connect(address.conninfo, autocommit=True, prepare_threshold=None) as connection:
        return connection.execute(statement.replace("%", "%%").replace("?", "%s"), values).fetchall()
