"""The old databases, put where a test wants them: as the file they were, or as the same rows elsewhere."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import MetaData, create_engine, select

from fabula.store import migrate
from fabula.store.engines import engine_at
from fabula.store.place import DatabasePlace, PostgresPlace
from postgres import blank_at

# The newest schema of the Fabula that made them.
SCHEMA = "0009"


def old_database(name: str, folder: Path) -> DatabasePlace:
    """A database that only the old Fabula has written to."""
    file = folder / f"{name}.db"
    place = blank_at(file)
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript((Path(__file__).parent / f"{name}.sql").read_text("utf-8"))
    if isinstance(place, PostgresPlace):
        _copy(file, place)
    return place


def _copy(file: Path, place: PostgresPlace) -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(migrate.__file__).parent / "migrations"))
    old, new = create_engine(f"sqlite:///{file}"), engine_at(place, writes=True)
    with old.connect() as source, new.begin() as target:
        config.attributes["connection"] = target
        command.upgrade(config, SCHEMA)
        told = MetaData()
        told.reflect(source)
        for table in told.sorted_tables:
            found = [dict(row) for row in source.execute(select(table)).mappings()]
            if found and table.name != "alembic_version":
                target.execute(table.insert(), found)
    old.dispose()
    new.dispose()
