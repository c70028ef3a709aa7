"""A computer whose time is set forward and back while people write."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path

import pytest

from doors import Server, rows, serving
from faulty import Tell
from load import STORY, Writers, begin, held
from required import missing
from waiting import eventually

LIBRARY = "/usr/lib/*/faketime/libfaketime.so.1"


class Calendar:
    """The time that a server sees: the real one, moved as far as a file says."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self.move(0)

    def move(self, seconds: int) -> None:
        """Set the time forward or back."""
        self._moved = timedelta(seconds=seconds)
        fresh = self._file.with_suffix(".new")
        fresh.write_text(f"{seconds:+d}s\n")
        fresh.replace(self._file)

    def seen_by(self, server: Server) -> bool:
        """Whether a server goes by the time that was set last."""
        said = parsedate_to_datetime(server.client.get("/api/v2/health").headers["date"])
        return abs(said - datetime.now(UTC) - self._moved) < timedelta(minutes=1)

    def settings(self) -> dict[str, str]:
        library = next(iter(Path("/").glob(LIBRARY.removeprefix("/"))), None)
        if library is None:
            missing("There is no libfaketime here: make faketime")
        return {
            "LD_PRELOAD": str(library),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            # Read at every look at the clock, the file is what a server does all day.
            "FAKETIME_CACHE_DURATION": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }


@pytest.fixture
def calendar(tmp_path: Path) -> Calendar:
    return Calendar(tmp_path / "offset")


def test_forward_and_back_while_people_write(tmp_path: Path, calendar: Calendar, tell: Tell) -> None:
    begin(tmp_path / "fabula.db")
    with serving(tmp_path, FABULA_WORK_AFTER_SAVING="on", **calendar.settings()) as server:
        writers = Writers(lambda: [server.url])
        writers.start()
        for seconds in (0, 86_400, -86_400, 3_600, -3_600):
            calendar.move(seconds)
            eventually(lambda: calendar.seen_by(server))
            writers.grow(15)
        writers.stop()
        calendar.move(-86_400)
        eventually(lambda: calendar.seen_by(server))
        scene = f"/api/v2/stories/{STORY}/chapters/9/scenes/0"
        server.client.put(scene, json={"text": "林惊羽推开望归塔的门，苏瑶从楼上走下来。"})
        _jobs_end(server, "9/0")
        assert server.end() == 0
    seen = held(tmp_path / "fabula.db", writers)
    times = rows(
        tmp_path / "fabula.db", "SELECT at FROM story_steps WHERE project_id = ? ORDER BY revision", STORY
    )
    assert times == sorted(times), "a later step is older"
    apart = datetime.fromisoformat(times[-1]) - datetime.fromisoformat(times[0])
    assert apart > timedelta(hours=23), "the server did see the other day"
    tell("clock set a day and an hour forward and back", f"{seen}; times of the log only grow; jobs are done")


def test_started_again_a_day_earlier(tmp_path: Path, calendar: Calendar, tell: Tell) -> None:
    begin(tmp_path / "fabula.db")
    scene = f"/api/v2/stories/{STORY}/chapters/0/scenes/0"
    settings = {"FABULA_WORK_AFTER_SAVING": "on", **calendar.settings()}
    calendar.move(86_400)
    with serving(tmp_path, **settings) as server:
        server.client.put(scene, json={"text": "林惊羽推开望归塔的门，苏瑶从楼上走下来。"})
        server.process.kill()
    assert rows(tmp_path / "fabula.db", "SELECT count(*) FROM jobs WHERE status = 'queued'") != [0]
    calendar.move(0)
    with serving(tmp_path, **settings) as server:
        _jobs_end(server, "0/0")
        server.entity(STORY, "昨天的人")
        server.end()
    tell("killed, then started with the clock a day earlier", "jobs of the later day are done")


def _jobs_end(server: Server, subject: str) -> None:
    """Wait until what saving a scene brings with it is done."""

    def are_done() -> bool:
        jobs = server.client.get(f"/api/v2/stories/{STORY}/jobs?size=200").json()["content"]
        return {job["status"] for job in jobs if job["subject"] == subject} == {"done"}

    eventually(are_done, never="jobs wait for a time that does not come")
