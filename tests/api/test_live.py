"""What a page hears of a story, what it can begin with, and what it counts while one types."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from doors import Server, serving
from tenants import requiring_tokens


def _events(lines: Iterator[str]) -> Iterator[tuple[str, str]]:
    name = ""
    for line in lines:
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield name, line.removeprefix("data: ")


def test_a_change_is_heard_by_those_who_listen_until_the_story_is_gone(server: Server) -> None:
    story = server.new_story()
    with server.client.stream("GET", f"/api/v2/stories/{story}/live") as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        assert stream.headers["cache-control"] == "no-store"
        events = _events(stream.iter_lines())
        assert next(events) == ("revision", "1")
        made = server.entity(story, "甲")
        assert next(events) == ("revision", "2")
        name, told = next(events)
        assert (name, json.loads(told)) == (
            "change",
            {"revision": 2, "kinds": ["entity"], "ids": [made]},
        )
        server.client.delete(f"/api/v2/stories/{story}")
        assert next(events) == ("gone", '"NOT_FOUND"')
        assert list(events) == []


def test_there_is_nothing_to_hear_of_a_story_that_is_not_there(server: Server) -> None:
    answer = server.client.get("/api/v2/stories/nowhere/live")
    assert (answer.status_code, answer.json()["code"]) == (404, "NOT_FOUND")


@pytest.mark.slow
def test_who_has_no_token_hears_nothing(tmp_path: Path) -> None:
    with requiring_tokens(tmp_path) as house:
        assert house.send("GET", "/api/v2/stories/any/live", None).status_code == 401


@pytest.mark.slow
def test_the_server_ends_while_somebody_listens(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        story = server.new_story()
        with server.client.stream("GET", f"/api/v2/stories/{story}/live") as stream:
            next(_events(stream.iter_lines()))
            assert server.end() == 0


def test_a_sample_is_a_story_of_its_own(server: Server) -> None:
    one, other = (server.client.post("/api/v2/samples/harbor.en").json() for _ in range(2))
    assert one["id"] != other["id"]
    assert (one["title"], one["entityCount"]) == ("The Lamps of Fogharbour", 58)
    book = server.client.get(f"/api/v2/stories/{one['id']}/lorebook").json()
    assert book["totalElements"] == 45
    assert server.client.post("/api/v2/samples/other").status_code == 400


def test_an_estimate_is_what_the_saved_entry_takes(server: Server) -> None:
    story = server.new_story()
    said = {
        "content": "望归塔的守灯人。",
        "category": "character",
        "attributes": {"age": 27, "temper": ["quiet"]},
    }
    book = f"/api/v2/stories/{story}/lorebook"
    estimated = server.client.post(f"{book}/estimate", json=said).json()["estimatedTokens"]
    saved = server.client.post(book, json={"entryKey": "江离", **said}).json()
    assert estimated == saved["estimatedTokens"] > 0
    empty = server.client.post(f"{book}/estimate", json={})
    assert empty.json() == {"estimatedTokens": 0}
