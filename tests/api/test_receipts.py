"""Whoever writes is told which step of the story that became."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from doors import Server
from web_sockets import web_socket

HEADER = "x-fabula-revision"


def newest(server: Server, story: str) -> dict[str, Any]:
    answer = server.client.get(f"/api/v2/stories/{story}/history", params={"size": 1})
    assert HEADER not in answer.headers
    step: dict[str, Any] = answer.json()["content"][0]
    return step


def test_every_write_over_rest_answers_with_its_revision(server: Server) -> None:
    begun = server.client.post("/api/v2/stories", json={"title": "海"})
    story = begun.json()["id"]
    assert begun.headers[HEADER] == "1" == str(newest(server, story)["revision"])
    book = f"/api/v2/stories/{story}/lorebook"
    made = server.client.post(book, json={"entryKey": "林远", "category": "character", "content": "人。"})
    assert made.headers[HEADER] == "2" == str(newest(server, story)["revision"])
    gone = server.client.delete(f"{book}/{made.json()['id']}")
    assert (gone.status_code, gone.headers[HEADER]) == (204, "3")
    undone = server.client.post(f"/api/v2/stories/{story}/history/undo", json={"revision": 3})
    assert undone.headers[HEADER] == "4" == str(undone.json()["step"]["revision"])


def test_what_writes_nothing_has_no_revision(server: Server) -> None:
    story = server.new_story()
    address = f"/api/v2/stories/{story}"
    title = server.client.get(address)
    assert HEADER not in title.headers
    same = server.client.patch(address, json={"title": title.json()["title"]})
    assert same.status_code == 200
    assert (HEADER in same.headers) == (newest(server, story)["revision"] == 2)
    refused = server.client.post(f"{address}/lorebook", json={"entryKey": "", "content": ""})
    assert refused.status_code == 400
    assert HEADER not in refused.headers


def test_two_who_write_at_once_are_each_told_their_own(server: Server) -> None:
    story = server.new_story()

    def write(number: int) -> tuple[int, str]:
        put = server.client.put(
            f"/api/v2/stories/{story}/chapters/0/scenes/{number}", json={"text": f"第{number}幕"}
        )
        return int(put.headers[HEADER]), put.json()["id"]

    with ThreadPoolExecutor(4) as many:
        told = list(many.map(write, range(12)))
    steps = server.client.get(f"/api/v2/stories/{story}/history", params={"size": 100}).json()["content"]
    done = {step["revision"]: {change["id"] for change in step["changes"]} for step in steps}
    assert len(dict(told)) == 12
    assert all(scene in done[revision] for revision, scene in told)


@pytest.mark.parametrize("door", ["http", "websocket"])
def test_every_write_over_a_channel_answers_with_its_revision(server: Server, door: str) -> None:
    story = server.new_story()
    payload = {"projectId": story, "type": "character", "name": "林远"}

    def ask(channel: str, payload: dict[str, Any]) -> dict[str, Any]:
        if door == "http":
            answer = server.client.post(f"/api/v2/ipc/{channel}", json=payload)
            assert answer.headers.get(HEADER) == (
                str(answer.json()["revision"]) if "revision" in answer.json() else None
            )
            return dict(answer.json())
        with web_socket(server.url.replace("http", "ws") + "/api/v2/ipc") as socket:
            socket.send(json.dumps({"id": 1, "channel": channel, "payload": payload}))
            return dict(json.loads(socket.recv()))

    made = ask("knowledge:entity:create", payload)
    assert made["revision"] == newest(server, story)["revision"] == 2
    assert "revision" not in ask("knowledge:entity:list", {"projectId": story})
    assert "revision" not in ask("knowledge:entity:create", payload)
