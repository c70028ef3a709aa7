"""The lorebooks of a story over REST."""

from __future__ import annotations

from typing import Any

import pytest

from doors import Server

WORLD_INFO = {"key": ["/f[ou]g/i"], "content": "The fog is thick.", "comment": "Fog"}
KEPT = {"keywords": WORLD_INFO["key"], "extensions": {"sillytavern": WORLD_INFO}}


class Shelf:
    """The lorebooks of one story."""

    def __init__(self, server: Server, story: str) -> None:
        self.server = server
        self.url = f"/api/v2/stories/{story}"

    def call(self, method: str, path: str, status: int = 200, **more: Any) -> Any:
        response = self.server.client.request(method, self.url + path, **more)
        assert response.status_code == status, response.text
        return response.json() if response.content else None

    def book(self, **fields: Any) -> Any:
        return self.call("POST", "/lorebooks", 201, json={"name": "Borrowed", **fields})

    def entry(self, book_id: str, key: str, **fields: Any) -> Any:
        fields = {"entryKey": key, "content": "Text.", "bookId": book_id, **fields}
        return self.call("POST", "/lorebook", 201, json=fields)


@pytest.fixture
def shelf(server: Server) -> Shelf:
    return Shelf(server, server.new_story())


def test_books_are_made_listed_changed_and_deleted(shelf: Shelf) -> None:
    book = shelf.book(activation="sillytavern", settings={"scanDepth": 3}, source="character")
    assert (book["settings"]["scanDepth"], book["settings"]["recursive"], book["entryCount"]) == (3, True, 0)
    shelf.entry(book["id"], "a", content="")
    listed = shelf.call("GET", "/lorebooks")
    assert [(one["id"], one["entryCount"]) for one in listed["items"]] == [("own", 0), (book["id"], 1)]
    path = f"/lorebooks/{book['id']}"
    changed = shelf.call("PUT", path, json={"name": "Mine", "expectedVersion": 1})
    assert (changed["name"], changed["version"]) == ("Mine", 2)
    assert shelf.call("GET", path)["name"] == "Mine"
    assert shelf.call("PUT", path, 409, json={"name": "x", "expectedVersion": 1})["code"] == "CONFLICT"
    assert shelf.call("DELETE", path) == {"deleted": True, "entryCount": 1}
    assert shelf.call("GET", path, 404)["code"] == "NOT_FOUND"
    for method in ("PUT", "DELETE"):
        more = {"json": {"name": "x"}} if method == "PUT" else {}
        assert shelf.call(method, "/lorebooks/own", 400, **more)["code"] == "VALIDATION_ERROR"


def test_bad_books_are_refused_in_words(shelf: Shelf) -> None:
    for bad in (
        {"name": " "},
        {"name": "x", "source": "moon"},
        {"name": "x", "settings": {"scanDepth": "deep"}},
    ):
        assert shelf.call("POST", "/lorebooks", 400, json=bad)["code"] == "VALIDATION_ERROR"


def test_an_entry_is_found_by_its_key_in_a_book(shelf: Shelf) -> None:
    book = shelf.book()
    shelf.entry("own", "Fog", content="Own.")
    shelf.entry(book["id"], "Fog", content="Other.")
    of_book = {"params": {"bookId": book["id"]}}
    assert shelf.call("GET", "/lorebook/entries/Fog")["content"] == "Own."
    assert shelf.call("GET", "/lorebook/entries/Fog", **of_book)["content"] == "Other."
    shelf.call("PUT", "/lorebook/entries/Fog", json={"content": "New."}, **of_book)
    assert [one["content"] for one in shelf.call("GET", "/lorebook", **of_book)["content"]] == ["New."]
    assert shelf.call("GET", "/lorebook")["totalElements"] == 2
    shelf.call("DELETE", "/lorebook/entries/Fog", 204, **of_book)
    assert shelf.call("GET", "/lorebook/entries/Fog")["content"] == "Own."
    assert shelf.call("GET", "/lorebook/entries/Fog", 404, **of_book)["code"] == "NOT_FOUND"


def test_a_context_tells_what_a_scan_found_and_how(shelf: Shelf) -> None:
    book = shelf.book(activation="sillytavern")
    shelf.entry(book["id"], "Fog", content="The fog is thick.", **KEPT)
    asked = {"chapter": 0, "scene": 0, "text": "FUG everywhere.", "seed": "dice"}
    context = shelf.call("POST", "/context/assemble", json=asked)
    (item,) = context["trace"]
    assert (item["reason"], context["seed"]) == ("book_key", "dice")
    assert item["scan"] == {"bookId": book["id"], "passNumber": 1, "key": "/f[ou]g/i", "where": "chat"}
