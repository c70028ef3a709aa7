"""A file of any kind over REST: it is recognised, looked at and taken in, or refused as a whole."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

import pytest

from doors import Server, contents

NOVEL = "第一章 起雾\n\n雾从海上来。林远站在灯下。\n\n第二章 灯灭\n\n灯灭了。苏晚说：“别怕。”\n"
BUNDLE = "- {type: Character, name: Ann}\n- {type: Item, name: Bell}\n"
LORE = {"entries": [{"entryKey": "Mr Salt", "content": "Weighs names."}, {"entryKey": "Nothing"}]}


def take(server: Server, data: bytes | str, status: int = 200, **wish: Any) -> Any:
    response = server.client.post("/api/v2/imports", params=wish, content=data)
    assert response.status_code == status, response.text
    return response.json()


def stories(server: Server) -> int:
    return int(server.client.get("/api/v2/stories").json()["totalElements"])


def test_a_novel_in_any_encoding_becomes_a_story_and_is_read(server: Server) -> None:
    title = f"雾 {uuid4()}"
    data = NOVEL.encode("gb18030")
    before = contents(server.db)
    trial = take(server, data, name="雾港.txt", title=title, dryRun=True)
    assert (trial["kind"], trial["isNew"], trial["storyId"]) == ("novel", True, None)
    assert (trial["counts"]["chapters"], trial["encoding"]) == (2, "gb18030")
    assert [chapter["title"] for chapter in trial["chapters"]] == ["第一章 起雾", "第二章 灯灭"]
    assert all(chapter["words"] and chapter["opening"] for chapter in trial["chapters"])
    assert contents(server.db) == before
    done = take(server, data, name="雾港.txt", title=title)
    assert (done["title"], done["counts"]) == (title, trial["counts"])
    chapters = server.client.get(f"/api/v2/stories/{done['storyId']}/chapters").json()["chapters"]
    assert [chapter["title"] for chapter in chapters] == ["第一章 起雾", "第二章 灯灭"]
    assert server.client.get(f"/api/v2/jobs/{done['taskId']}").status_code == 200


def test_a_novel_is_called_as_its_file_where_nothing_else_names_it(server: Server) -> None:
    assert take(server, "It was dark.\n", name="Fog.md", dryRun=True)["title"] == "Fog"


def test_a_whole_story_comes_back_from_its_archive(server: Server, told: str) -> None:
    server.client.put(f"/api/v2/stories/{told}/chapters/0/scenes/0", json={"text": "Fog came in."})
    server.data("knowledge:entity:create", {"projectId": told, "type": "item", "name": "Bell"})
    for form in ("zip", "json"):
        archive = server.client.get(f"/api/v2/stories/{told}/export", params={"format": form}).content
        trial = take(server, archive, name=f"story.{form}", dryRun=True)
        assert (trial["kind"], trial["counts"]["scenes"], trial["counts"]["words"]) == ("story", 1, 3)
        done = take(server, archive, name=f"story.{form}")
        assert done["storyId"] != told
        assert (done["counts"]["entities"], done["counts"]["scenes"]) == (1, 1)


def test_a_bundle_goes_into_a_story_or_becomes_one(server: Server, told: str) -> None:
    trial = take(server, BUNDLE, name="b.yaml", storyId=told, dryRun=True)
    assert (trial["kind"], trial["counts"]["entities"]) == ("bundle", 2)
    assert server.data("knowledge:entity:list", {"projectId": told})["totalCount"] == 0
    assert take(server, BUNDLE, name="b.yaml", storyId=told)["storyId"] == told
    assert take(server, BUNDLE, name="b.yaml", dryRun=True)["counts"]["entities"] == 2
    new = take(server, BUNDLE, name="Bells.yaml")
    assert (new["isNew"], new["title"]) == (True, "Bells")
    assert server.data("knowledge:entity:list", {"projectId": new["storyId"]})["totalCount"] == 2


def test_a_refused_file_leaves_nothing_behind_and_names_every_error(server: Server) -> None:
    before = stories(server)
    refused = take(server, "- {type: Human, name: Ann}\n\n- {type: Item}\n", 400, name="b.yaml")
    assert refused["code"] == "BUNDLE_INVALID"
    assert [error["line"] for error in refused["details"]["errors"]] == [1, 3]
    assert stories(server) == before


def test_a_lorebook_says_what_it_holds_and_what_is_wrong_with_the_rest(server: Server, told: str) -> None:
    data = json.dumps(LORE)
    trial = take(server, data, name="lore.json", storyId=told, dryRun=True)
    assert (trial["kind"], trial["counts"]["entries"], trial["problemCount"]) == ("lorebook", 1, 1)
    assert trial["problems"][0]["entryKey"] == "Nothing"
    assert take(server, data, storyId=told)["counts"]["entries"] == 1
    again = take(server, data, name="lore.json", storyId=told, dryRun=True)
    assert (again["counts"]["entries"], again["counts"]["skipped"]) == (0, 1)
    assert take(server, data, storyId=told, overwrite=True)["counts"] == {**trial["counts"], "entries": 1}
    assert take(server, json.dumps(LORE["entries"]), name="Salt.json")["title"] == "Salt"


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        ("book.epub", b"PK\x03\x04", "VALIDATION_ERROR"),
        ("novel.txt", b"", "VALIDATION_ERROR"),
        ("novel.txt", bytes(range(256)) * 40, "VALIDATION_ERROR"),
        ("story.zip", b"PK\x03\x04 nothing", "VALIDATION_ERROR"),
        ("bundle.yaml", b"a: 1", "VALIDATION_ERROR"),
    ],
)
@pytest.mark.parametrize("dry_run", [True, False])
def test_what_cannot_be_taken_in_is_refused(
    server: Server, name: str, data: bytes, code: str, dry_run: bool
) -> None:
    before = stories(server)
    refused = take(server, data, 400, name=name, dryRun=dry_run)
    assert refused["code"] in (code, "BUNDLE_INVALID")
    assert refused["suggestion"]
    assert stories(server) == before


def test_a_novel_goes_into_no_story_that_is_there(server: Server, told: str) -> None:
    assert take(server, NOVEL, 400, name="n.txt", storyId=told)["code"] == "VALIDATION_ERROR"


@pytest.mark.scenario("MEMORY-IMPORT-LIMIT")
def test_a_call_brings_a_hundred_entries_and_a_file_more(server: Server, told: str) -> None:
    url = f"/api/v2/stories/{told}/lorebook"
    many = [{"entryKey": f"词{number}", "content": "。"} for number in range(101)]
    for wrong in ({"entries": []}, {}, {"entries": many}, {"entries": [{}] * 10_001}):
        refused = server.client.post(f"{url}/import", json=wrong)
        assert (refused.status_code, refused.json()["code"]) == (400, "VALIDATION_ERROR")
    error = server.client.post(f"{url}/import", json={"entries": many}).json()
    assert (error["details"]["limit"], error["details"]["count"]) == (100, 101)
    assert "/imports" in error["suggestion"]
    assert server.client.get(url).json()["totalElements"] == 0
    assert server.client.post(f"{url}/import", json={"entries": many[:100]}).json()["imported"] == 100
    done = take(server, json.dumps({"entries": many}), name="lorebook.json", storyId=told)
    assert (done["counts"]["entries"], done["counts"]["skipped"]) == (1, 100)


@pytest.mark.parametrize("data", ["", "null", "42", '"text"'])
def test_a_json_file_that_is_nothing_is_not_called_an_archive(server: Server, data: str) -> None:
    refused = take(server, data, 400, name="book.json")
    assert refused["details"]["reason"] == "not_known"


def test_an_empty_book_becomes_a_book(server: Server) -> None:
    done = take(server, '{"entries": []}', name="empty.json")
    assert (done["kind"], done["counts"]["entries"]) == ("lorebook", 0)
