"""Everything that differs between database engines."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any, Literal, Self

import orjson
from sqlalchemy import (
    ARRAY,
    BigInteger,
    Boolean,
    ColumnElement,
    Connection,
    Dialect,
    Integer,
    Table,
    Text,
    TypeDecorator,
    bindparam,
    insert,
    text,
)
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeEngine

from fabula.store.driver import drive, drive_counting, drive_many

# SQLite's integers have 64 bits, whatever the column type is called.
Number = Integer().with_variant(BigInteger(), "postgresql")

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


# Statements


class ListOfText(TypeDecorator[list[str]]):
    """A list of strings as one parameter."""

    impl = Text
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Return the type that the engine has for it."""
        return dialect.type_descriptor(ARRAY(Text()) if dialect.name == "postgresql" else Text())

    def process_bind_param(self, value: list[str] | None, dialect: Dialect) -> Any:
        """Return the list as the engine takes it."""
        return value if dialect.name == "postgresql" else as_list(value or [])


def as_list(values: Iterable[str]) -> str:
    """Return a list of strings as SQLite takes it."""
    return orjson.dumps(list(values)).decode()


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
    return _AnyOf(key, bindparam(None, list(values), type_=ListOfText(), unique=True))


def any_listed(key: ColumnElement[Any], name: str) -> ColumnElement[bool]:
    """Match a column against any number of values, given later under a name."""
    return _AnyOf(key, bindparam(name, type_=ListOfText()))


class _SaidIn(FunctionElement[bool]):
    """Whether the content of a message in a JSON list is like a pattern, whatever the case of its letters."""

    name = "said_in"
    type = Boolean()
    inherit_cache = True


@compiles(_SaidIn, "sqlite")
def _said_in_json_each(element: _SaidIn, compiler: Any, **options: Any) -> str:
    listed, pattern = (compiler.process(clause, **options) for clause in element.clauses)
    said = "lower(json_extract(value, '$.content'))"
    return f"EXISTS (SELECT 1 FROM json_each({listed}) WHERE {said} LIKE {pattern} ESCAPE '/')"


@compiles(_SaidIn, "postgresql")
def _said_in_json_elements(element: _SaidIn, compiler: Any, **options: Any) -> str:
    listed, pattern = (compiler.process(clause, **options) for clause in element.clauses)
    elements = f"json_array_elements(CAST({listed} AS json)) AS message"
    return f"EXISTS (SELECT 1 FROM {elements} WHERE lower(message->>'content') LIKE {pattern} ESCAPE '/')"


def said_in(messages: ColumnElement[Any], words: str) -> ColumnElement[bool]:
    """Match messages of which one contains some words; SQLite knows the case of Latin letters only."""
    escaped = words.lower().replace("/", "//").replace("%", "/%").replace("_", "/_")
    return _SaidIn(messages, bindparam(None, f"%{escaped}%", type_=Text(), unique=True))


def insert_rows(connection: Connection, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    """Insert complete rows."""
    drive_many(connection, _insert_text(table, connection.dialect), _inserted(connection, table, rows))


def insert_unless_there(connection: Connection, table: Table, row: dict[str, Any]) -> bool:
    """Insert a complete row; False if one of its keys already exists."""
    text = f"{_insert_text(table, connection.dialect)} ON CONFLICT DO NOTHING"
    (values,) = _inserted(connection, table, [row])
    return drive_counting(connection, text, values) == 1


def _inserted(connection: Connection, table: Table, rows: Sequence[dict[str, Any]]) -> list[Any]:
    """Return the parameters of an insertion: on PostgreSQL all rows are one, as arrays."""
    names = table.columns.keys()
    if connection.dialect.name == "postgresql":
        return [{name: [row[name] for row in rows] for name in names}]
    return list(map(itemgetter(*names), rows))


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


# A step of at most so many changes is appended to the log in one statement.
LOG_AT_ONCE = 50
_STEP_COLUMNS = ("project_id", "revision", "at", "actor", "action", "reverts", "change_count")
_CHANGE_COLUMNS = ("seq", "kind", "row_id", "before_json", "after_json")
_GROWTH = ("entities", "relations")
_LOGGED = (*_STEP_COLUMNS, *_CHANGE_COLUMNS, *_GROWTH)
# SQLite writes to one table in a statement. A trigger of the connection writes to the others: the first
# change of a step brings the step's row and the story's new revision with it.
_LOG_VIEW = "step_being_logged"
_MAKE_LOG_VIEW = (
    f"CREATE TEMP VIEW {_LOG_VIEW} AS SELECT {', '.join(f'NULL AS {name}' for name in _LOGGED)}",
    f"""
CREATE TEMP TRIGGER append_step INSTEAD OF INSERT ON {_LOG_VIEW} BEGIN
  INSERT INTO story_steps ({", ".join(_STEP_COLUMNS)})
    SELECT {", ".join(f"NEW.{name}" for name in _STEP_COLUMNS)} WHERE NEW.seq = 0;
  INSERT INTO story_changes (project_id, revision, {", ".join(_CHANGE_COLUMNS)})
    VALUES (NEW.project_id, NEW.revision, {", ".join(f"NEW.{name}" for name in _CHANGE_COLUMNS)});
  UPDATE stories SET revision = NEW.revision, updated_at = NEW.at,
    entity_count = entity_count + NEW.entities, relation_count = relation_count + NEW.relations
    WHERE project_id = NEW.project_id AND NEW.seq = 0;
END
""",
)
_LOG_TO_VIEW = f"INSERT INTO {_LOG_VIEW} ({', '.join(_LOGGED)}) VALUES ({', '.join('?' * len(_LOGGED))})"


def log_at_once(connection: Connection, step: Mapping[str, Any], changes: Sequence[dict[str, Any]]) -> None:
    """Append a step and its changes to the log, and move its story on, in one statement."""
    if connection.dialect.name == "postgresql":
        columns = {f"c_{name}": [row[name] for row in changes] for name in changes[0]}
        drive(connection, _log_text(connection.dialect), {**step, **columns})
        return
    order = itemgetter(*_LOGGED)
    rows = [order({**step, **row}) for row in changes]
    try:
        drive_many(connection, _LOG_TO_VIEW, rows)
    except OperationalError as error:
        if _LOG_VIEW not in str(error.orig):
            raise
        # The first step on this connection: a setting of its own, which the database does not keep.
        driver: Any = connection.connection.driver_connection
        for made in _MAKE_LOG_VIEW:
            driver.execute(made)
        drive_many(connection, _LOG_TO_VIEW, rows)


@lru_cache(4)
def _log_text(dialect: Dialect) -> str:
    kinds = {"revision": "BIGINT", "seq": "BIGINT"}
    names = ("project_id", "revision", *_CHANGE_COLUMNS)
    arrays = ", ".join(f"%(c_{name})s::{kinds.get(name, 'TEXT')}[]" for name in names)
    return f"""
WITH step AS (
  INSERT INTO story_steps ({", ".join(f'"{name}"' for name in _STEP_COLUMNS)})
  VALUES ({", ".join(f"%({name})s" for name in _STEP_COLUMNS)})
), changes AS (
  INSERT INTO story_changes ({", ".join(names)}) SELECT * FROM unnest({arrays})
)
UPDATE stories SET revision = %(revision)s, updated_at = %(at)s,
  entity_count = entity_count + %(entities)s, relation_count = relation_count + %(relations)s
WHERE project_id = %(project_id)s
"""


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
