"""Writers that commit together wait for the disk together, and nobody is answered before it has confirmed."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from fabula.errors import EntityDuplicate, OutcomeUnknown
from fabula.memory import Memory
from fabula.store import engines, flushing
from lasting import LASTING

pytestmark = pytest.mark.sqlite_only(reason="PostgreSQL gathers the commits of its writers itself")

WRITERS = 8
LONGEST_S = 30.0


class Disk:
    """A disk that can be told to wait or to fail, and remembers how much of the log had reached it."""

    def __init__(self) -> None:
        self.flushes = 0
        self.kept = 0
        self.fails = False
        self.may_go_on = threading.Event()
        self.may_go_on.set()
        self.is_waiting = threading.Event()

    def synchronise(self, file: int) -> None:
        size = os.fstat(file).st_size
        self.is_waiting.set()
        assert self.may_go_on.wait(LONGEST_S)
        if self.fails:
            raise OSError(5, "Input/output error")
        os.fdatasync(file)
        self.flushes += 1
        self.kept = max(self.kept, size)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    disk = Disk()
    monkeypatch.setattr(engines, "_PRAGMAS", LASTING)
    monkeypatch.setattr(flushing, "_synchronise", disk.synchronise)
    return disk


@pytest.fixture
def lasting(disk: Disk, tmp_path: Path) -> Iterator[Memory]:
    with Memory(tmp_path / "fabula.db") as memory:
        yield memory


def log_size(memory: Memory) -> int:
    return os.stat(f"{memory.place}-wal").st_size


def test_whoever_is_answered_is_on_the_disk(disk: Disk, lasting: Memory) -> None:
    story = lasting.story("测试")
    for number in range(5):
        flushed = disk.flushes
        story.entity.create(type="character", name=f"人 {number}")
        assert disk.flushes == flushed + 1, "a lone writer waits for its own flush and for no company"
        assert disk.kept == log_size(lasting), "everything written is flushed"


def test_nobody_is_answered_before_the_disk_has_confirmed(disk: Disk, lasting: Memory) -> None:
    story = lasting.story("测试")
    disk.may_go_on.clear()
    disk.is_waiting.clear()
    writer = threading.Thread(target=lambda: story.entity.create(type="character", name="林远"))
    writer.start()
    assert disk.is_waiting.wait(LONGEST_S)
    assert writer.is_alive()
    disk.may_go_on.set()
    writer.join(LONGEST_S)
    assert not writer.is_alive()


def test_writers_share_a_flush_and_a_refusal_is_one_writers_own(disk: Disk, lasting: Memory) -> None:
    story = lasting.story("测试")
    story.entity.create(type="character", name="林远")
    disk.may_go_on.clear()
    disk.is_waiting.clear()
    flushed = disk.flushes
    refused: list[EntityDuplicate] = []

    def write(number: int) -> None:
        try:
            story.entity.create(type="character", name="林远" if number == 3 else f"人 {number}")
        except EntityDuplicate as error:
            refused.append(error)

    writers = [threading.Thread(target=write, args=(number,)) for number in range(WRITERS)]
    for writer in writers:
        writer.start()
    # The first waits for the disk; the others commit meanwhile, and wait for the flush after it.
    while len(story.entity.list().items) < WRITERS:
        assert disk.is_waiting.wait(LONGEST_S)
    disk.may_go_on.set()
    for writer in writers:
        writer.join(LONGEST_S)
    assert len(refused) == 1
    assert disk.flushes - flushed < WRITERS - 1, "fewer flushes than writes"
    assert disk.kept == log_size(lasting)


def test_a_flush_that_fails_leaves_its_writers_in_doubt(disk: Disk, lasting: Memory) -> None:
    story = lasting.story("测试")
    disk.fails = True
    with pytest.raises(OutcomeUnknown):
        story.entity.create(type="character", name="林远")
    disk.fails = False
    story.entity.create(type="character", name="苏晴")
    assert disk.kept == log_size(lasting)
