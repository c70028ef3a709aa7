"""Copy a SQLite file while others write to it, and check it for damage."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

PAGES_AT_ONCE = 2_000
COMPLAINTS = 20
# Beside a file of another origin, these would be taken for its own and corrupt it.
COMPANIONS = ("-wal", "-shm", "-journal")

ByteProgress = Callable[[float], None]


def copy_file(source: Path, target: Path, seen: ByteProgress) -> None:
    """Copy a database as of this moment, without stopping writers."""
    with closing(_opened(source)) as live, closing(sqlite3.connect(target)) as copy:
        # Reads from one snapshot: otherwise concurrent writes would restart the copy.
        live.execute("BEGIN")
        live.execute("SELECT count(*) FROM sqlite_master").fetchone()
        live.backup(
            copy,
            pages=PAGES_AT_ONCE,
            progress=lambda _, left, all_pages: seen(1 - left / max(all_pages, 1)),
            sleep=0,
        )
        live.execute("ROLLBACK")
    flatten(target)


def flatten(path: Path) -> None:
    """Turn off WAL mode, so that a database is a single file and stays one when read."""
    with closing(_opened(path)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")


def complaints(path: Path, *, thorough: bool = True) -> tuple[str, ...]:
    """Return the defects of a file, if any; `thorough` also checks indexes, which takes longer."""
    check = "integrity_check" if thorough else "quick_check"
    try:
        with closing(_opened(path)) as connection:
            found = [row[0] for row in connection.execute(f"PRAGMA {check}({COMPLAINTS})")]
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        return (str(error),)
    return () if found == ["ok"] else tuple(found)


def counts(path: Path) -> dict[str, int]:
    """Return the row count of each table."""
    with closing(_opened(path)) as connection:
        tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        names = [row[0] for row in connection.execute(f"{tables} ORDER BY name")]
        return {name: connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in names}


def revisions(path: Path) -> dict[str, int]:
    """Return the revision of each story."""
    with closing(_opened(path)) as connection:
        return dict(connection.execute("SELECT project_id, revision FROM stories ORDER BY project_id"))


def schema(path: Path) -> str:
    """Return the schema version."""
    with closing(_opened(path)) as connection:
        found: str = connection.execute("SELECT version_num FROM alembic_version").fetchone()[0]
        return found


def acting(path: Path) -> tuple[str, ...]:
    """Return what would run by itself when a file is used: triggers, views, virtual tables."""
    with closing(_opened(path)) as connection:
        doing = "type NOT IN ('table', 'index') OR sql LIKE 'CREATE VIRTUAL%'"
        return tuple(row[0] for row in connection.execute(f"SELECT name FROM sqlite_master WHERE {doing}"))


def _opened(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=60, isolation_level=None)
