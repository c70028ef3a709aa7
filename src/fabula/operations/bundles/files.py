"""Files offered for import, which are read only from inside one folder.

A path is followed one folder at a time and never through a link, and the opened file is checked for its
location, so that replacing a file or folder meanwhile leads nowhere else.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from fabula.errors import InvalidInput, NotFound, PayloadTooLarge
from fabula.formats.safe_yaml import DEFAULT_LIMITS

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# Opening a pipe without a writer would block forever.
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_OPEN_FILES = Path("/proc/self/fd")


@dataclass(frozen=True, slots=True)
class OfferedFile:
    """A file as it was when it was read."""

    data: bytes
    name: str
    folder: int
    seen: os.stat_result

    def delete(self) -> bool:
        """Delete the file unless it was replaced or changed meanwhile; return whether it was deleted."""
        try:
            now = os.stat(self.name, dir_fd=self.folder, follow_symlinks=False)
            if _marks(now) != _marks(self.seen):
                return False
            os.unlink(self.name, dir_fd=self.folder)
        except OSError:
            return False
        return True


@contextmanager
def offered_file(
    folder: Path | None, path: str | Path, *, limit: int = DEFAULT_LIMITS.size
) -> Iterator[OfferedFile]:
    """Open the file at a path inside the folder; InvalidInput if it is elsewhere or not a regular file."""
    root, steps = _steps(folder, path)
    with ExitStack() as opened:
        try:
            here = _opened(opened, str(root), _FOLDER & ~os.O_NOFOLLOW, None)
            for step in steps[:-1]:
                here = _opened(opened, step, _FOLDER, here)
            file = _opened(opened, steps[-1], _FILE, here)
        except FileNotFoundError:
            raise NotFound(
                "There is no file at this path.",
                details={"folder": str(root)},
                suggestion=f"Put the file into {root} and give its path.",
            ) from None
        except (OSError, ValueError) as error:
            raise _refused(root, _reason(error)) from None
        seen = os.fstat(file)
        if not stat.S_ISREG(seen.st_mode):
            raise _refused(root, "not_a_file")
        if not _is_inside(file, root):
            raise _refused(root, "outside")
        if seen.st_size > limit:
            raise _too_large(limit)
        yield OfferedFile(_read(file, limit), steps[-1], here, seen)


def _steps(folder: Path | None, path: str | Path) -> tuple[Path, tuple[str, ...]]:
    """Return the real path of the folder, and the path components from it to the file."""
    if folder is None:
        raise InvalidInput(
            "No folder is set up from which files may be imported.",
            details={"setting": "import_dir", "reason": "not_configured"},
            suggestion="Set FABULA_IMPORT_DIR to a folder, or send the bundle as text.",
        )
    root = Path(os.path.realpath(folder))
    text = str(path)
    if "\0" in text or ".." in Path(text).parts:
        raise _refused(root, "outside")
    given = Path(text)
    for known in (root, Path(os.path.abspath(folder))):
        inside = known / given
        if inside.is_relative_to(known) and inside != known:
            return root, inside.relative_to(known).parts
    raise _refused(root, "outside")


def _opened(opened: ExitStack, name: str, flags: int, folder: int | None) -> int:
    number = os.open(name, flags, dir_fd=folder)
    opened.callback(os.close, number)
    return number


def _is_inside(file: int, root: Path) -> bool:
    """Whether an open file is in the folder; if the system cannot tell, the followed path is trusted."""
    try:
        really = os.readlink(_OPEN_FILES / str(file))
    except OSError:
        return True
    return Path(really).is_relative_to(root)


def _read(file: int, limit: int) -> bytes:
    parts, room = [], limit
    while part := os.read(file, 1 << 20):
        room -= len(part)
        if room < 0:
            raise _too_large(limit)
        parts.append(part)
    return b"".join(parts)


def _marks(seen: os.stat_result) -> tuple[int, ...]:
    return seen.st_dev, seen.st_ino, seen.st_size, seen.st_mtime_ns


def _reason(error: OSError | ValueError) -> str:
    is_link = isinstance(error, OSError) and error.errno in (errno.ELOOP, errno.EMLINK, errno.ENOTDIR)
    return "link" if is_link else "unreadable"


def _refused(root: Path, reason: str) -> InvalidInput:
    words = {
        "outside": "is not inside the folder from which files may be imported",
        "link": "leads through a link or a file, which is not followed",
        "not_a_file": "is not a plain file",
        "unreadable": "cannot be read",
    }
    return InvalidInput(
        f"The path {words[reason]}.",
        details={"reason": reason, "folder": str(root)},
        suggestion=f"Put a plain file into {root} and give its path.",
    )


def _too_large(limit: int) -> PayloadTooLarge:
    return PayloadTooLarge(f"The file has more than {limit:,} bytes.", details={"limit": limit})
