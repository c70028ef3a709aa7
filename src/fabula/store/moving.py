"""Move everything from one database to another, story by story, and compare both in the end.

Each story is copied in one transaction, which also records it in `move_parts`. While there are such records,
the target cannot be opened for anything else, and running the same move again resumes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import orjson
from sqlalchemy import Connection, Engine, Select, Table, delete, insert, select

from fabula.errors import Conflict, InternalError, InvalidInput
from fabula.store.dialect import insert_rows
from fabula.store.engines import engine_at, take_long
from fabula.store.failures import explained
from fabula.store.migrate import migrate
from fabula.store.move_tables import move_parts
from fabula.store.place import DatabasePlace
from fabula.store.strangers import make_folder
from fabula.store.tables import metadata, stories

AT_A_TIME = 2_000
# Rows that belong to no story are recorded under an id that no story can have.
NO_STORY = ""
SOURCE = "source"

# Called with the number of stories done, their total, and the title of the last one.
Tell = Callable[[int, int, str], None]


class TableSum(NamedTuple):
    """The row count and checksum of a table."""

    row_count: int
    checksum: str


class MoveReport(NamedTuple):
    """What a move copied, and how many stories had arrived before it was interrupted."""

    story_count: int
    row_count: int
    kept_count: int


class StoryVersion(NamedTuple):
    """A story's version; empty for the mere record of a deleted story."""

    title: str = ""
    began: str = ""
    revision: int = 0


def move(
    source: DatabasePlace,
    target: DatabasePlace,
    tell: Tell = lambda *_: None,
    *,
    as_of_one_moment: bool = False,
) -> MoveReport:
    """Copy everything into an empty database, or resume that; raises Conflict if it has other stories.

    A move must include all writes; a copy `as_of_one_moment` allows others to continue writing.
    """
    if isinstance(source, Path) and not source.is_file():
        raise InvalidInput(f"There is no database '{source}'.", suggestion="Check the name of the file.")
    if str(source) == str(target):
        raise InvalidInput("A database cannot be moved to itself.")
    if isinstance(target, Path):
        make_folder(target)
    old, new = engine_at(source, writes=True), engine_at(target, writes=True)
    seen = engine_at(source, writes=False)
    try:
        with explained():
            migrate(old)
            migrate(new)
            _begin(old, new, str(source.absolute() if isinstance(source, Path) else source))
            with seen.connect() as view:
                take_long(view)
                moved = _Move(view, new, tell).run()
            with seen.connect() as view:
                if not as_of_one_moment and _stories(view) != moved.stories:
                    raise Conflict(
                        "The stories were changed while they were moved.",
                        suggestion="Stop what writes to them and move again: only what changed is copied.",
                    )
            with new.begin() as connection:
                connection.execute(delete(move_parts))
            return moved.report
    finally:
        for engine in (old, new, seen):
            engine.dispose()


def _begin(old: Engine, new: Engine, source: str) -> None:
    """Record the source; raises Conflict if the target is not empty or belongs to another move."""
    name = sha256(source.encode()).hexdigest()
    with old.connect() as connection:
        if _notes(connection):
            raise Conflict(
                "Stories are being moved into the database that they are to come from.",
                suggestion="End that move first: run it again.",
            )
    with new.begin() as connection:
        noted = _notes(connection).get((NO_STORY, SOURCE))
        if noted is None:
            filled = [table.name for table in _tables() if connection.execute(select(table).limit(1)).first()]
            if filled:
                raise Conflict(
                    "The database to move to is not empty.",
                    details={"tables": filled},
                    suggestion="Name an empty database.",
                )
            _note(connection, NO_STORY, SOURCE, TableSum(0, name))
        elif noted.checksum != name:
            raise Conflict(
                "Stories of another database are being moved into this one.",
                suggestion="End that move first, or name an empty database.",
            )


class _Outcome(NamedTuple):
    stories: dict[str, StoryVersion]
    report: MoveReport


class _Move:
    """One run of a move, from one view of the source to the target."""

    def __init__(self, view: Connection, new: Engine, tell: Tell) -> None:
        self._view, self._new, self._tell = view, new, tell
        with new.connect() as connection:
            self._noted = _notes(connection)

    def run(self) -> _Outcome:
        """Copy what is missing, and compare everything."""
        known = _stories(self._view)
        self._drop_gone(known)
        told = [key for key in sorted(known) if known[key].began]
        kept = sum(self._see_to(key) for key in (NO_STORY, *sorted(known.keys() - set(told))))
        for number, key in enumerate(told, 1):
            kept += self._see_to(key)
            self._tell(number, len(told), known[key].title)
        count = sum(self._compare(key) for key in (NO_STORY, *known))
        return _Outcome(known, MoveReport(len(told), count, kept))

    def _drop_gone(self, known: dict[str, StoryVersion]) -> None:
        """Remove stories from the target that were deleted since the move was interrupted."""
        for key in {key for key, _ in self._noted} - {NO_STORY, *known}:
            with self._new.begin() as connection:
                take_long(connection)
                _remove(connection, key)

    def _see_to(self, key: str) -> bool:
        """Copy a story unless the target has its current version; returns whether it had."""
        noted = {part: found for (story, part), found in self._noted.items() if story == key}
        noted.pop(SOURCE, None)
        if noted and noted == self._sums(self._view, key):
            return True
        with self._new.begin() as connection:
            take_long(connection)
            if noted:
                _remove(connection, key)
            for table in _tables_of(key):
                _note(connection, key, table.name, self._copy(connection, table, key))
        return False

    def _copy(self, connection: Connection, table: Table, key: str) -> TableSum:
        def write(rows: list[dict[str, Any]]) -> None:
            insert_rows(connection, table, rows)

        return _summed(self._view, table, key, write)

    def _compare(self, key: str) -> int:
        """Return a story's row count in the target; raises InternalError unless its rows match the source."""
        with self._new.connect() as connection:
            take_long(connection)
            arrived = self._sums(connection, key)
            noted = {
                part: found for (story, part), found in _notes(connection, key).items() if part != SOURCE
            }
        for part, found in arrived.items():
            if found != noted[part]:
                raise InternalError(
                    f"'{part}' did not arrive as it was.",
                    details={"projectId": key, "table": part},
                    suggestion="Empty the target and move again; the source is as it was.",
                )
        return sum(found.row_count for found in arrived.values())

    def _sums(self, connection: Connection, key: str) -> dict[str, TableSum]:
        return {table.name: _summed(connection, table, key) for table in _tables_of(key)}


def _tables() -> list[Table]:
    """Return all tables to move, referenced ones first."""
    return [table for table in metadata.sorted_tables if table is not move_parts]


def _tables_of(key: str) -> list[Table]:
    return [table for table in _tables() if ("project_id" in table.c) == (key != NO_STORY)]


def _stories(connection: Connection) -> dict[str, StoryVersion]:
    """Return all stories, and all ids of deleted stories that are still recorded."""
    columns = stories.c
    found: dict[str, StoryVersion] = {}
    for table in _tables_of("any"):
        if not table.foreign_keys:
            remembered = select(table.c.project_id).distinct()
            found.update((key, StoryVersion()) for key in connection.execute(remembered).scalars())
    query = select(columns.project_id, columns.title, columns.created_at, columns.revision)
    found.update((row[0], StoryVersion(*row[1:])) for row in connection.execute(query))
    return found


def _summed(
    connection: Connection,
    table: Table,
    key: str,
    write: Callable[[list[dict[str, Any]]], None] = lambda _: None,
) -> TableSum:
    """Compute the checksum of a story's rows in a table, passing them to `write`."""
    count, digest = 0, sha256()
    for rows in _batches(connection, _own(table, key).order_by(*table.primary_key.columns)):
        for row in rows:
            digest.update(orjson.dumps(list(row.values()), default=bytes.hex) + b"\n")
        count += len(rows)
        write(rows)
    return TableSum(count, digest.hexdigest())


def _own(table: Table, key: str) -> Select[Any]:
    query = select(table)
    return query if key == NO_STORY else query.where(table.c.project_id == key)


def _batches(connection: Connection, query: Select[Any]) -> Iterator[list[dict[str, Any]]]:
    """Yield the rows of a query in batches."""
    result = connection.execute(query, execution_options={"yield_per": AT_A_TIME})
    names = tuple(result.keys())
    for part in result.partitions():
        yield [dict(zip(names, row, strict=True)) for row in part]


def _remove(connection: Connection, key: str) -> None:
    for table in reversed(_tables_of(key)):
        own = delete(table) if key == NO_STORY else delete(table).where(table.c.project_id == key)
        connection.execute(own)
    columns = move_parts.c
    connection.execute(delete(move_parts).where(columns.project_id == key, columns.part != SOURCE))


def _notes(connection: Connection, key: str | None = None) -> dict[tuple[str, str], TableSum]:
    query = select(move_parts)
    rows = connection.execute(query if key is None else query.where(move_parts.c.project_id == key))
    return {(row.project_id, row.part): TableSum(row.row_count, row.checksum) for row in rows}


def _note(connection: Connection, key: str, part: str, found: TableSum) -> None:
    connection.execute(insert(move_parts), {"project_id": key, "part": part, **found._asdict()})
