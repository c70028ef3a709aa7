"""Databases of other programs: told apart before anything is written to them."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from fabula.errors import InvalidInput
from fabula.store.place import DatabasePlace

# Tables that every Fabula there was has made, and hardly anybody else; one or the other may be lost.
_OURS = {"kg_entities", "kg_relations", "kg_relation_types", "story_steps", "story_changes"}
_VERSION = "alembic_version"


def make_folder(path: Path) -> None:
    """Make the folder of a file; InvalidInput where that cannot be, or where the file is a folder itself."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidInput(
            f"{path}: {error.strerror}", suggestion="Name a file in a folder that may be written to."
        ) from error
    if path.is_dir():
        raise InvalidInput(f"{path} is a folder.", suggestion="Name a file; one that does not exist is made.")


def refuse_strangers_file(path: Path) -> None:
    """Refuse a file in which another program keeps its tables; what is no database is found out later."""
    # The first look leaves no trace, and may be wrong while somebody writes; the second waits for its turn.
    if path.is_file() and _is_strangers(path, "mode=ro&immutable=1") and _is_strangers(path, "mode=ro"):
        raise strangers(path)


def strangers(place: DatabasePlace | str) -> InvalidInput:
    """The refusal of a database of another program."""
    return InvalidInput(
        f"{place} is a database of another program, not of Fabula.",
        details={"reason": "not_fabula"},
        suggestion="Nothing was written. Name a database of Fabula, or one that does not exist or is empty.",
    )


def is_strangers(tables: Collection[str]) -> bool:
    """Whether tables are there, and not ours."""
    return bool(tables) and not (_VERSION in tables and _OURS.intersection(tables))


def _is_strangers(path: Path, how: str) -> bool:
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path))}?{how}", uri=True, timeout=60)) as connection:
            named = connection.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")
            return is_strangers([name for (name,) in named if not name.startswith("sqlite_")])
    except (sqlite3.DatabaseError, UnicodeDecodeError):
        # What is said of a damaged file quotes it, and may be no text.
        return False
