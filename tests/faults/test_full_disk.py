"""A disk that is full: refused clearly, nothing half written, and all goes on when there is room."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory

import pytest

from clusters import running_cluster
from doors import serving
from fabula.errors import InvalidInput
from fabula.memory import Memory, restore_memory
from fabula.store.place import PostgresPlace
from faulty import Tell
from load import STORY, Writers, begin, held

# The write-ahead log alone may take 4 MB before it is folded back.
SIZE = "24m"
# It begins with 40 MB and a log of 16 MB or more.
SIZE_OF_POSTGRESQL = "200m"


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path]:
    """A disk of its own, small enough to be filled."""
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip(f"no disk can be mounted here: {mounted.stderr.decode().strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    with small_disk(folder, SIZE) as mounted:
        yield mounted


def fill(disk: Path) -> Path:
    """A file that takes all the room that is left."""
    ballast = disk / "ballast"
    with ballast.open("ab") as file:
        for size in (1 << 16, 1 << 12, 1):
            try:
                while True:
                    os.write(file.fileno(), b"\0" * size)
            except OSError:
                continue
    return ballast


def test_full_while_people_write(disk: Path, tell: Tell) -> None:
    begin(disk / "fabula.db")
    with serving(disk) as server:
        writers = Writers(lambda: [server.url])
        writers.start()
        writers.grow(20)
        ballast = fill(disk)
        writers.until(lambda: writers.refusals.total() >= 10)
        read = server.client.get(f"/api/v2/stories/{STORY}")
        assert read.status_code == 200, "what was written can be read"
        refused = server.client.post("/api/v2/stories", json={"title": "题" * 200})
        assert (refused.status_code, refused.json()["code"]) == (507, "INTERNAL_ERROR")
        assert "Free some space" in refused.json()["suggestion"]
        ballast.unlink()
        writers.grow(20)
        writers.stop()
        refusals = writers.refusals
        assert set(refusals) == {"INTERNAL_ERROR"}
        assert server.end() == 0
        assert not any("Traceback" in line for line in server.lines)
    told = f"{held(disk / 'fabula.db', writers)}; {refusals.total()} refused"
    tell("disk full (tmpfs) while people write, then room again", told)


def test_full_while_a_backup_is_made_or_restored(disk: Path, tmp_path: Path, tell: Tell) -> None:
    with Memory(tmp_path / "fabula.db") as memory:
        story = memory.story("雾港")
        noise = [{"type": "item", "name": f"物{n}", "description": token_hex(4000)} for n in range(100)]
        story.batch.upsert(entities=noise, relations=[])
        whole, _ = memory.backup(tmp_path / "whole.backup")
        size = (tmp_path / "fabula.db").stat().st_size
        ballast = fill(disk)
        for left in (size // 4, size + size // 4, 0):
            os.truncate(ballast, ballast.stat().st_size - left)
            with pytest.raises(InvalidInput, match=r"No space left|full"):
                memory.backup(disk / "one.backup")
            assert list(disk.iterdir()) == [ballast]
            fill(disk)
        os.truncate(ballast, ballast.stat().st_size - size // 2)
        with pytest.raises(InvalidInput, match="No space left"):
            restore_memory(whole, disk / "restored.db")
        assert list(disk.iterdir()) == [ballast]
    tell("disk full while a backup is made, and restored", "refused, nothing left behind")


def test_full_when_the_server_is_killed_and_started_again(disk: Path, tell: Tell) -> None:
    begin(disk / "fabula.db")
    with serving(disk) as server:
        writers = Writers(lambda: [server.url])
        writers.start()
        writers.grow(20)
        ballast = fill(disk)
        writers.until(lambda: writers.refusals.total() >= 5)
        server.process.kill()
        writers.stop()
    ballast.unlink()
    with serving(disk) as server:
        server.entity(STORY, "幸存者")
        server.end()
    tell("disk full, server killed, room, started again", held(disk / "fabula.db", writers))


def test_full_under_postgresql(tmp_path: Path, tell: Tell) -> None:
    with TemporaryDirectory(prefix="fabula-disk-") as name:
        Path(name).chmod(0o755)  # PostgreSQL has a user of its own
        with small_disk(Path(name), SIZE_OF_POSTGRESQL) as disk, running_cluster(disk) as cluster:
            place = PostgresPlace(f"{cluster.server}/fabula")
            begin(place)
            with serving(tmp_path, db=place) as server:
                writers = Writers(lambda: [server.url])
                writers.start()
                writers.grow(20)
                ballast = fill(disk)
                writers.until(lambda: writers.refusals.total() >= 10)
                scene = f"/api/v2/stories/{STORY}/chapters/9/scenes/0"
                refused = server.client.put(scene, json={"text": token_hex(100_000)})
                assert refused.status_code in (503, 507), refused.text
                assert "Nothing was written" in refused.json()["suggestion"]
                ballast.unlink()
                if not cluster.is_running:
                    cluster.start()
                writers.grow(20)
                writers.stop()
                assert server.end() == 0
            assert set(writers.refusals) == {"INTERNAL_ERROR"}
            told = f"{held(place, writers)}; {writers.refusals.total()} refused with {refused.status_code}"
    tell("disk of PostgreSQL full while people write, then room again", told)
