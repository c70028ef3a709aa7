"""Makes the databases in this folder with a Fabula that still had the faults they show; not run by tests.

    git worktree add ../old b853772
    PYTHONPATH=../old/src:tests .venv/bin/python -m old_databases.make

The work itself is that of the old code. Only the clock, the ids, the name of the machine and the length of a
block are settled here, so that the same comes out every time, and a novel of six chapters is read in parts.

- `stuck_queue.sql`: a reading was cancelled, a part of it was kept afterwards, and a hundred jobs have ended
  since: no job of the story can end any more.
- `unread_novels.sql`: novels whose reading was cancelled or given up at some stage, and some read to the end.
"""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from uuid import UUID

from sqlalchemy.exc import IntegrityError

from fabula.jobs import crew as job_crew
from fabula.jobs.crew import MAX_ATTEMPTS, STALE_S
from fabula.memory import Memory
from fabula.model.clock import later
from fabula.operations.manuscript import novel_reading
from fabula.operations.manuscript.novel_import import KIND, ImportNovelRequest, import_novel
from fabula.store import job_writer
from old_databases.novel import novel

HERE = Path(__file__).parent
SCENE = "scene-extraction"
# A part for every two chapters.
BLOCK = 100

Seen = Callable[[float, str], None]


class CountingClock:
    """A microsecond passes with each question, and ids are counted."""

    def __init__(self) -> None:
        self._now, self._ids = "2025-01-01T00:00:00.000000Z", 0

    def now(self) -> str:
        self._now = later(self._now, 1e-6)
        return self._now

    def new_id(self) -> str:
        self._ids += 1
        return str(UUID(int=self._ids))

    def monotonic(self) -> float:
        return 0.0

    def pass_seconds(self, seconds: float) -> None:
        self._now = later(self._now, seconds)


class House:
    """A database, and two processes that know it: one works, the other is told to stop the work."""

    def __init__(self, path: Path) -> None:
        self.clock = CountingClock()
        self.memory = Memory(path, clock=self.clock)
        self.other = Memory(path, clock=self.clock)
        self.call = self.memory.call()
        self.call.jobs.crew._name = "elsewhere/1/worker"

    def close(self) -> None:
        self.memory.close()
        self.other.close()

    def novel(self, title: str) -> str:
        """The id of the story of a novel that nobody has read."""
        return import_novel(self.call, ImportNovelRequest(text=novel(title), title=title)).story_id

    def job_of(self, story: str) -> str:
        return str(self.call.jobs.page(story, 0, 1).items[0].id)

    def read(self, story: str, seen: Seen | None = None) -> None:
        self.call.jobs.crew.run(self.call.jobs.claimed(self.call, KIND, story, "", ""), seen)

    def cancel(self, story: str) -> None:
        self.other.call().jobs.cancel(self.job_of(story))

    def scene_job(self, story: str, number: int) -> None:
        self.call.jobs.crew.run(self.call.jobs.claimed(self.call, SCENE, story, f"0/{number}", ""))

    def killed(self, story: str, after: float) -> None:
        """Read until so much is done, and let the process end without a word."""

        class Killed(BaseException):
            pass

        def seen(progress: float, _message: str) -> None:
            if progress >= after:
                raise Killed

        crew = self.call.jobs.crew
        crew._hand_back = lambda *_: None  # type: ignore[method-assign]
        with suppress(Killed):
            self.read(story, seen)
        del crew._hand_back

    def after_silence(self) -> None:
        self.clock.pass_seconds(STALE_S + 1)


def cancelling_at(house: House, story: str, share: float) -> Seen:
    """Cancel as soon as so much is done, from another process: the work does not hear of it at once."""
    done: list[float] = []

    def seen(progress: float, _message: str) -> None:
        if progress >= share and not done:
            done.append(progress)
            house.cancel(story)

    return seen


def stuck_queue(house: House) -> None:
    story = house.novel("卡住的队列")
    house.read(story, cancelling_at(house, story, 0.3))
    for number in range(99):
        house.scene_job(story, number + 100)
    for _ in range(MAX_ATTEMPTS + 2):
        for subject in range(3):
            with suppress(IntegrityError):
                house.scene_job(story, subject)
        house.after_silence()
    neighbour = house.memory.story("邻居").id
    house.call.jobs.claimed(house.call, SCENE, neighbour, "0/0", "")


def unread_novels(house: House) -> None:
    house.read(house.novel("读完的"))
    house.cancel(house.novel("未读就取消的"))

    story = house.novel("读到一半取消的")
    house.read(story, cancelling_at(house, story, 0.3))

    story = house.novel("提议之后取消的")
    house.read(story, cancelling_at(house, story, 0.8))

    story = house.novel("五次被杀的")
    for _ in range(MAX_ATTEMPTS):
        house.killed(story, 0.3)
        house.after_silence()
    house.read(story)

    house.killed(house.novel("读到一半被杀的"), 0.3)
    house.killed(house.novel("提议之后被杀的"), 0.8)

    job_writer.KEPT_JOBS = 1
    story = house.novel("取消后被忘记的")
    house.cancel(story)
    house.scene_job(story, 100)
    house.scene_job(story, 101)
    story = house.novel("读完后被忘记的")
    house.read(story)
    house.scene_job(story, 100)


def main() -> None:
    novel_reading.BLOCK = BLOCK
    job_crew.log.disabled = True
    for make in (stuck_queue, unread_novels):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "old.db"
            house = House(path)
            make(house)
            house.close()
            with closing(sqlite3.connect(path)) as connection:
                dump = "\n".join(connection.iterdump())
        (HERE / f"{make.__name__}.sql").write_text(dump + "\n", "utf-8")


if __name__ == "__main__":
    main()
