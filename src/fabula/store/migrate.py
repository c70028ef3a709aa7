"""Migrate a database to the newest schema, whichever process comes first."""

from __future__ import annotations

import random
import time
from pathlib import Path

from sqlalchemy import Connection, Engine, Text, column, inspect, select, table
from sqlalchemy.exc import DBAPIError

from fabula.errors import Conflict
from fabula.store.dialect import is_migrated_by_another
from fabula.store.engines import take_long
from fabula.store.shard_tables import go_in_order
from fabula.store.strangers import is_strangers, strangers
from fabula.store.tables import metadata

HEAD = "0024"
TRIES = 8

_SCRIPTS = Path(__file__).parent / "migrations"
_VERSION = select(column("version_num", Text)).select_from(table("alembic_version"))


def migrate(engine: Engine) -> None:
    """Apply missing migrations; raises Conflict if the database was written by a newer Fabula."""
    for number in range(1, TRIES + 1):
        try:
            with engine.begin() as connection:
                _upgrade(connection)
            return
        except DBAPIError as error:
            if number == TRIES or not is_migrated_by_another(error):
                raise
        time.sleep(random.uniform(0.05, 0.2))


def _upgrade(connection: Connection) -> None:
    _refuse_strangers(connection)
    current = current_schema(connection)
    if current != HEAD:
        take_long(connection)
    if current not in (None, HEAD):
        # The process that locks this row migrates; the others find it done.
        current = connection.execute(_VERSION.with_for_update()).scalar_one_or_none()
    if current == HEAD:
        return
    go_in_order(connection)
    # Alembic takes a third of a second to import, so it is loaded only to migrate.
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, HEAD)
    except CommandError as error:
        raise Conflict(
            f"The database has schema {current}, which this version of Fabula does not know.",
            details={"schema": current, "newestKnown": HEAD},
            suggestion="Open it with the version of Fabula that wrote it, or a newer one.",
        ) from error


def _refuse_strangers(connection: Connection) -> None:
    """Refuse another program's database with tables of our names; on a server, others may coexist."""
    there = set(inspect(connection).get_table_names())
    if is_strangers(there & {"alembic_version", *metadata.tables}):
        raise strangers(connection.engine.url.database or "This")


def has_newest_schema(connection: Connection) -> bool:
    """Whether a database has the newest schema this version knows."""
    return bool(connection.execute(_VERSION).scalar_one_or_none() == HEAD)


def current_schema(connection: Connection) -> str | None:
    """Return the schema version of the database; None if it has none."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(_VERSION).scalar_one_or_none()
