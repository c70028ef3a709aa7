"""Bringing a database to the newest schema, whichever process comes first."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Column, Connection, Engine, MetaData, String, Table, inspect, select

from fabula.errors import Conflict

# Each enters its tables in the metadata.
from fabula.store import (  # noqa: F401
    account_tables,
    event_tables,
    job_tables,
    ontology_tables,
    proposal_tables,
    vector_tables,
)
from fabula.store.tables import metadata

HEAD = "0007"

_version = Table("alembic_version", MetaData(), Column("version_num", String(32), primary_key=True))
_SCRIPTS = Path(__file__).parent / "migrations"


def migrate(engine: Engine) -> None:
    """Apply what is missing; Conflict if the database was written by a newer Fabula."""
    with engine.begin() as connection:
        current = _current(connection)
        if current == HEAD:
            return
        if current is None and not inspect(connection).get_table_names():
            _begin(connection)
            return
        # Alembic takes a third of a second to import: only those who migrate pay for it.
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


def _begin(connection: Connection) -> None:
    """A blank database gets the newest tables at once: the scripts are for those with a past."""
    metadata.create_all(connection, checkfirst=False)
    _version.create(connection)
    connection.execute(_version.insert().values(version_num=HEAD))


def _current(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(select(_version.c.version_num)).scalar_one_or_none()
