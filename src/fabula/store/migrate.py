"""Bringing a database to the newest schema, whichever process comes first."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, Engine, inspect, text

from fabula.errors import Conflict

HEAD = "0007"

_SCRIPTS = Path(__file__).parent / "migrations"


def migrate(engine: Engine) -> None:
    """Apply what is missing; Conflict if the database was written by a newer Fabula."""
    with engine.begin() as connection:
        current = _current(connection)
        if current == HEAD:
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


def _current(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one_or_none()
