"""Search and vectors over REST."""

from __future__ import annotations

import asyncio
import time
from typing import Any
from uuid import uuid4

import httpx
import pytest

from doors import Server
from fabula.api.app import create_app
from fabula.memory import Memory
from waiting import PATIENCE


@pytest.fixture
def harbour(server: Server, told: str) -> str:
    """A story with somebody, an event, an entry and two scenes."""
    server.entity(told, "江离", aliases=["阿离"], description="守灯人。")
    server.entity(told, "盐先生", aiContextLevel="never")
    post(
        server,
        told,
        "events",
        {"name": "空船", "summary": "船来了。", "roles": ["阿离"], "moment": {"chapter": 2}},
    )
    post(server, told, "lorebook", {"entryKey": "雾规", "content": "起雾时不许敲钟。"})
    for scene, text in enumerate(("阿离添满了灯油。", "礁石缝里有一只铜铃。盐先生看着。")):
        put = server.client.put(f"/api/v2/stories/{told}/chapters/1/scenes/{scene}", json={"text": text})
        assert put.status_code == 201, put.text
    return told


def post(server: Server, story: str, path: str, body: dict[str, Any]) -> None:
    answer = server.client.post(f"/api/v2/stories/{story}/{path}", json=body)
    assert answer.status_code == 201, answer.text


def search(server: Server, story: str, **wishes: Any) -> httpx.Response:
    return server.client.get(f"/api/v2/stories/{story}/search", params=wishes)


def titles(server: Server, story: str, **wishes: Any) -> list[tuple[str, str]]:
    answer = search(server, story, **wishes)
    assert answer.status_code == 200, answer.text
    return [(item["kind"], item["title"]) for item in answer.json()["items"]]


def test_one_field_finds_every_kind(server: Server, harbour: str) -> None:
    assert titles(server, harbour, q="阿离")[0] == ("entity", "江离")
    assert titles(server, harbour, q="空船")[0] == ("event", "空船")
    assert titles(server, harbour, q="雾规")[0] == ("entry", "雾规")
    assert titles(server, harbour, q="铜铃")[0] == ("passage", "1.1")
    only = titles(server, harbour, q="阿离", kinds=["event", "passage"])
    assert {kind for kind, _ in only} == {"event", "passage"}
    assert len(titles(server, harbour, q="阿离", limit=1)) == 1
    assert titles(server, harbour, q="") == []


def test_a_moment_and_an_audience_bound_what_is_found(server: Server, harbour: str) -> None:
    assert ("passage", "1.1") not in titles(server, harbour, q="铜铃", chapter=1, scene=0)
    assert titles(server, harbour, q="铜铃", chapter=1, scene=1)[0] == ("passage", "1.1")
    assert ("event", "空船") not in titles(server, harbour, q="空船", chapter=1)
    assert titles(server, harbour, q="盐先生")[0] == ("entity", "盐先生")
    heard = search(server, harbour, q="盐先生的铜铃", audience="model").json()
    assert [item["snippet"] for item in heard["items"] if item["kind"] == "passage"] == [
        "礁石缝里有一只铜铃。"
    ]
    assert "盐先生" not in str(heard)


def test_bad_questions_are_refused(server: Server, harbour: str) -> None:
    bad: list[dict[str, Any]] = [
        {},
        {"q": "长" * 2001},
        {"q": "x", "limit": 0},
        {"q": "x", "limit": 101},
        {"q": "x", "kinds": "people"},
        {"q": "x", "audience": "everybody"},
        {"q": "x", "chapter": -1},
        {"q": "x", "chapter": 1 << 40},
    ]
    for wishes in bad:
        answer = search(server, harbour, **wishes)
        assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR"), wishes
    missing = search(server, str(uuid4()), q="x")
    assert (missing.status_code, missing.json()["code"]) == (404, "NOT_FOUND")


def test_vectors_are_made_in_the_background(server: Server, harbour: str) -> None:
    url = f"/api/v2/stories/{harbour}/embeddings"
    before = server.client.get(url).json()
    assert before == {"model": "fabula-static-1", "vectorCount": 0, "upToDate": False}
    started = server.client.post(url)
    assert (started.status_code, started.json()["kind"]) == (202, "embedding")
    assert started.json()["storyId"] == harbour
    job, deadline = started.json(), time.monotonic() + PATIENCE
    while job["status"] == "processing" and time.monotonic() < deadline:
        job = server.client.get(f"/api/v2/jobs/{job['id']}").json()
    assert (job["status"], job["progress"]) == ("done", 1.0)
    after = server.client.get(url).json()
    assert after == {"model": "fabula-static-1", "vectorCount": 5, "upToDate": True}
    nowhere = f"/api/v2/stories/{uuid4()}/embeddings"
    for missing in (server.client.get(nowhere), server.client.post(nowhere)):
        assert (missing.status_code, missing.json()["code"]) == (404, "NOT_FOUND")


def test_where_vectors_are_switched_off_none_are_made(memory: Memory) -> None:
    story = memory.story("题")

    async def both() -> tuple[httpx.Response, httpx.Response]:
        door = httpx.ASGITransport(create_app(memory, version="0"))
        async with httpx.AsyncClient(transport=door, base_url="http://localhost/api/v2") as client:
            url = f"/stories/{story.id}/embeddings"
            return await client.get(url), await client.post(url)

    status, started = asyncio.run(both())
    assert status.json() == {"model": None, "vectorCount": 0, "upToDate": False}
    assert (started.status_code, started.json()["code"]) == (400, "VALIDATION_ERROR")
    assert "FABULA_EMBEDDING_MODEL" in started.json()["suggestion"]
