"""A reading is cancelled or killed before any of its transactions: nothing is left, nothing comes twice."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import event

from doors import rows
from fabula.jobs import task as job_task
from fabula.memory import Memory
from fabula.operations.manuscript import novel_reading
from fabula.operations.manuscript.novel_import import KIND, ImportNovelRequest, NovelStory, import_novel
from fabula.store.place import DatabasePlace
from fabula.store.store import Store
from forked import forked_python
from novels import imported, novel, outcome
from postgres import place_at
from waiting import PATIENCE

CHAPTERS = 6
# So that a novel of six chapters is read in three parts, and each report is written down.
SMALL = {"BLOCK": 900, "LEAST_REPORT_S": 0.0}
# What a reading writes: at least a part and a report of each block, the finds, the snapshots, and the end.
LEAST_TRANSACTIONS, MOST_TRANSACTIONS = 12, 40


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(novel_reading, "BLOCK", SMALL["BLOCK"])
    monkeypatch.setattr(job_task, "LEAST_REPORT_S", SMALL["LEAST_REPORT_S"])


@contextmanager
def before_transaction(store: Store, number: int, do: Callable[[], object]) -> Iterator[list[int]]:
    """Let something happen before the writing transaction of this number begins; how many there were."""
    begun = [0]

    def begins(*_: object) -> None:
        begun[0] += 1
        if begun[0] == number:
            do()

    event.listen(store._for_writing, "checkout", begins)
    yield begun
    event.remove(store._for_writing, "checkout", begins)


def asked_for(memory: Memory) -> NovelStory:
    return import_novel(memory.call(), ImportNovelRequest(text=novel(CHAPTERS), title="雾"))


def whole_outcome(folder: Path) -> object:
    with Memory(place_at(folder / "whole.db")) as memory:
        return outcome(memory, imported(memory, novel(CHAPTERS)).story_id)


def assert_sound(memory: Memory, place: DatabasePlace) -> None:
    ended = "SELECT id FROM jobs WHERE finished_at IS NOT NULL"
    assert rows(place, f"SELECT count(*) FROM job_parts WHERE job_id IN ({ended})") == [0]
    assert not any(report.differing for report in memory.audit())


@pytest.mark.slow
@pytest.mark.every_engine
def test_a_reading_is_cancelled_before_each_of_its_transactions(tmp_path: Path) -> None:
    whole, finished = whole_outcome(tmp_path), set()
    for number in count(1):
        place = place_at(tmp_path / f"{number}.db")
        with Memory(place) as memory, Memory(place) as other:
            call, story = memory.call(), asked_for(memory)
            job = str(story.task_id)

            def cancel(other: Memory = other, job: str = job) -> None:
                other.call().jobs.cancel(job)

            with before_transaction(call.store, number, cancel) as begun:
                call.jobs.crew.run_due()
            status = call.jobs.job(job).status
            assert_sound(memory, place)
            is_read = rows(place, "SELECT stage FROM novel_readings") == ["read"]
            again = asked_for(memory)
            assert (again.task_id is None) == is_read
            call.jobs.crew.run_due()
            assert_sound(memory, place)
            assert outcome(memory, story.story_id) == whole, f"cancelled before transaction {number}"
            assert asked_for(memory).task_id is None
        finished.add(status)
        if begun[0] < number:
            break
    assert number > LEAST_TRANSACTIONS
    assert finished == {"cancelled", "done"}


# Reads a novel once for each of its transactions, and is killed before it.
DOOMED = """
import os, signal, sys
from pathlib import Path
from sqlalchemy import event
from fabula.memory import Memory
from fabula.operations.manuscript import novel_reading
from fabula.operations.manuscript.novel_import import ImportNovelRequest, import_novel
from fabula.jobs import task as job_task

novel_reading.BLOCK, job_task.LEAST_REPORT_S = {BLOCK}, {LEAST_REPORT_S}
folder, text = Path(sys.argv[1]), sys.stdin.read()

def read(name, begins=lambda *_: None):
    with Memory(folder / f"{{name}}.db") as memory:
        event.listen(memory.call().store._for_writing, "checkout", begins)
        import_novel(memory.call(), ImportNovelRequest(text=text, title="雾"))
        memory.call().jobs.crew.run_due()

read("whole")  # what reading needs is loaded once, and not by every child
number = 0
while True:
    number += 1
    child = os.fork()
    if not child:
        begun = 0

        def begins(*_):
            global begun
            begun += 1
            if begun == number:
                os.kill(os.getpid(), signal.SIGKILL)

        read(number, begins)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if os.WIFEXITED(status):
        assert os.WEXITSTATUS(status) == 0
        break
    assert os.WTERMSIG(status) == signal.SIGKILL
print(number)
"""


@pytest.mark.slow
@pytest.mark.sqlite_only(
    reason="what a killed client leaves is the server's to roll back, and tried with fewer"
)
def test_a_reading_is_killed_before_each_of_its_transactions(tmp_path: Path) -> None:
    whole = whole_outcome(tmp_path)
    for number in range(1, MOST_TRANSACTIONS + 1):
        place_at(tmp_path / f"{number}.db")
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with forked_python(DOOMED.format(**SMALL), str(tmp_path), text=True, **pipes) as doomed:
        said, errors = doomed.communicate(novel(CHAPTERS), timeout=4 * PATIENCE)
    assert doomed.returncode == 0, errors
    count = int(said)
    assert LEAST_TRANSACTIONS < count <= MOST_TRANSACTIONS
    for number in range(1, count + 1):
        with Memory(tmp_path / f"{number}.db") as memory:
            story = asked_for(memory)
            if story.task_id is not None:
                call = memory.call()
                call.jobs.do(call, KIND, story.story_id, "", "", lambda *_: None)
            assert_sound(memory, tmp_path / f"{number}.db")
            assert outcome(memory, story.story_id) == whole, f"killed before transaction {number}"
            assert asked_for(memory).task_id is None
            assert len(memory.stories()) == 1
