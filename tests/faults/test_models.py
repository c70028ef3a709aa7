"""A language model that is dead, slow or talks nonsense: writing goes on, and what waits for it is kept."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from doors import Server, rows, serving
from endpoints import closed_address, completion, connected, plain, refusal, silent
from faulty import Tell
from load import STORY, Writers, begin, held

TALK = {"chapter": 0, "scene": 0, "stream": False, "messages": [{"role": "user", "content": "谁？"}]}
TEXT = "林惊羽推开望归塔的门，苏瑶从楼上走下来。"


def with_model(url: str, **more: str) -> dict[str, str]:
    return {"FABULA_LLM_BASE_URL": url, "FABULA_LLM_MODEL": "m", "FABULA_LLM_TIMEOUT_S": "2", **more}


def extract(server: Server) -> str:
    asked = {"text": TEXT, "background": True, "extractor": "model"}
    return str(server.client.post(f"/api/v2/stories/{STORY}/extract-entities", json=asked).json()["taskId"])


def timed(server: Server) -> tuple[Any, float]:
    began = time.monotonic()
    answer = server.client.post(f"/api/v2/stories/{STORY}/chat", json=TALK)
    return answer, time.monotonic() - began


def test_dead(tmp_path: Path, tell: Tell) -> None:
    begin(tmp_path / "fabula.db")
    with serving(tmp_path, **with_model(closed_address())) as server:
        writers = Writers(lambda: [server.url])
        writers.start()
        answer, seconds = timed(server)
        assert (answer.status_code, answer.json()["code"]) == (502, "LLM_UNAVAILABLE")
        assert answer.json()["suggestion"]
        job = extract(server)
        writers.until(lambda: rows(server.db, "SELECT attempts FROM jobs WHERE id = ?", job) != [0])
        writers.until(lambda: writers.acknowledged >= 20)
        writers.stop()
        server.end()
        (status,) = rows(server.db, "SELECT status FROM jobs WHERE id = ?", job)
    assert status == "queued", "the job waits for a better time"
    tell(f"model dead: refused in {seconds:.1f} s, its job kept", held(tmp_path / "fabula.db", writers))


def test_silent_then_back(tmp_path: Path, tell: Tell) -> None:
    begin(tmp_path / "fabula.db")
    with connected() as model, serving(tmp_path, **with_model(model.played.url)) as server:
        model.played.plays(silent)
        writers = Writers(lambda: [server.url])
        writers.start()
        job = extract(server)
        writers.until(lambda: bool(model.played.asked))
        writers.grow(20)
        model.played.plays(completion("[]"))
        server.end()
        writers.stop()
        (status,) = rows(server.db, "SELECT status FROM jobs WHERE id = ?", job)
        assert status == "queued"
        with serving(tmp_path, **with_model(model.played.url)) as again:
            assert again.ended(job)["status"] == "done"
            again.end()
    tell("model silent while people write, back after a restart", held(tmp_path / "fabula.db", writers))


def test_nonsense(tmp_path: Path, tell: Tell) -> None:
    scenes = {
        "no JSON": plain(b"<html>proxy error</html>", kind="text/html"),
        "cut JSON": plain(b'{"choices": [{"message"'),
        "refuses": refusal(401, "bad key"),
    }
    begin(tmp_path / "fabula.db")
    with connected() as model, serving(tmp_path, **with_model(model.played.url)) as server:
        for scene in scenes.values():
            model.played.plays(scene)
            answer, _ = timed(server)
            assert (answer.status_code, answer.json()["code"]) == (502, "LLM_UNAVAILABLE")
        assert rows(server.db, "SELECT count(*) FROM story_steps WHERE project_id = ?", STORY) == [1]
        server.end()
    tell(f"model talks nonsense ({', '.join(scenes)})", "502 with a suggestion, nothing written")
