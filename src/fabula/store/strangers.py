"""Recognize databases of other programs before anything is written to them."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from fabula.errors import InvalidInput
from fabula.store.place import DatabasePlace

# Tables that every version of Fabula has created and hardly any other program has; some may be lost.
_OURS = {"kg_entities", "kg_relations", "kg_relation_types", "story_steps", "story_changes"}
_VERSION = "alembic_version"


def make_folder(path: Path) -> None:
    """Create the folder of a file; raises InvalidInput if that fails or the file is itself a folder."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidInput(
            f"{path}: {error.strerror}", suggestion="Name a file in a folder that may be written to."
        ) from error
    if path.is_dir():
        raise InvalidInput(f"{path} is a folder.", suggestion="Name a file; one that does not exist is made.")


def refuse_strangers_file(path: Path) -> None:
    """Refuse a file with tables of another program; what is no database is detected later."""
    # The first check leaves no trace but may be wrong during writes; the second waits for the lock.
    if path.is_file() and _is_strangers(path, "mode=ro&immutable=1") and _is_strangers(path, "mode=ro"):
        raise strangers(path)


def strangers(place: DatabasePlace | str) -> InvalidInput:
    """Return the error for a database of another program."""
    return InvalidInput(
        f"{place} is a database of another program, not of Fabula.",
        details={"reason": "not_fabula"},
        suggestion="Nothing was written. Name a database of Fabula, or one that does not exist or is empty.",
    )


def is_strangers(tables: Collection[str]) -> bool:
    """Whether there are tables, and they are not ours."""
    return bool(tables) and not (_VERSION in tables and _OURS.intersection(tables))


def _is_strangers(path: Path, how: str) -> bool:
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path))}?{how}", uri=True, timeout=60)) as connection:
            named = connection.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")
            return is_strangers([name for (name,) in named if not name.startswith("sqlite_")])
    except (sqlite3.DatabaseError, UnicodeDecodeError):
        # Errors about a damaged file quote it and may not be valid text.
        return False
