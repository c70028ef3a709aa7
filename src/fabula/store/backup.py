"""Backups: one file with the whole database as of one moment, and the means to verify it.

It is a zip archive of two files: `manifest.json`, and `fabula.db`, a SQLite file whatever the engine was.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import shutil
import sqlite3
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Literal

from pydantic import ValidationError

from fabula.errors import Conflict, FabulaError, InvalidInput
from fabula.model.wire import Value
from fabula.store.damage import damaged, note_backup
from fabula.store.migrate import HEAD
from fabula.store.moving import move
from fabula.store.place import DatabasePlace, PostgresPlace
from fabula.store.whole_file import (
    COMPANIONS,
    ByteProgress,
    acting,
    complaints,
    copy_file,
    counts,
    flatten,
    revisions,
    schema,
)

MANIFEST, DATABASE = "manifest.json", "fabula.db"
MANIFEST_BYTES = 64 << 20
CHUNK = 1 << 20
# The share of the progress bar for copying, which is fast compared to compressing.
COPYING = 0.3
UNPACKING = 0.2
# The names of automatically named backups; nothing else in a folder is ever removed.
_OF_A_MOMENT = re.compile(r"fabula-\d{8}T\d{6}Z\.backup")


class Manifest(Value):
    """The contents of a backup: the rows of each table, the revision of each story, and a checksum."""

    format: Literal[1] = 1
    version: str
    schema_version: str
    made_at: str
    size: int
    sha256: str
    rows: dict[str, int]
    revisions: dict[str, int]


def make_backup(
    place: DatabasePlace, target: Path, *, version: str, now: str, overwrite: bool, seen: ByteProgress
) -> Manifest:
    """Write a backup of the database, even during writes; the file is complete or not there at all."""
    if not overwrite and target.exists():
        raise InvalidInput(f"{target} is there already.", suggestion="Name another file, or use --overwrite.")
    with _explained(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".fabula-backup-", dir=target.parent) as folder:
            copy, packed = Path(folder) / DATABASE, Path(folder) / "packed"
            _copy(place, copy, lambda done: seen(COPYING * done))
            wrong = complaints(copy, thorough=False)
            if wrong:
                raise damaged(place, wrong)
            manifest = Manifest(
                version=version,
                schema_version=schema(copy),
                made_at=now,
                size=copy.stat().st_size,
                sha256=_checksum(copy),
                rows=counts(copy),
                revisions=revisions(copy),
            )
            _pack(manifest, copy, packed, lambda done: seen(COPYING + (1 - COPYING) * done))
            _put(packed, target, overwrite=overwrite)
    note_backup(place, target)
    return manifest


def backup_before_migrating(place: DatabasePlace, *, version: str, now: str) -> Path | None:
    """Back up a database file of an older schema, which opening will migrate; None if it needs no migration.

    The backup is beside the others and named after both schemas. A server's database is its owner's to back
    up.
    """
    if not isinstance(place, Path) or not place.is_file():
        return None
    try:
        current = schema(place)
    except (sqlite3.DatabaseError, TypeError, UnicodeDecodeError):
        return None  # not a database of Fabula: opening says what is wrong with it
    if current >= HEAD:
        return None
    target = place.parent / "backups" / f"{place.stem}-{current}-before-{HEAD}.backup"
    make_backup(place, target, version=version, now=now, overwrite=True, seen=lambda done: None)
    return target


def keep_newest(made: Path, count: int) -> tuple[Path, ...]:
    """Keep this many automatically named backups, including the one just made, and remove older ones."""
    others = [path for path in made.parent.iterdir() if path != made and _OF_A_MOMENT.fullmatch(path.name)]
    older = sorted(others, key=lambda path: path.name, reverse=True)[max(count - 1, 0) :]
    for path in older:
        path.unlink(missing_ok=True)
    return tuple(older)


def restore_backup(backup: Path, place: DatabasePlace, *, seen: ByteProgress) -> Manifest:
    """Restore a backup into a new database; nothing is left behind if that fails."""
    if not isinstance(place, Path):
        return _restore_into_server(backup, place, seen)
    _refuse_taken(place)
    with _explained(place):
        place.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".fabula-restore-", dir=place.parent) as folder:
            copy = Path(folder) / DATABASE
            manifest = _unpack(backup, copy, seen)
            _refuse_taken(place)
            _put(copy, place, overwrite=False)
    return manifest


def _restore_into_server(backup: Path, place: PostgresPlace, seen: ByteProgress) -> Manifest:
    """Restore into an empty database of a server: unpack locally, then move and compare."""
    scratch = Path(tempfile.gettempdir())
    with _explained(scratch), tempfile.TemporaryDirectory(prefix="fabula-restore-", dir=scratch) as folder:
        copy = Path(folder) / DATABASE
        manifest = _unpack(backup, copy, lambda done: seen(UNPACKING * done))
        move(copy, place, lambda done, count, _: seen(UNPACKING + (1 - UNPACKING) * done / max(count, 1)))
    return manifest


def _copy(place: DatabasePlace, copy: Path, seen: ByteProgress) -> None:
    """Copy the database to a file, as of one moment."""
    if isinstance(place, Path):
        copy_file(place, copy, seen)
        return
    move(place, copy, lambda done, count, _: seen(done / max(count, 1)), as_of_one_moment=True)
    flatten(copy)


def _refuse_taken(place: Path) -> None:
    for taken in (place, *(place.with_name(place.name + companion) for companion in COMPANIONS)):
        if taken.exists():
            raise Conflict(
                f"{taken} is there already.",
                details={"path": str(taken)},
                suggestion="Restore into a file that does not exist, with --db, and open that.",
            )


# The archive


def _pack(manifest: Manifest, copy: Path, target: Path, seen: ByteProgress) -> None:
    with target.open("xb") as file:
        target.chmod(0o600)  # a backup contains every story
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=3) as archive:
            archive.writestr(MANIFEST, manifest.model_dump_json(by_alias=True, indent=1))
            with copy.open("rb") as source, archive.open(DATABASE, "w", force_zip64=True) as packed:
                for chunk, done in _chunks(source, manifest.size):
                    packed.write(chunk)
                    seen(done)
        file.flush()
        os.fsync(file.fileno())


def _unpack(backup: Path, copy: Path, seen: ByteProgress) -> Manifest:
    """Extract the database of a backup; raises InvalidInput if it is not what was packed."""
    with _archive(backup) as archive:
        manifest = _manifest(backup, archive)
        if manifest.schema_version > HEAD:
            raise Conflict(
                f"{backup} has schema {manifest.schema_version}, which this version of Fabula does not know.",
                details={"schema": manifest.schema_version, "newestKnown": HEAD},
                suggestion=f"Restore it with Fabula {manifest.version} or a newer one.",
            )
        if manifest.size > shutil.disk_usage(copy.parent).free:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        digest = hashlib.sha256()
        with archive.open(DATABASE) as packed, copy.open("xb") as file:
            copy.chmod(0o600)
            for chunk, done in _chunks(packed, manifest.size):
                digest.update(chunk)
                file.write(chunk)
                seen(done)
            file.flush()
            os.fsync(file.fileno())
    if digest.hexdigest() != manifest.sha256 or complaints(copy):
        raise _damaged(backup)
    if not _is_ours(copy, manifest):
        raise _no_backup(backup)
    return manifest


def _is_ours(copy: Path, manifest: Manifest) -> bool:
    """Whether a file matches the manifest and contains nothing executable, whoever made the two."""
    try:
        held = (schema(copy), counts(copy), revisions(copy))
        return held == (manifest.schema_version, manifest.rows, manifest.revisions) and not acting(copy)
    except (sqlite3.DatabaseError, UnicodeDecodeError, TypeError):
        return False


@contextmanager
def _archive(backup: Path) -> Iterator[zipfile.ZipFile]:
    """Open a backup; every defect inside it is reported in the same way."""
    try:
        file = backup.open("rb")
    except FileNotFoundError as error:
        raise InvalidInput(f"There is no file {backup}.", suggestion="Check the path.") from error
    except OSError as error:
        raise InvalidInput(f"{backup}: {error.strerror}", suggestion="Check the path.") from error
    try:
        with file, zipfile.ZipFile(file) as archive:
            if sorted(archive.namelist()) != [DATABASE, MANIFEST]:
                raise _no_backup(backup)
            yield archive
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise (_damaged if zipfile.is_zipfile(backup) else _no_backup)(backup) from error


def _manifest(backup: Path, archive: zipfile.ZipFile) -> Manifest:
    with archive.open(MANIFEST) as file:
        written = file.read(MANIFEST_BYTES)
    try:
        return Manifest.model_validate_json(written)
    except ValidationError as error:
        raise _no_backup(backup) from error


def _no_backup(backup: Path) -> InvalidInput:
    return InvalidInput(
        f"{backup} is no backup that this version of Fabula can read.",
        details={"reason": "no_backup"},
        suggestion="Name a file that `fabula backup` wrote.",
    )


def _damaged(backup: Path) -> InvalidInput:
    return InvalidInput(
        f"{backup} is damaged: it is not what was written. Nothing was restored.",
        details={"reason": "damaged"},
        suggestion="Take an older backup, or another copy of this one.",
    )


# Files


def _chunks(file: IO[bytes], size: int) -> Iterator[tuple[bytes, float]]:
    """Yield the content in chunks with the fraction done, stopping beyond the expected size."""
    done = 0
    while done <= size and (chunk := file.read(CHUNK)):
        done += len(chunk)
        yield chunk, min(1.0, done / max(size, 1))


def _checksum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _put(file: Path, target: Path, *, overwrite: bool) -> None:
    """Rename a finished file atomically, without replacing another unless asked to."""
    if overwrite:
        file.replace(target)
    else:
        _named(file, target)
    with suppress(OSError):  # not supported everywhere
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _named(file: Path, target: Path) -> None:
    """Give a file a new name; raises FileExistsError if it is taken."""
    try:
        os.link(file, target)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        if target.exists():
            raise FileExistsError(target) from None
        file.rename(target)


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Explain why a file could not be written."""
    try:
        yield
    except FabulaError:
        raise
    except FileExistsError as error:
        raise Conflict(f"{path} is there already.", details={"path": str(path)}) from error
    except (OSError, sqlite3.OperationalError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InvalidInput(
            f"{path}: {reason}", suggestion="Nothing was written. Choose another place."
        ) from error
