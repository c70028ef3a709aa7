"""When the place itself is at fault: a file that was damaged or taken away, a disk that is full."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Self

from fabula.errors import InternalError
from fabula.store.place import DatabasePlace

NOTE = ".last-backup"


class Damaged(InternalError):
    """The database is not what Fabula wrote: the disk, the system or somebody else has spoilt it."""

    default_suggestion = "Stop Fabula, keep the database as it is, and run `fabula doctor`."

    @classmethod
    def found(cls, place: DatabasePlace, complaints: Sequence[str] = ()) -> Self:
        """The error for those who sit before the machine: with the place, and the way back."""
        backup = newest_backup(place)
        what = f" ({complaints[0].splitlines()[0]})" if complaints else ""
        if not isinstance(place, Path):
            return cls(
                f"{place} is damaged, or no database of Fabula{what}.",
                details={"reason": "damaged", "backup": None},
                suggestion="Let nobody write to it, and restore a backup into an empty database: "
                "fabula restore BACKUP --db postgresql://USER@HOST/NEW",
            )
        return cls(
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


class DiskFull(InternalError):
    """There is no room to write."""

    status = 507
    default_suggestion = "Nothing was written, and what was there is whole. Make room, then try again."


class TakenAway(InternalError):
    """The file is no longer where it was opened: nobody would find what is written into it now."""

    status = 503
    default_suggestion = (
        "Nothing was written. Put back the file of the database if it was moved; then start Fabula again."
    )


def note_backup(place: DatabasePlace, backup: Path) -> None:
    """Remember beside a database file where its newest backup is."""
    if isinstance(place, Path):
        with suppress(OSError):  # the backup is made, with or without a note of it
            _note(place).write_text(f"{backup.resolve()}\n", "utf-8")


def newest_backup(place: DatabasePlace) -> Path | None:
    """The newest backup of a database, if one is known and still there."""
    if not isinstance(place, Path):
        return None
    try:
        backup = Path(_note(place).read_text("utf-8").strip())
    except (OSError, ValueError):
        return None
    return backup if backup.is_file() else None


def _note(path: Path) -> Path:
    return path.with_name(path.name + NOTE)
