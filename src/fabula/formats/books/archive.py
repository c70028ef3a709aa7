"""Unpacks ZIP archives from strangers within limits of size, number and growth."""

from __future__ import annotations

import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO

from fabula.errors import InvalidInput, PayloadTooLarge

MAX_FILES = 300_000
MAX_FILE_BYTES = 64 << 20
MAX_BYTES = 512 << 20
# Text compresses to a tenth at best, so an archive that expands a hundredfold was made to do harm.
MAX_GROWTH = 100
_SMALL = 16 << 20

# What the library raises for broken archives; a file without a name is an IndexError.
BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    ValueError,
    IndexError,
    NotImplementedError,
)


class ReadLimits:
    """How much was read so far, checked against the limits."""

    def __init__(self, packed: int | None = None) -> None:
        self._most = MAX_BYTES if packed is None else min(MAX_BYTES, max(_SMALL, packed * MAX_GROWTH))
        self._bytes = self._files = 0

    def take(self, name: str, data: bytes) -> bytes:
        """Count the data and return it; PayloadTooLarge if a limit is exceeded."""
        self._bytes += len(data)
        self._files += 1
        for is_over, what, limit in (
            (len(data) > MAX_FILE_BYTES, "bytes in one file", MAX_FILE_BYTES),
            (self._bytes > self._most, "bytes", self._most),
            (self._files > MAX_FILES, "files", MAX_FILES),
        ):
            if is_over:
                raise PayloadTooLarge(
                    f"{name}: a file or folder to import may have {limit:,} {what}.", details={"limit": limit}
                )
        return data


class Archive:
    """An open archive whose files are read within the limits."""

    def __init__(self, file: zipfile.ZipFile, size: int) -> None:
        self.entries = [entry for entry in file.infolist() if not entry.is_dir()]
        self.names = [entry.filename for entry in self.entries]
        self._file = file
        self._limits = ReadLimits(size)

    def read(self, entry: zipfile.ZipInfo) -> bytes:
        """Return a file's content; PayloadTooLarge if a limit is exceeded."""
        with self._file.open(entry) as file:
            return self._limits.take(entry.filename, file.read(MAX_FILE_BYTES + 1))


@contextmanager
def opened(data: bytes, broken: Callable[[], InvalidInput]) -> Iterator[Archive]:
    """Open an archive; the error made by `broken` is raised if it cannot be read."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as file:
            # Older versions of Python trip over such an entry by themselves.
            if "" in file.namelist():
                raise broken()
            yield Archive(file, len(data))
    except BROKEN as error:
        raise broken() from error


def entry_problems(entry: zipfile.ZipInfo) -> Iterator[str]:
    """What is wrong with an entry of an archive, however its files are used."""
    name = entry.filename
    if name.startswith("/") or "\\" in name or ":" in name.split("/")[0] or ".." in name.split("/"):
        yield "leads out of the folder"
    if stat.S_ISLNK(entry.external_attr >> 16):
        yield "is a link"
    if entry.flag_bits & 1 or entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        yield "is encrypted, or packed in a way that is not read here"


def all_files(data: bytes, broken: Callable[[], InvalidInput]) -> dict[str, bytes]:
    """Return every file of an archive by its path; the error of `broken` if any entry is unsafe."""
    with opened(data, broken) as archive:
        if any(problem for entry in archive.entries for problem in entry_problems(entry)):
            raise broken()
        return {entry.filename: archive.read(entry) for entry in archive.entries}
