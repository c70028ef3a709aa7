"""Distribute the tables of a PostgreSQL with Citus over its machines: a story is whole on one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError

from fabula.errors import Conflict, InvalidInput
from fabula.store.engines import engine_at, take_long
from fabula.store.failures import explained
from fabula.store.migrate import migrate
from fabula.store.place import DatabasePlace, PostgresPlace
from fabula.store.shard_tables import DISTRIBUTED_BY, FIRST, TableLayout, layout, wanted
from fabula.store.tables import metadata

_IS_INSTALLABLE = "SELECT EXISTS (SELECT FROM pg_available_extensions WHERE name = 'citus')"
# Citus connects to the database itself, under names of its own.
_OTHERS = """SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
             AND pid != pg_backend_pid() AND backend_type = 'client backend'
             AND application_name NOT LIKE 'citus%'"""
_MOVES = "SELECT count(*) FROM move_parts"
_WORKERS = "SELECT count(*) FROM citus_get_active_worker_nodes()"


class ShardingStep(NamedTuple):
    """A table that is not yet as it should be, and the statement that makes it so."""

    table: str
    statement: str


class ShardingReport(NamedTuple):
    """What was distributed now, what had been before, and over how many machines."""

    steps: tuple[ShardingStep, ...]
    kept_count: int
    worker_count: int


def distribute(
    place: DatabasePlace, tell: Callable[[str], None] = lambda _: None, *, is_dry_run: bool = False
) -> ShardingReport:
    """Distribute every table that is not, in an order in which references hold.

    Everything is checked first. A run that was interrupted continues when it is run again; a dry run
    changes nothing.
    """
    if not isinstance(place, PostgresPlace):
        raise InvalidInput(
            "Only a PostgreSQL database can be distributed.",
            suggestion="Move the stories to one first: fabula move. docs/scaling.md tells more.",
        )
    engine = engine_at(place, writes=True)
    try:
        with explained(), engine.begin() as connection:
            _require_citus(connection)
        if not is_dry_run:
            with explained():
                migrate(engine)
        with explained(), engine.begin() as connection:
            report = _checked(connection)
        for step in () if is_dry_run else report.steps:
            tell(step.table)
            _run(engine, step)
        if not is_dry_run:
            _drop_local_copies(engine, report.steps)
        return report
    finally:
        engine.dispose()


def _require_citus(connection: Connection) -> None:
    if layout(connection) is not None:
        return
    if connection.execute(text(_IS_INSTALLABLE)).scalar_one():
        suggestion = "Run CREATE EXTENSION citus in this database, and add its machines: docs/scaling.md."
    else:
        suggestion = "Install Citus on the server, or go on without: nothing else needs it."
    raise InvalidInput(
        "This PostgreSQL has no Citus, so there is nothing to distribute to.", suggestion=suggestion
    )


def _checked(connection: Connection) -> ShardingReport:
    """Return what is to be done; raises Conflict if that would fail in the middle."""
    now = layout(connection)
    assert now is not None
    if connection.execute(text(_MOVES)).scalar_one():
        raise Conflict(
            "Stories are being moved into this database.", suggestion="End that move first: run it again."
        )
    steps = tuple(steps_from(now))
    wrong = sorted(name for name, found in now.items() if wanted(name) not in (None, found))
    if wrong:
        raise Conflict(
            f"These tables are distributed in another way: {', '.join(wrong)}.",
            details={"tables": wrong},
            suggestion="Undistribute them first, as docs/scaling.md says.",
        )
    if steps and connection.execute(text(_OTHERS)).scalar_one():
        raise Conflict(
            "Others are connected to this database.",
            suggestion="Stop all servers: while tables are being distributed nobody may write.",
        )
    workers = int(connection.execute(text(_WORKERS)).scalar_one())
    return ShardingReport(steps, len(now), workers)


def steps_from(now: TableLayout) -> Iterator[ShardingStep]:
    """Yield what is missing: tables that everybody needs, then stories, then what refers to them."""
    for table in sorted(metadata.sorted_tables, key=lambda table: wanted(table.name) == DISTRIBUTED_BY):
        kind = wanted(table.name)
        if kind is None or table.name in now:
            continue
        if kind == DISTRIBUTED_BY:
            beside = "none" if table.name == FIRST else FIRST
            given = f"'{table.name}', '{DISTRIBUTED_BY}', colocate_with => '{beside}'"
            yield ShardingStep(table.name, f"SELECT create_distributed_table({given})")
        else:
            yield ShardingStep(table.name, f"SELECT create_reference_table('{table.name}')")


def _run(engine: Engine, step: ShardingStep) -> None:
    try:
        with engine.begin() as connection:
            take_long(connection)
            connection.exec_driver_sql(step.statement)
    except DBAPIError as error:
        raise Conflict(
            f"The server did not distribute the table '{step.table}': {str(error.orig).splitlines()[0]}",
            details={"table": step.table, "statement": step.statement},
            suggestion="Mend what it names, and run fabula distribute again: it goes on from here.",
        ) from error


def _drop_local_copies(engine: Engine, steps: tuple[ShardingStep, ...]) -> None:
    """Remove the rows that Citus leaves, hidden, in the tables it has copied them from."""
    for step in steps:
        if wanted(step.table) == DISTRIBUTED_BY:
            given = f"'{step.table}'"
            _run(
                engine,
                step._replace(statement=f"SELECT truncate_local_data_after_distributing_table({given})"),
            )


def keep_distributed(connection: Connection) -> None:
    """Distribute what a migration has added to a database that is distributed."""
    now = layout(connection)
    if now is not None and FIRST in now:
        for step in steps_from(now):
            connection.exec_driver_sql(step.statement)
