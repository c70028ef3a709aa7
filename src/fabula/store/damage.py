"""Damaged databases: the error, and where the newest backup is."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from fabula.errors import DatabaseDamaged
from fabula.store.place import DatabasePlace

NOTE = ".last-backup"


def damaged(place: DatabasePlace, complaints: Sequence[str] = ()) -> DatabaseDamaged:
    """Return the error for operators, which names the database and the way to recover."""
    backup = newest_backup(place)
    what = f" ({complaints[0].splitlines()[0]})" if complaints else ""
    if not isinstance(place, Path):
        return DatabaseDamaged(
            f"{place} is damaged, or no database of Fabula{what}.",
            details={"reason": "damaged", "backup": None},
            suggestion="Let nobody write to it, and restore a backup into an empty database: "
            "fabula restore BACKUP --db postgresql://USER@HOST/NEW",
        )
    return DatabaseDamaged(
        f"{place} is damaged, or no database of Fabula{what}.",
        details={"reason": "damaged", "backup": None if backup is None else str(backup)},
        suggestion=(
            "If another file was meant, name that. Else keep this one: no backup of it is known; "
            "one that you made otherwise can be opened."
            if backup is None
            else f"Keep the file as it is, and restore the newest backup into another: "
            f"fabula restore {backup} --db NEW.db"
        ),
    )


def note_backup(place: DatabasePlace, backup: Path) -> None:
    """Record beside a database file where its newest backup is."""
    if isinstance(place, Path):
        with suppress(OSError):  # the backup exists with or without the note
            _note(place).write_text(f"{backup.resolve()}\n", "utf-8")


def newest_backup(place: DatabasePlace) -> Path | None:
    """Return the newest backup of a database, if it is known and still exists."""
    if not isinstance(place, Path):
        return None
    try:
        backup = Path(_note(place).read_text("utf-8").strip())
    except (OSError, ValueError):
        return None
    return backup if backup.is_file() else None


def _note(path: Path) -> Path:
    return path.with_name(path.name + NOTE)
