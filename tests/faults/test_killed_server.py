"""Servers that are killed while people write: what was acknowledged is there, the rest whole or absent."""

from __future__ import annotations

import random
import signal
from pathlib import Path

from doors import serving
from endpoints import completion, connected, silent
from faulty import Tell, rounds
from load import STORY, Writers, begin, held

TEXT = "林惊羽推开望归塔的门。"


def with_model(url: str) -> dict[str, str]:
    return {"FABULA_LLM_BASE_URL": url, "FABULA_LLM_MODEL": "played"}


def test_killed_again_and_again(tmp_path: Path, tell: Tell) -> None:
    chance, count = random.Random(3), rounds(3, 25)
    running: list[str] = []
    begin(tmp_path / "fabula.db")
    writers = Writers(lambda: list(running))
    for _ in range(count):
        with serving(tmp_path) as server:
            running[:] = [server.url]
            writers.start()
            writers.grow(1)
            writers.rest(chance.uniform(0.3, 2.0))
            running.clear()
            server.end(signal.SIGKILL)
            writers.stop()
        seen = held(tmp_path / "fabula.db", writers)
    tell(f"server killed (SIGKILL) while 3 people write, {count} times", seen)


def test_one_of_two_is_killed_and_the_other_goes_on(tmp_path: Path, tell: Tell) -> None:
    begin(tmp_path / "fabula.db")
    with (
        connected() as model,
        serving(tmp_path, **with_model(model.played.url)) as other,
        serving(tmp_path, **with_model(model.played.url)) as doomed,
    ):
        model.played.plays(silent, completion("[]"))
        running = [doomed.url, other.url]
        writers = Writers(lambda: list(running), count=4)
        writers.start()
        writers.grow(20)
        job = doomed.client.post(
            f"/api/v2/stories/{STORY}/extract-entities",
            json={"text": TEXT, "background": True, "extractor": "model"},
        ).json()["taskId"]
        writers.until(lambda: bool(model.played.asked))
        doomed.end(signal.SIGKILL)
        running[:] = [other.url]
        writers.grow(20)
        writers.stop()
        status = other.ended(job)["status"]
        assert status == "done", "whoever is left does the jobs of who was killed"
        other.end()
    tell("one of two servers killed, its job taken up", held(tmp_path / "fabula.db", writers))


def test_told_to_stop_while_people_write(tmp_path: Path, tell: Tell) -> None:
    begin(tmp_path / "fabula.db")
    running: list[str] = []
    writers = Writers(lambda: list(running))
    with serving(tmp_path) as server:
        running[:] = [server.url]
        writers.start()
        writers.grow(10)
        running.clear()
        assert server.end(signal.SIGTERM) == 0
        writers.stop()
    tell("server told to stop (SIGTERM) while people write", held(tmp_path / "fabula.db", writers))
