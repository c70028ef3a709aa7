"""How a database is opened: connections, transactions, and what is set for them on each engine."""

from __future__ import annotations

import sqlite3
import threading
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError, DisconnectionError

from fabula.errors import DatabaseMoved, InvalidInput
from fabula.store.flushing import SharedFlush
from fabula.store.place import DatabasePlace, PostgresPlace
from fabula.store.strangers import refuse_strangers_file

if TYPE_CHECKING:  # the PostgreSQL driver may be missing
    from fabula.store.liveness import MonitoredServer

_PRAGMAS = (
    "journal_mode=WAL",
    "synchronous=FULL",
    "foreign_keys=ON",
    "busy_timeout=60000",
    "cache_size=-65536",
    "temp_store=MEMORY",
)
_FULL = 2
# Set in one statement for each transaction: a pooler may use any connection for it. A writer that is
# frozen, or whose machine has vanished, must not lock its story for long; a reader blocks nobody.
_READING = (
    "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL idle_in_transaction_session_timeout = '10min'"
)
_WRITING = (
    "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = '5s'; "
    "SET LOCAL idle_in_transaction_session_timeout = '15s'; SET LOCAL tcp_user_timeout = '15s'"
)
_TAKING_LONG = "SET LOCAL lock_timeout = '60s'; SET LOCAL idle_in_transaction_session_timeout = 0"
_CONNECT_TIMEOUT_S = 3
_UNACKNOWLEDGED_MS = 15_000
_FREE_CONNECTION_S = 5


def engine_at(place: DatabasePlace, *, writes: bool, flush: SharedFlush | None = None) -> Engine:
    """Create an engine for a database; a reading one sees one snapshot per transaction."""
    if isinstance(place, PostgresPlace):
        return postgresql_engine(place, writes=writes)
    refuse_strangers_file(place)
    return sqlite_engine(place, writes=writes, flush=flush)


def sqlite_engine(path: Path, *, writes: bool, flush: SharedFlush | None = None) -> Engine:
    """Create an engine for a SQLite file; a writing one takes the write lock when a transaction begins.

    A commit waits for the disk, unless whoever commits waits for a shared flush afterwards.
    """
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        connect_args={"isolation_level": None, "check_same_thread": False, "timeout": 60},
        pool_size=1 if writes else 8,
        max_overflow=0 if writes else 64,
    )
    begin = "BEGIN IMMEDIATE" if writes else "BEGIN"
    beside = [path.with_name(f"{path.name}{ending}") for ending in ("-wal", "-shm")]
    opened: list[_File | None] = []

    @event.listens_for(engine, "connect")
    def _configure(connection: sqlite3.Connection, _record: Any) -> None:
        for pragma in _PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")
        if flush is not None and connection.execute("PRAGMA synchronous").fetchone() == (_FULL,):
            connection.execute("PRAGMA synchronous=NORMAL")
            flush.is_needed = True
        if not opened:
            opened.append(_file_at(path))

    def do_begin(dbapi_connection: Any) -> None:
        # An open file outlives its name; what is written to it is lost when it is closed.
        if _file_at(path) != opened[0]:
            raise DatabaseMoved("The file of the database was taken away or replaced while it was open.")
        known = dbapi_connection.info.get("beside")
        if known and known != [*map(_file_at, beside)]:
            # Acknowledged writes may exist only in the file that has lost its name.
            dbapi_connection.execute("PRAGMA wal_checkpoint")
            raise DatabaseMoved("A file beside the database, -wal or -shm, was taken away while it was open.")
        dbapi_connection.execute(begin)
        # A new database has none before its first write.
        if not known and all(found := [*map(_file_at, beside)]):
            dbapi_connection.info["beside"] = found

    # Not an event listener: that would cost more.
    engine.dialect.do_begin = do_begin  # type: ignore[method-assign]
    return engine


# A file regardless of its name: its device and inode.
_File = tuple[int, int]


def _file_at(path: Path) -> _File | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def postgresql_engine(address: PostgresPlace, *, writes: bool) -> Engine:
    """Create an engine for PostgreSQL; writers see committed data as soon as they have locked their story."""
    server = _server_at(address)
    engine = create_engine(
        "postgresql+psycopg://",
        creator=server.connect,
        pool_size=4,
        max_overflow=28,
        pool_timeout=_FREE_CONNECTION_S,
        use_native_hstore=False,
    )
    begin = _WRITING if writes else _READING

    def do_begin(dbapi_connection: Any) -> None:
        dbapi_connection.execute(begin)

    # Not an event listener: that would cost more, and its failure would not count as a database error.
    engine.dialect.do_begin = do_begin  # type: ignore[method-assign]
    _look_after_pool(engine, server)
    return engine


@lru_cache(64)
def _server_at(address: PostgresPlace) -> MonitoredServer:
    """Return the server at an address; readers and writers share it, and what it knows about liveness."""
    try:
        from psycopg import ProgrammingError
        from psycopg.conninfo import conninfo_to_dict

        from fabula.store.liveness import MonitoredServer
    except ImportError as error:
        raise InvalidInput(
            "PostgreSQL needs a driver that is not installed.",
            suggestion="Install it with: pip install 'fabula[postgresql]'",
        ) from error
    try:
        conninfo = conninfo_to_dict(address.conninfo)
    except ProgrammingError as error:
        raise InvalidInput(
            f"'{address}' is no address of a database.",
            suggestion="An example: postgresql://user@127.0.0.1:5432/fabula",
        ) from error
    conninfo.setdefault("connect_timeout", _CONNECT_TIMEOUT_S)
    conninfo.setdefault("tcp_user_timeout", _UNACKNOWLEDGED_MS)
    if "," in str(conninfo.get("host", "")):
        conninfo.setdefault("target_session_attrs", "read-write")
    # A pooler uses another connection for each transaction, which lacks earlier prepared statements.
    return MonitoredServer(conninfo, **{"prepare_threshold": None} if address.is_pooled else {})


def take_long(connection: Connection) -> None:
    """Lift the time limits of this transaction, which copies or changes whole tables."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(_TAKING_LONG)
        connection.connection.driver_connection.takes_long = True  # type: ignore[union-attr]


def _look_after_pool(engine: Engine, server: MonitoredServer) -> None:
    """Hand out no connection while the server is unresponsive, and keep none after disposal."""
    disposed = threading.Event()

    @event.listens_for(engine, "engine_disposed")
    def _close(_engine: Engine) -> None:
        disposed.set()

    @event.listens_for(engine, "checkin")
    def _put_back(connection: Any, _record: Any) -> None:
        if connection is not None:
            connection.takes_long = False
            if disposed.is_set():  # it was still in use
                connection.close()

    @event.listens_for(engine, "checkout")
    def _take(_connection: Any, _record: Any, _proxy: Any) -> None:
        if server.is_unresponsive:
            raise DisconnectionError


def begun(engine: Engine) -> Connection:
    """Open a connection with a transaction, replacing a pooled one that has died."""
    try:
        return _begun(engine)
    except DBAPIError as error:
        if not error.connection_invalidated:
            raise
        return _begun(engine)


def _begun(engine: Engine) -> Connection:
    connection = engine.connect()
    try:
        connection.begin()
    except BaseException:
        connection.close()
        raise
    return connection


def has_one_writer(engine: Engine) -> bool:
    """Whether only one transaction can write at a time, so that an in-process lock can be used."""
    return engine.dialect.name == "sqlite"
