"""Servers are killed and jobs cancelled at any moment of long work: everything comes to an end, and once."""

from __future__ import annotations

import random
import signal
import sqlite3
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx

from doors import Server, rows, serving
from fabula.memory import Memory
from faulty import Tell, rounds
from novels import PEOPLE, novel
from waiting import PATIENCE, eventually

TEXT = "林惊羽推开望归塔的门。林惊羽说：“有人吗？”苏瑶从楼上走下来。苏瑶道：“你来了。”"
# More than are remembered of a story, so that old ones are forgotten while others are at work.
SMALL_JOBS = 130
CHAPTERS = 60


class Wishes:
    """What somebody asks of servers that come and go: novels to be read and texts to be looked through."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self.novels: dict[str, str] = {}
        self.stories: dict[str, str] = {}
        self.small, self.cancelled = Counter[str](), 0

    def one(self, client: httpx.Client) -> None:
        """Wish for something, or no longer."""
        deeds = (self._new_novel, self._old_novel, self._cancel, self._small_job, self._small_job)
        self._chance.choice(deeds)(client)

    def novel(self, client: httpx.Client, title: str) -> dict[str, Any]:
        """Ask for a novel, which may have been asked for before."""
        response = client.post("/api/v2/novels", json={"text": self.novels[title], "title": title})
        response.raise_for_status()
        told: dict[str, Any] = response.json()
        assert self.stories.setdefault(title, told["storyId"]) == told["storyId"]
        return told

    def _new_novel(self, client: httpx.Client) -> None:
        if len(self.novels) < 4:
            title = f"第{len(self.novels)}部"
            self.novels[title] = novel(CHAPTERS + len(self.novels))
            self.novel(client, title)

    def _old_novel(self, client: httpx.Client) -> None:
        if self.novels:
            self.novel(client, self._chance.choice(sorted(self.novels)))

    def _cancel(self, client: httpx.Client) -> None:
        """Cancel what is at work, or waits."""
        for story in self.stories.values():
            for job in client.get(f"/api/v2/stories/{story}/jobs?unfinished=true").json()["content"]:
                if self._chance.random() < 0.5:
                    client.delete(f"/api/v2/jobs/{job['id']}").raise_for_status()
                    self.cancelled += 1

    def _small_job(self, client: httpx.Client) -> None:
        for story in self.stories.values():
            self.small_job(client, story)

    def small_job(self, client: httpx.Client, story: str) -> None:
        """Let a text be looked through for a story."""
        asked = {"text": TEXT, "background": True, "extractor": "local"}
        client.post(f"/api/v2/stories/{story}/extract-entities", json=asked).raise_for_status()
        self.small[story] += 1


@contextmanager
def killed_at_the_end(folder: Path) -> Iterator[Server]:
    with serving(folder) as server:
        yield server
        server.end(signal.SIGKILL)


def assert_all_ended(server: Server) -> None:
    unfinished = "SELECT kind, status, attempts FROM jobs WHERE finished_at IS NULL"
    eventually(lambda: not rows(server.db, unfinished), 4 * PATIENCE, "some job never ends")


def assert_sound(db: Path, wishes: Wishes) -> None:
    with closing(sqlite3.connect(db)) as connection:
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    assert rows(db, "SELECT count(*) FROM job_parts") == [0]
    assert rows(db, "SELECT stage FROM novel_readings") == ["read"] * len(wishes.novels)
    assert max(rows(db, "SELECT count(*) FROM jobs GROUP BY project_id")) <= 100
    with Memory(db) as memory:
        assert not any(report.differing for report in memory.audit())
        for story_id in wishes.stories.values():
            names = [one.name for one in memory.story("", id=story_id).entity.list(limit=1000).items]
            assert set(PEOPLE) <= set(names)
            assert len(names) == len(set(names)), "nobody comes twice"


def test_jobs_are_killed_and_cancelled_again_and_again(tmp_path: Path, tell: Tell) -> None:
    chance, count = random.Random(11), rounds(3, 40)
    wishes = Wishes(chance)
    for _ in range(count):
        with killed_at_the_end(tmp_path) as server:
            over = time.monotonic() + chance.uniform(0.2, 3.0)
            while time.monotonic() < over:
                wishes.one(server.client)
    with serving(tmp_path) as server:
        for title in wishes.novels:
            wishes.novel(server.client, title)
        busiest = max(wishes.stories.values(), key=wishes.small.__getitem__)
        while wishes.small[busiest] < SMALL_JOBS:
            wishes.small_job(server.client, busiest)
        assert_all_ended(server)
        for title in wishes.novels:  # whatever was cancelled is asked for once more
            assert wishes.novel(server.client, title)["taskId"] is None
        server.end()
    assert_sound(tmp_path / "fabula.db", wishes)
    held = (
        f"{len(wishes.novels)} novels read, {wishes.small.total()} small jobs, {wishes.cancelled} cancelled"
    )
    tell(
        f"server killed (SIGKILL) at work on jobs that are cancelled and asked for again, {count} times", held
    )
