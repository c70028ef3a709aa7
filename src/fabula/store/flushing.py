"""One flush for many: writers of one process that commit at the same time wait for the disk together.

SQLite in WAL mode appends every commit to one file, so whoever flushes it flushes all commits before. A
writer that finds no flush under way flushes at once; those that commit meanwhile share the next one.
"""

from __future__ import annotations

import logging
import os
import threading
from pathlib import Path

from fabula.errors import OutcomeUnknown

log = logging.getLogger("fabula.store")

# The length of the file reaches the disk, too, with what it takes to find the data; its times need not.
_synchronise = getattr(os, "fdatasync", os.fsync)


class SharedFlush:
    """The write-ahead log of one database, brought to the disk for all who have committed to it."""

    def __init__(self, database: Path) -> None:
        self._path = str(database.with_name(f"{database.name}-wal"))
        self._file: int | None = None
        self._changed = threading.Condition()
        self._is_flushing = False
        # Commits are counted: how many ask, up to which all are on the disk, and up to which some may not be.
        self._asked = self._flushed = self._failed = 0
        # Whether commits leave the flush to us; where nothing need outlive the machine, nobody waits.
        self.is_needed = False

    def wait(self) -> None:
        """Return when everything committed before is on the disk; OutcomeUnknown if that failed."""
        if not self.is_needed:
            return
        with self._changed:
            self._asked += 1
            mine = self._asked
            while self._is_flushing and self._flushed < mine:
                self._changed.wait()
            if self._flushed >= mine:
                if mine <= self._failed:
                    raise _in_doubt()
                return
            self._is_flushing = True
            upto = self._asked
        is_kept = False
        try:
            self._flush()
            is_kept = True
        except OSError as error:
            log.error("not flushed", extra={"reason": type(error).__name__})
            raise _in_doubt() from error
        finally:
            with self._changed:
                self._is_flushing = False
                self._flushed = upto
                if not is_kept:
                    # After a failure the system may forget what it could not write: nobody tries again.
                    self._failed = upto
                self._changed.notify_all()

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _flush(self) -> None:
        """Flush the log; a new one may have taken the place of the one that is open."""
        if self._file is None or not os.path.samestat(os.fstat(self._file), os.stat(self._path)):
            self.close()
            self._file = os.open(self._path, os.O_RDWR)
        _synchronise(self._file)


def _in_doubt() -> OutcomeUnknown:
    return OutcomeUnknown("The disk did not confirm what was written.", details={"outcome": "unknown"})
