"""A server that is told to stop finishes what it was asked, and leaves its jobs to others."""

from __future__ import annotations

import signal
import threading
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import httpx
import pytest

from doors import Server, rows, serving
from endpoints import completion, connected, silent
from fabula.store.place import DatabasePlace
from waiting import PATIENCE

pytestmark = pytest.mark.slow

TALK = {"chapter": 0, "scene": 0, "stream": False, "messages": [{"role": "user", "content": "谁在门外？"}]}


def with_model(url: str) -> dict[str, str]:
    return {"FABULA_LLM_BASE_URL": url, "FABULA_LLM_MODEL": "played"}


def jobs_in(db: DatabasePlace) -> list[Any]:
    return rows(db, "SELECT status, attempts FROM jobs")


def test_an_answer_under_way_is_given_and_then_the_server_ends(tmp_path: Path) -> None:
    asked, may_answer = threading.Event(), threading.Event()

    def thoughtful(handler: BaseHTTPRequestHandler) -> None:
        asked.set()
        assert may_answer.wait(PATIENCE)
        completion("是我。")(handler)

    answers: list[httpx.Response] = []
    with connected() as model, serving(tmp_path, **with_model(model.played.url)) as server:
        model.played.plays(thoughtful)
        story = server.new_story()
        url = f"{server.url}/api/v2/stories/{story}/chat"

        def talk() -> None:
            answers.append(httpx.post(url, json=TALK, timeout=PATIENCE, trust_env=False))

        talking = threading.Thread(target=talk)
        talking.start()
        assert asked.wait(PATIENCE)
        server.process.send_signal(signal.SIGTERM)
        server.wait_for_line(lambda line: "Shutting down" in line)
        may_answer.set()
        talking.join(PATIENCE)
        assert server.process.wait(PATIENCE) == 0
    assert answers[0].status_code == 200
    assert "是我。" in answers[0].text


def test_a_job_that_waits_for_a_model_is_left_to_the_next_server(tmp_path: Path) -> None:
    with connected() as model:
        model.played.plays(silent)
        with serving(tmp_path, **with_model(model.played.url)) as first:
            _extract(first)
            while not model.played.asked:
                first.client.get("/api/v2/health")
            assert first.end() == 0
            assert jobs_in(first.db) == [("queued", 0)]
        model.played.plays(completion("[]"))
        with serving(tmp_path, **with_model(model.played.url)) as second:
            while jobs_in(second.db)[0][0] in ("queued", "processing"):
                second.client.get("/api/v2/health")
            assert jobs_in(second.db) == [("done", 1)]


def _extract(server: Server) -> None:
    asked = {"text": "林惊羽推开门。", "background": True, "extractor": "model"}
    started = server.client.post(f"/api/v2/stories/{server.new_story()}/extract-entities", json=asked)
    assert started.status_code == 202, started.text
