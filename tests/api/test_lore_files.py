"""Lorebooks and cards of other programs over REST: taken in, and given back as files."""

from __future__ import annotations

import json
from typing import Any

from doors import Server
from fabula.formats.lorebooks.png import card_texts, plain_picture

BOOK: dict[str, Any] = {
    "entries": {
        "0": {"key": ["fog"], "comment": "Fog", "content": "It waits.", "sticky": 2, "automationId": "x"}
    }
}


def test_a_book_is_looked_at_taken_in_and_given_back(server: Server) -> None:
    told = {"params": {"name": "fog.json", "title": "Fog"}, "content": json.dumps(BOOK)}
    trial = server.client.post("/api/v2/imports", **{**told, "params": {**told["params"], "dryRun": True}})
    done = server.client.post("/api/v2/imports", **told).json()
    same = ("kind", "format", "counts", "runs", "ignored", "kept", "collisions")
    assert {name: trial.json()[name] for name in same} == {name: done[name] for name in same}
    assert (done["format"], done["ignored"], done["collisions"]) == ("sillytavern", {"automationId": 1}, [])
    address = f"/api/v2/stories/{done['storyId']}/lorebook/export"
    given = server.client.get(address, params={"format": "sillytavern", "bookId": done["bookId"]})
    assert (given.json(), given.headers["content-type"]) == (BOOK, "application/json")
    assert given.headers["content-disposition"] == "attachment; filename*=UTF-8''fog.json"
    picture = server.client.get(address, params={"format": "card-v3-png", "bookId": done["bookId"]})
    assert picture.headers["content-type"] == "image/png"
    assert json.loads(card_texts(picture.content)["ccv3"])["data"]["name"] == "fog"
    report = server.client.get(
        address, params={"format": "risu", "bookId": done["bookId"], "report": 1}
    ).json()
    assert report["fields"] == {"sticky": 1, "automationId": 1}
    assert report["losses"][0] == {"entry": "Fog", "field": "sticky", "becomes": "left_out"}


def test_what_is_wrong_with_a_file_is_said_in_words_of_its_owner(server: Server) -> None:
    refused = server.client.post("/api/v2/imports", params={"name": "me.png"}, content=plain_picture())
    assert refused.status_code == 400
    error = refused.json()
    assert error["message"] == "This PNG has no character card in it."
    assert error["suggestion"]
    unknown = server.client.post("/api/v2/imports", params={"name": "x.json"}, content=b'{"a": {"b": 1}}')
    assert "no story, lorebook or character card" in unknown.json()["message"]


def test_a_format_or_a_book_that_is_not_there_is_refused(server: Server, told: str) -> None:
    address = f"/api/v2/stories/{told}/lorebook/export"
    assert server.client.get(address, params={"format": "word"}).status_code == 400
    assert server.client.get(address, params={"format": "csv", "bookId": "none"}).status_code == 404
