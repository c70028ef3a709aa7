"""What is acknowledged is on the disk, and not only in the hands of the operating system."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabula.store import engines
from lasting import LASTING

FULL = 2


def test_a_write_to_a_file_waits_for_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "_PRAGMAS", LASTING)
    for writes in (True, False):
        engine = engines.sqlite_engine(tmp_path / "fabula.db", writes=writes)
        with engine.connect() as connection:
            assert connection.exec_driver_sql("PRAGMA synchronous").scalar_one() == FULL
            assert connection.exec_driver_sql("PRAGMA journal_mode").scalar_one() == "wal"
        engine.dispose()
