"""What differs from one database engine to the next, and nothing else."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import orjson
from sqlalchemy import (
    ColumnElement,
    Connection,
    Dialect,
    Engine,
    Table,
    column,
    create_engine,
    event,
    func,
    insert,
    select,
)
from sqlalchemy.engine import URL

_PRAGMAS = (
    "journal_mode=WAL",
    "synchronous=NORMAL",
    "foreign_keys=ON",
    "busy_timeout=60000",
    "cache_size=-65536",
    "temp_store=MEMORY",
)


def sqlite_engine(path: Path, *, writes: bool) -> Engine:
    """An engine on one SQLite file; a writing one takes the write lock when a transaction begins."""
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        connect_args={"isolation_level": None, "check_same_thread": False, "timeout": 60},
        pool_size=1 if writes else 8,
        max_overflow=0 if writes else 64,
    )
    begin = "BEGIN IMMEDIATE" if writes else "BEGIN"

    @event.listens_for(engine, "connect")
    def _configure(connection: sqlite3.Connection, _record: Any) -> None:
        for pragma in _PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


def any_of(key: ColumnElement[Any], values: Iterable[str]) -> ColumnElement[bool]:
    """Whether the column holds one of the values, however many there are."""
    listed = func.json_each(orjson.dumps(list(values)).decode()).table_valued(column("value"))
    return key.in_(select(listed.c.value))


def insert_rows(connection: Connection, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    """Insert rows that have every column; straight to the driver, because there may be many."""
    names = tuple(str(column.name) for column in table.columns)
    statement = _insert_text(table, connection.dialect)
    connection.exec_driver_sql(statement, [tuple(map(row.__getitem__, names)) for row in rows])


@lru_cache(64)
def _insert_text(table: Table, dialect: Dialect) -> str:
    return str(insert(table).compile(dialect=dialect))
