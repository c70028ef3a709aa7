"""Everything that differs between database engines."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

import orjson
from sqlalchemy import (
    ARRAY,
    BigInteger,
    Boolean,
    ColumnElement,
    Connection,
    Dialect,
    Engine,
    Integer,
    Table,
    Text,
    TypeDecorator,
    bindparam,
    create_engine,
    event,
    insert,
    text,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError, DisconnectionError, IntegrityError, OperationalError
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeEngine

from fabula.errors import DatabaseMoved, InvalidInput
from fabula.store.place import DatabasePlace, PostgresPlace
from fabula.store.strangers import refuse_strangers_file

if TYPE_CHECKING:  # the PostgreSQL driver may be missing
    from fabula.store.liveness import MonitoredServer

# SQLite's integers have 64 bits, whatever the column type is called.
Number = Integer().with_variant(BigInteger(), "postgresql")

_PRAGMAS = (
    "journal_mode=WAL",
    "synchronous=FULL",
    "foreign_keys=ON",
    "busy_timeout=60000",
    "cache_size=-65536",
    "temp_store=MEMORY",
)
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

# Serialization failure, deadlock, lock timeout, idle-in-transaction timeout.
_CONTENDED = {"40001", "40P01", "55P03", "25P03"}
# A table, column or index already exists: another process is migrating, too.
_MADE_BY_ANOTHER = {"42P07", "42701", "42710", "23505"}

_UNFIT_COLUMNS = """
SELECT table_name, column_name, data_type FROM information_schema.columns
WHERE table_schema = current_schema() AND table_name = ANY(:names)
AND (data_type = 'integer' OR data_type = 'text' AND collation_name IS DISTINCT FROM 'C')
ORDER BY table_name, ordinal_position
"""
_FITTING = {"integer": "BIGINT", "text": 'TEXT COLLATE "C"'}


# Engines


def engine_at(place: DatabasePlace, *, writes: bool) -> Engine:
    """Create an engine for a database; a reading one sees one snapshot per transaction."""
    if isinstance(place, PostgresPlace):
        return postgresql_engine(place, writes=writes)
    refuse_strangers_file(place)
    return sqlite_engine(place, writes=writes)


def sqlite_engine(path: Path, *, writes: bool) -> Engine:
    """Create an engine for a SQLite file; a writing one takes the write lock when a transaction begins."""
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
        if not opened:
            opened.append(_file_at(path))

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        # An open file outlives its name; what is written to it is lost when it is closed.
        if _file_at(path) != opened[0]:
            raise DatabaseMoved("The file of the database was taken away or replaced while it was open.")
        known = connection.info.get("beside")
        if known and known != [*map(_file_at, beside)]:
            # Acknowledged writes may exist only in the file that has lost its name.
            connection.exec_driver_sql("PRAGMA wal_checkpoint")
            raise DatabaseMoved("A file beside the database, -wal or -shm, was taken away while it was open.")
        connection.exec_driver_sql(begin)
        # A new database has none before its first write.
        if not known and all(found := [*map(_file_at, beside)]):
            connection.info["beside"] = found

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


# Statements


class _List(TypeDecorator[list[str]]):
    """A list of strings as one parameter."""

    impl = Text
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        return dialect.type_descriptor(ARRAY(Text()) if dialect.name == "postgresql" else Text())

    def process_bind_param(self, value: list[str] | None, dialect: Dialect) -> Any:
        return value if dialect.name == "postgresql" else orjson.dumps(value).decode()


class _AnyOf(FunctionElement[bool]):
    """Whether a column contains one of a list of strings."""

    name = "any_of"
    type = Boolean()
    inherit_cache = True

    def self_group(self, against: Any = None) -> Self:
        """Return itself: rendered as `= 1`, the condition would make SQLite scan all rows."""
        return self


@compiles(_AnyOf, "sqlite")
def _in_json(element: _AnyOf, compiler: Any, **options: Any) -> str:
    key, listed = (compiler.process(clause, **options) for clause in element.clauses)
    return f"({key} IN (SELECT value FROM json_each({listed})))"


@compiles(_AnyOf, "postgresql")
def _in_array(element: _AnyOf, compiler: Any, **options: Any) -> str:
    key, listed = (compiler.process(clause, **options) for clause in element.clauses)
    return f"({key} = ANY({listed}))"


def any_of(key: ColumnElement[Any], values: Iterable[str]) -> ColumnElement[bool]:
    """Match a column against any number of values."""
    return _AnyOf(key, bindparam(None, list(values), type_=_List(), unique=True))


def insert_rows(connection: Connection, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    """Insert complete rows directly through the driver, because there may be many."""
    names = tuple(str(column.name) for column in table.columns)
    statement = _insert_text(table, connection.dialect)
    if connection.dialect.name == "postgresql":
        columns = {name: [row[name] for row in rows] for name in names}
        connection.exec_driver_sql(statement, columns)
    else:
        connection.exec_driver_sql(statement, [tuple(map(row.__getitem__, names)) for row in rows])


@lru_cache(64)
def _insert_text(table: Table, dialect: Dialect) -> str:
    if dialect.name != "postgresql":
        return str(insert(table).compile(dialect=dialect))
    quoted = dialect.identifier_preparer.quote
    names = ", ".join(quoted(column.name) for column in table.columns)
    arrays = ", ".join(
        f"%({column.name})s::{dialect.type_compiler_instance.process(column.type)}[]"
        for column in table.columns
    )
    return f"INSERT INTO {quoted(table.name)} ({names}) SELECT * FROM unnest({arrays})"


def insert_unless_there(connection: Connection, table: Table, row: dict[str, Any]) -> bool:
    """Insert a row; False if its key already exists."""
    made = postgresql.insert(table) if connection.dialect.name == "postgresql" else sqlite.insert(table)
    counted = {"preserve_rowcount": True}
    return connection.execute(made.on_conflict_do_nothing(), row, execution_options=counted).rowcount == 1


# Schema


def fit_schema(connection: Connection, names: Iterable[str]) -> None:
    """Make these tables compare strings by bytes and use 64-bit integers, as SQLite always does."""
    if connection.dialect.name != "postgresql":
        return
    unfit = connection.execute(text(_UNFIT_COLUMNS), {"names": list(names)}).all()
    changes: dict[str, list[str]] = {}
    for table, name, kind in unfit:
        changes.setdefault(table, []).append(f'ALTER COLUMN "{name}" TYPE {_FITTING[kind]}')
    for table, parts in changes.items():
        connection.exec_driver_sql(f'ALTER TABLE "{table}" {", ".join(parts)}')


def is_migrated_by_another(error: DBAPIError) -> bool:
    """Whether a migration failed because another process did the same concurrently."""
    return _code(error) in _MADE_BY_ANOTHER | _CONTENDED


# Failures


Trouble = Literal["contended", "unreachable", "forbidden", "full", "damaged"]

_SQLITE_TROUBLES: dict[int, Trouble] = {
    sqlite3.SQLITE_BUSY: "contended",
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_CORRUPT: "damaged",
    sqlite3.SQLITE_NOTADB: "damaged",
    sqlite3.SQLITE_IOERR: "unreachable",
    sqlite3.SQLITE_CANTOPEN: "unreachable",
    sqlite3.SQLITE_READONLY: "forbidden",
    sqlite3.SQLITE_PERM: "forbidden",
}
_POSTGRESQL_TROUBLES: dict[str, Trouble] = {
    "53100": "full",
    "XX001": "damaged",
    "XX002": "damaged",
    "42P01": "damaged",  # a table or a column is missing
    "42703": "damaged",
    "25006": "forbidden",  # a standby or a read-only database
    "42501": "forbidden",
}


def trouble(error: DBAPIError) -> Trouble | None:
    """Classify a database error for the caller; None means a bug of ours."""
    if isinstance(error.orig, sqlite3.Error):
        return _sqlite_trouble(error.orig)
    code = _code(error)
    if code in _POSTGRESQL_TROUBLES:
        return _POSTGRESQL_TROUBLES[code]
    if code in _CONTENDED or isinstance(error, IntegrityError):
        # It was checked before the write, so only a concurrent write can have broken it.
        return "contended"
    # The server is down, starting, stopping, overloaded, or refuses the connection.
    return "unreachable" if isinstance(error, OperationalError) else None


def words_of(error: DBAPIError) -> str | None:
    """Return the engine's reason for refusing a connection; None for statements, which it may quote."""
    return " ".join(str(error.orig).split()) if _code(error) is None else None


def _sqlite_trouble(error: sqlite3.Error) -> Trouble | None:
    code: int | None = getattr(error, "sqlite_errorcode", None)
    if code is None:  # not raised by SQLite but by its Python module
        return "damaged" if "decode to UTF-8" in str(error) else None
    # The low byte is the primary code, the others give the details.
    return _SQLITE_TROUBLES.get(code & 0xFF)


def _code(error: DBAPIError) -> str | None:
    """Return the SQLSTATE of an error, if the engine gives one."""
    return getattr(error.orig, "sqlstate", None)
