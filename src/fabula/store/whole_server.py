"""Inspect a PostgreSQL database: its server, and where its schema differs from what Fabula created."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from sqlalchemy import Connection, text

from fabula.store.engines import engine_at
from fabula.store.failures import explained
from fabula.store.migrate import current_schema
from fabula.store.place import PostgresPlace
from fabula.store.tables import metadata

# What a report says: defects of a database, and warnings for its operator.
Fault = Literal["encoding", "table", "column", "index", "constraint"]
Caution = Literal["unsafe", "standby"]

_UNFIT = """SELECT table_name || '.' || column_name FROM information_schema.columns
            WHERE table_schema = current_schema() AND table_name = ANY(:names) AND (data_type = 'integer'
            OR data_type = 'text' AND collation_name IS DISTINCT FROM 'C') ORDER BY 1"""
_INVALID = """SELECT indexrelid::regclass::text FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
              WHERE relnamespace = current_schema()::regnamespace AND NOT (indisvalid AND indisready)
              ORDER BY 1"""
_UNCHECKED = """SELECT conrelid::regclass::text || '.' || conname FROM pg_constraint
                WHERE connamespace = current_schema()::regnamespace AND NOT convalidated ORDER BY 1"""
_TABLES = """SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()"""
# If any of these is off, acknowledged writes may be lost in a power failure.
_SAFETY = """SELECT name || ' = ' || setting FROM pg_settings
             WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit') AND setting = 'off'
             ORDER BY 1"""


class ServerReport(NamedTuple):
    """A database on a server: its properties, its defects, and warnings for its operator."""

    version: str
    encoding: str
    schema: str
    size: int
    faults: tuple[tuple[Fault, str], ...]
    cautions: tuple[tuple[Caution, str], ...]


def look_at_server(address: PostgresPlace) -> ServerReport:
    """Inspect a database as a whole; its stories are compared with their logs elsewhere."""
    engine = engine_at(address, writes=False)
    try:
        with explained(), engine.connect() as connection:
            return _report(connection)
    finally:
        engine.dispose()


def _report(connection: Connection) -> ServerReport:
    def one(query: str) -> Any:
        return connection.execute(text(query)).scalar_one()

    encoding = str(one("SHOW server_encoding"))
    return ServerReport(
        version=str(one("SHOW server_version")),
        encoding=encoding,
        schema=current_schema(connection) or "",
        size=int(one("SELECT pg_database_size(current_database())")),
        faults=_faults(connection, encoding),
        cautions=_cautions(connection),
    )


def _faults(connection: Connection, encoding: str) -> tuple[tuple[Fault, str], ...]:
    names = sorted(metadata.tables)
    there = set(_listed(connection, _TABLES))
    found: list[tuple[Fault, str]] = [] if encoding == "UTF8" else [("encoding", encoding)]
    found += [("table", name) for name in names if name not in there]
    found += [("column", name) for name in _listed(connection, _UNFIT, names=names)]
    found += [("index", name) for name in _listed(connection, _INVALID)]
    found += [("constraint", name) for name in _listed(connection, _UNCHECKED)]
    return tuple(found)


def _cautions(connection: Connection) -> tuple[tuple[Caution, str], ...]:
    found: list[tuple[Caution, str]] = [("unsafe", name) for name in _listed(connection, _SAFETY)]
    if connection.execute(text("SELECT pg_is_in_recovery()")).scalar_one():
        found.append(("standby", ""))
    return tuple(found)


def _listed(connection: Connection, query: str, **given: Any) -> list[str]:
    return list(connection.execute(text(query), given).scalars())
