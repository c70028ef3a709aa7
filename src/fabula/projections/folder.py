"""A folder on disk that holds a story: only changes are written, and each file atomically.

Fabula's own state is under `.fabula/`, which git ignores: the list of files written here (no other file is
ever removed), the revision they reflect, a lock, and files being written.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import orjson

from fabula.errors import Conflict, InvalidInput
from fabula.formats.folder_names import ATTRIBUTES_OF_GIT, file_name
from fabula.formats.folder_read import is_part
from fabula.formats.folder_shapes import FORMAT
from fabula.formats.folder_write import File

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

OWN = ".fabula"

_LOCK, _FILES, _STATE, _STAGED = "lock", "files.txt", "state.json", "staged"
# Up to this many files are synced one by one; more are synced all at once.
_FEW = 64


class Reached(NamedTuple):
    """Which story a folder holds, and up to which revision."""

    story_id: str
    began: str
    revision: int


class Written(NamedTuple):
    """How many files a write changed, removed, or left as they were."""

    changed: int
    removed: int
    same: int


class StoryFolder:
    """The folder of one story, locked while it is open for writing."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._own = path / OWN
        self._safe: set[Path] = set()
        self._listing: tuple[tuple[int, int, int], frozenset[str]] | None = None

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Lock the folder; raises Conflict if another process holds it."""
        self._safe.clear()
        self._own.mkdir(parents=True, exist_ok=True)
        self._refuse_link(self._own)
        handle = os.open(self._own / _LOCK, os.O_RDWR | os.O_CREAT | _NO_FOLLOW, 0o644)
        try:
            _lock(handle, self.path)
            self._tidy()
            yield
        finally:
            os.close(handle)

    def reached(self) -> Reached | None:
        """Return the edition the folder holds; None if it was never completely written."""
        try:
            told = orjson.loads((self._own / _STATE).read_bytes())
            if told["format"] != FORMAT:
                return None
            return Reached(str(told["story"]), str(told["began"]), int(told["revision"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def write(
        self, files: Iterable[File], reached: Reached, *, is_whole: bool, overwrite: bool = False
    ) -> Written:
        """Write these files; if they are the whole story, remove all other files written by Fabula."""
        before = self._begin(reached, overwrite)
        stays: set[str] = set()
        unwanted: set[str] = set()
        staged: list[tuple[str, Path]] = []
        for path, data in files:
            if data is None:
                unwanted.add(path)
            elif path in before or overwrite or not self._is_foreign(path, data):
                stays.add(path)
                if not self._holds(path, data):
                    staged.append((path, self._stage(len(staged), data)))
        gone = (before if is_whole else before & unwanted) - stays
        # List files before they exist: whatever happens, none of ours is left unlisted.
        if not stays <= before or self._listing is None:
            self._list(before | stays)
        # Where case does not matter, removing `ann.yaml` afterwards would remove a new `Ann.yaml`.
        come = {path.casefold() for path, _ in staged}
        early = {path for path in gone if path.casefold() in come}
        self._remove_all(early)
        self._put(staged)
        self._remove_all(gone - early)
        if gone:
            self._list((before | stays) - gone)
        self._put_state(reached)
        return Written(len(staged), len(gone), len(stays) - len(staged))

    def _begin(self, reached: Reached, overwrite: bool) -> frozenset[str]:
        """Return the files that Fabula wrote here; raises Conflict if the folder is not this story's."""
        held = self.reached()
        if held is not None and held.story_id != reached.story_id and not overwrite:
            raise Conflict(
                f"{self.path} holds another story.",
                details={"path": str(self.path), "storyId": held.story_id},
                suggestion="Choose another folder, or say --overwrite to replace it.",
            )
        own = self._listed()
        if own is None:
            own = self._taken_over(overwrite)
        if held is None or held.story_id != reached.story_id:
            # The owner of the folder must be known even if the first write never finishes.
            self._put_state(reached._replace(revision=0))
        return own

    # Reading

    def _is_foreign(self, path: str, data: bytes) -> bool:
        """Whether the file there is not ours; raises Conflict if the story needs that path."""
        if not self._target(path).exists() or self._holds(path, data):
            return False
        if path == ATTRIBUTES_OF_GIT:
            return True
        raise Conflict(
            f"{self.path / path} is there already, and was not written from this database.",
            details={"path": str(self.path / path)},
            suggestion="Move the file away, or export with --overwrite to replace it.",
        )

    def _holds(self, path: str, data: bytes) -> bool:
        target = self._target(path)
        try:
            found = target.lstat()
        except FileNotFoundError:
            return False
        if not stat.S_ISREG(found.st_mode):
            raise _refusal(target, "is no plain file")
        return found.st_size == len(data) and target.read_bytes() == data

    def _target(self, path: str) -> Path:
        """Return the path of a file; raises InvalidInput if it leads through a symbolic link."""
        target = self.path / path
        for folder in reversed(target.relative_to(self.path).parents[:-1]):
            self._refuse_link(self.path / folder)
        if target.is_symlink():
            raise _refusal(target, "is a link")
        return target

    def _refuse_link(self, folder: Path) -> None:
        if folder in self._safe:
            return
        if folder.is_symlink():
            raise _refusal(folder, "is a link")
        self._safe.add(folder)

    def _listed(self) -> frozenset[str] | None:
        """Return the files listed as written here; None if there is no list."""
        try:
            found = (self._own / _FILES).stat()
        except FileNotFoundError:
            self._listing = None
            return None
        edition = (found.st_ino, found.st_mtime_ns, found.st_size)
        if self._listing is None or self._listing[0] != edition:
            self._listing = edition, frozenset((self._own / _FILES).read_text("utf-8").split("\n")) - {""}
        return self._listing[1]

    def _taken_over(self, overwrite: bool) -> frozenset[str]:
        """Return the files at a story's paths that were not written from this database."""
        found = frozenset(
            path
            for path in (name.relative_to(self.path).as_posix() for name in _walk(self.path))
            if is_part(path)
        )
        if found and not overwrite:
            raise Conflict(
                f"{self.path} holds files of a story that were not written from this database.",
                details={"path": str(self.path), "first": min(found)},
                suggestion="Choose an empty folder, or say --overwrite to replace them.",
            )
        return found

    # Writing

    def _tidy(self) -> None:
        """Create the state folder, and remove what a killed writer left behind."""
        staging = self._own / _STAGED
        staging.mkdir(exist_ok=True)
        self._refuse_link(staging)
        for left in staging.iterdir():
            left.unlink()
        ignore = self._own / ".gitignore"
        if not ignore.exists():
            ignore.write_bytes(b"*\n")

    def _stage(self, number: int, data: bytes) -> Path:
        staged = self._own / _STAGED / str(number)
        with staged.open("wb") as file:
            file.write(data)
            if number < _FEW:
                file.flush()
                os.fsync(file.fileno())
        return staged

    def _put_own(self, name: str, data: bytes) -> None:
        staged = self._stage(-1, data)
        staged.replace(self._own / name)

    def _put_state(self, reached: Reached) -> None:
        told = {"format": FORMAT, "story": reached.story_id, "began": reached.began}
        self._put_own(_STATE, orjson.dumps({**told, "revision": reached.revision}) + b"\n")

    def _put(self, staged: list[tuple[str, Path]]) -> None:
        if len(staged) > _FEW and sys.platform != "win32":
            os.sync()
        for path, source in staged:
            target = self._target(path)
            target.parent.mkdir(parents=True, exist_ok=True)
            self._target(path)
            source.replace(target)

    def _remove_all(self, paths: Iterable[str]) -> None:
        for path in sorted(paths):
            self._remove(path)

    def _remove(self, path: str) -> None:
        if not _is_inside(path):
            return  # not a line we wrote
        target = self._target(path)
        target.unlink(missing_ok=True)
        for folder in target.relative_to(self.path).parents[:-1]:
            try:
                (self.path / folder).rmdir()
            except OSError:
                return

    def _list(self, paths: Iterable[str]) -> None:
        self._put_own(_FILES, "".join(f"{path}\n" for path in sorted(paths)).encode())


def folder_for(parent: Path, story_id: str, title: str) -> StoryFolder:
    """Return the folder below `parent` that holds a story, whatever its name, or else a new one."""
    if parent.is_dir():
        for path in sorted(parent.iterdir()):
            folder = StoryFolder(path)
            reached = folder.reached()
            if reached is not None and reached.story_id == story_id:
                return folder
    name = file_name(title)
    path, count = parent / name, 2
    while path.exists():
        path, count = parent / f"{name} ({count})", count + 1
    return StoryFolder(path)


def _is_inside(path: str) -> bool:
    parts = path.split("/")
    return not path.startswith("/") and "\\" not in path and not {"..", ".", OWN, ""} & set(parts)


def _walk(folder: Path) -> Iterator[Path]:
    for root, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            yield Path(root) / name


def _refusal(path: Path, what: str) -> InvalidInput:
    return InvalidInput(
        f"{path} {what}: nothing is written there.",
        details={"path": str(path)},
        suggestion="Remove it, or choose another folder.",
    )


_NO_FOLLOW: int = getattr(os, "O_NOFOLLOW", 0)


def _lock(handle: int, path: Path) -> None:
    try:
        if sys.platform == "win32":
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise Conflict(
            f"Somebody else is writing into {path}.",
            details={"path": str(path)},
            suggestion="Wait a moment and try again.",
        ) from error
