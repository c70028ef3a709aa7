"""`/stories`: begin, list, read, change, delete."""

from __future__ import annotations

import json
from typing import Any

import pytest

from doors import Server, contents, rows, serving

STORIES = "/api/v2/stories"
TABLES = ("stories", "kg_entities", "kg_relations", "kg_relation_types", "story_steps", "story_changes")


def _refused(response: Any, status: int, code: str) -> dict[str, Any]:
    assert response.status_code == status, response.text
    body: dict[str, Any] = response.json()
    assert set(body) <= {"code", "message", "details", "suggestion"}
    assert body["code"] == code
    assert body["message"]
    assert body["suggestion"]
    return body


def test_a_story_is_begun_read_changed_and_deleted(server: Server) -> None:
    begun = server.client.post(
        STORIES, json={"title": " 海港 ", "language": "en", "settings": {"autoApprove": 0.9}}
    )
    assert begun.status_code == 201
    story = begun.json()
    assert (story["title"], story["language"], story["settings"]) == ("海港", "en", {"autoApprove": 0.9})
    assert (story["entityCount"], story["relationCount"]) == (0, 0)
    here = f"{STORIES}/{story['id']}"
    assert server.client.get(here).json() == story
    changed = server.client.patch(here, json={"title": "夜航", "settings": {}}).json()
    assert (changed["title"], changed["language"], changed["settings"]) == ("夜航", "en", {})
    assert changed["revision"] == story["revision"] + 1
    a, b = server.entity(story["id"], "甲"), server.entity(story["id"], "乙")
    server.relation(story["id"], a, b)
    gone = server.client.delete(here)
    assert gone.status_code == 200
    assert gone.json() == {"deleted": True, "deletedEntityCount": 2, "deletedRelationCount": 1}
    for table in TABLES:
        assert rows(server.db, f"SELECT count(*) FROM {table} WHERE project_id=?", story["id"]) == [0]
    _refused(server.client.get(here), 404, "NOT_FOUND")
    _refused(server.client.patch(here, json={"title": "无"}), 404, "NOT_FOUND")
    _refused(server.client.delete(here), 404, "NOT_FOUND")


def test_a_story_may_bring_its_id_once(server: Server) -> None:
    mine = {"title": "海港", "id": "my-own-harbour"}
    assert server.client.post(STORIES, json=mine).json()["id"] == "my-own-harbour"
    before = contents(server.db)
    _refused(server.client.post(STORIES, json=mine), 409, "CONFLICT")
    assert contents(server.db) == before


def test_deleting_one_story_leaves_the_others(server: Server, told: str) -> None:
    kept = server.entity(told, "甲")
    gone = server.new_story()
    server.entity(gone, "甲")
    server.client.delete(f"{STORIES}/{gone}")
    around = server.data("knowledge:query:subgraph", {"projectId": told, "centerEntityId": kept})
    assert around["nodeCount"] == 1
    again = {"projectId": gone, "centerEntityId": kept}
    assert server.error("knowledge:query:subgraph", again)["code"] == "NOT_FOUND"


def test_a_story_made_again_under_its_id_begins_anew(server: Server) -> None:
    old = server.entity("reborn", "甲")
    assert server.data("knowledge:query:relevant", {"projectId": "reborn", "excerpt": "甲"})["items"]
    server.client.delete(f"{STORIES}/reborn")
    new = server.entity("reborn", "乙")
    found = server.data("knowledge:query:relevant", {"projectId": "reborn", "excerpt": "甲和乙"})
    assert [item["id"] for item in found["items"]] == [new]
    center = {"projectId": "reborn", "centerEntityId": old}
    assert server.error("knowledge:query:subgraph", center)["code"] == "NOT_FOUND"


@pytest.mark.slow
@pytest.mark.every_engine
def test_stories_come_in_pages(tmp_path_factory: pytest.TempPathFactory) -> None:
    with serving(tmp_path_factory.mktemp("shelf")) as shelf:
        for number in range(5):
            shelf.new_story(f"卷{number}")
        pages = {(0, 2): "43", (1, 2): "21", (2, 2): "0", (3, 2): "", (0, 5): "43210", (0, 1000): "43210"}
        for (page, size), numbers in pages.items():
            body = shelf.client.get(STORIES, params={"page": page, "size": size}).json()
            assert [story["title"] for story in body["content"]] == [f"卷{number}" for number in numbers]
            assert (body["totalElements"], body["number"], body["size"]) == (5, page, size)
            assert body["totalPages"] == -(-5 // size)
        usual = shelf.client.get(STORIES).json()
        assert (usual["number"], usual["size"], len(usual["content"])) == (0, 20, 5)


@pytest.mark.parametrize("query", ["page=-1", "size=0", "size=1001", "page=x", "size=1.5", "page=9999999"])
def test_pages_that_do_not_exist_are_refused(server: Server, query: str) -> None:
    body = _refused(server.client.get(f"{STORIES}?{query}"), 400, "VALIDATION_ERROR")
    assert body["details"]["errors"][0]["path"] == query.partition("=")[0]


BAD_STORIES: dict[str, Any] = {
    "nothing": {},
    "no title": {"language": "zh"},
    "empty title": {"title": ""},
    "blank title": {"title": " \u3000"},
    "invisible title": {"title": "\u200b\u200d"},
    "control title": {"title": "a\x00b"},
    "surrogate title": {"title": "a\ud800"},
    "long title": {"title": "长" * 257},
    "number title": {"title": 5},
    "null title": {"title": None},
    "language": {"title": "t", "language": "fr"},
    "settings": {"title": "t", "settings": []},
    "nan": {"title": "t", "settings": {"a": float("nan")}},
    "deep": {
        "title": "t",
        "settings": json.loads('{"a":' * 40 + "1" + "}" * 40),
    },
    "unknown field": {"title": "t", "colour": "red"},
    "surrogate field": {"title": "t", "\ud800": 1},
    "empty id": {"title": "t", "id": ""},
    "long id": {"title": "t", "id": "i" * 129},
    "array": [],
    "text": "t",
    "null": None,
}


@pytest.mark.parametrize("body", BAD_STORIES.values(), ids=BAD_STORIES)
def test_what_is_no_story_is_refused(server: Server, body: Any) -> None:
    before = contents(server.db)
    headers = {"content-type": "application/json"}
    response = server.client.post(STORIES, content=json.dumps(body), headers=headers)
    _refused(response, 400, "VALIDATION_ERROR")
    assert contents(server.db) == before


@pytest.mark.parametrize("raw", [b"", b"{", b"[" * 10_000, b'{"title":"\xff"}', b'{"title":"t"'])
def test_what_is_no_json_is_refused(server: Server, raw: bytes) -> None:
    before = contents(server.db)
    for method, path in (("POST", STORIES), ("PATCH", f"{STORIES}/nowhere")):
        response = server.client.request(
            method, path, content=raw, headers={"content-type": "application/json"}
        )
        _refused(response, 400, "VALIDATION_ERROR")
    assert contents(server.db) == before


@pytest.mark.parametrize(
    "patch", [{}, {"title": None}, {"title": ""}, {"language": "fr"}, {"id": "other"}, {"revision": 9}, []]
)
def test_what_is_no_change_is_refused(server: Server, told: str, patch: Any) -> None:
    before = contents(server.db)
    _refused(server.client.patch(f"{STORIES}/{told}", json=patch), 400, "VALIDATION_ERROR")
    assert contents(server.db) == before


@pytest.mark.parametrize("path", ["/api/v2/nothing", "/api/v1/stories", "/api/v2/stories/a/b/c", "/nowhere"])
def test_addresses_that_do_not_exist(server: Server, path: str) -> None:
    _refused(server.client.get(path), 404, "NOT_FOUND")


@pytest.mark.parametrize(
    ("method", "path"),
    [("PUT", STORIES), ("DELETE", STORIES), ("POST", f"{STORIES}/x"), ("POST", "/api/v2/health")],
)
def test_methods_that_do_not_exist(server: Server, method: str, path: str) -> None:
    _refused(server.client.request(method, path), 405, "VALIDATION_ERROR")


def test_a_channel_is_not_read_by_get(server: Server) -> None:
    response = server.client.get("/api/v2/ipc/knowledge:entity:list")
    assert response.status_code == 405
    assert response.json()["ok"] is False
    assert response.json()["error"]["code"] == "VALIDATION_ERROR"
