"""The lorebook over REST, by the examples of MEMORY 3.3.1."""

from __future__ import annotations

import itertools
import json
from typing import Any
from uuid import uuid4

import pytest

from doors import Server, rows

FIELDS = {"id", "storyId", "entryKey", "displayName", "category", "content", "keywordsJson", "priority"} | {
    *("enabled", "insertionPosition", "tokenBudget", "createdAt", "updatedAt")
}
QINGYUN = {
    "entryKey": "青云宗",
    "displayName": "青云宗",
    "category": "location",
    "content": "青云宗是大陆五大宗门之一，坐落于青云山脉主峰...",
    "keywordsJson": ["青云宗", "青云山", "玄天真人"],
    "priority": 10,
    "insertionPosition": "before_scene",
    "tokenBudget": 500,
}
UPDATE = {
    "displayName": "青云宗（已更新）",
    "content": "青云宗是大陆五大宗门之首...",
    "keywordsJson": ["青云宗", "青云山", "玄天真人", "青云剑阵"],
    "priority": 15,
    "enabled": True,
    "insertionPosition": "system_prompt",
    "tokenBudget": 800,
}
CONCEPTS = [
    {
        "entryKey": "剑道九境",
        "displayName": "剑道九境 - 修炼体系",
        "category": "concept",
        "content": "剑修的九个境界：入门、通灵、凝气、筑基、金丹、元婴、化神、大乘、渡劫。",
        "keywordsJson": ["剑道九境", "境界", "修炼", "突破"],
        "priority": 5,
        "insertionPosition": "before_scene",
        "tokenBudget": 400,
    },
    {
        "entryKey": "灵石货币",
        "displayName": "灵石货币体系",
        "category": "concept",
        "content": "修仙界通用货币为灵石，分为下品、中品、上品、极品四个等级...",
        "keywordsJson": ["灵石", "货币", "交易"],
        "priority": 3,
        "insertionPosition": "before_scene",
        "tokenBudget": 300,
    },
]


class Book:
    """The lorebook of one story."""

    def __init__(self, server: Server, story: str) -> None:
        self.server, self.story = server, story
        self.url = f"/api/v2/stories/{story}/lorebook"

    def call(self, method: str, path: str = "", status: int = 200, **more: Any) -> Any:
        response = self.server.client.request(method, self.url + path, **more)
        assert response.status_code == status, response.text
        return response.json() if response.content else None

    def refused(self, method: str, path: str, status: int, code: str, **more: Any) -> dict[str, Any]:
        body: dict[str, Any] = self.call(method, path, status, **more)
        assert set(body) <= {"code", "message", "details", "suggestion"}
        assert body["code"] == code
        return body

    def create(self, **fields: Any) -> dict[str, Any]:
        made: dict[str, Any] = self.call("POST", "", 201, json={**QINGYUN, **fields})
        return made

    def keys(self, **query: Any) -> list[str]:
        return [entry["entryKey"] for entry in self.call("GET", params=query)["content"]]


@pytest.fixture
def book(server: Server, told: str) -> Book:
    return Book(server, told)


def test_the_example_is_created_read_updated_and_deleted(book: Book) -> None:
    made = book.create()
    assert set(made) >= FIELDS
    assert {name: made[name] for name in QINGYUN} == QINGYUN
    assert (made["storyId"], made["enabled"]) == (book.story, True)
    assert made["createdAt"] == made["updatedAt"]
    assert book.call("GET", f"/{made['id']}") == made
    assert book.call("GET", "/entries/青云宗") == made
    changed = book.call("PUT", f"/{made['id']}", json=UPDATE)
    assert {name: changed[name] for name in UPDATE} == UPDATE
    assert (changed["id"], changed["entryKey"], changed["category"]) == (made["id"], "青云宗", "location")
    assert changed["updatedAt"] > made["updatedAt"]
    assert book.call("DELETE", f"/{made['id']}", 204) is None
    for method in ("GET", "PUT", "DELETE"):
        body = {"json": UPDATE} if method == "PUT" else {}
        book.refused(method, f"/{made['id']}", 404, "NOT_FOUND", **body)
        book.refused(method, "/entries/青云宗", 404, "NOT_FOUND", **body)


def test_an_entry_is_changed_and_deleted_by_its_key(book: Book) -> None:
    made = book.create()
    assert book.call("PUT", "/entries/青云宗", json={"priority": 3})["priority"] == 3
    assert book.call("DELETE", "/entries/青云宗", 204) is None
    book.refused("GET", f"/{made['id']}", 404, "NOT_FOUND")


@pytest.mark.parametrize(
    "wrong",
    [
        {"entryKey": ""},
        {"entryKey": "  "},
        {"entryKey": "长" * 201},
        {"content": ""},
        {"content": " \n"},
        {"category": "weapon"},
        {"insertionPosition": "somewhere"},
        {"tokenBudget": 0},
        {"tokenBudget": "many"},
        {"priority": 1.5},
        {"keywordsJson": "青云"},
        {"enabled": "perhaps"},
        {"unknownField": 1},
    ],
)
def test_a_bad_field_is_refused_and_nothing_is_written(book: Book, wrong: dict[str, Any]) -> None:
    book.refused("POST", "", 400, "VALIDATION_ERROR", json={**QINGYUN, **wrong})
    assert book.call("GET")["totalElements"] == 0
    assert book.server.data("knowledge:entity:list", {"projectId": book.story})["totalCount"] == 0


def test_a_missing_key_or_content_is_refused(book: Book) -> None:
    for name in ("entryKey", "content"):
        body = {key: value for key, value in QINGYUN.items() if key != name}
        book.refused("POST", "", 400, "VALIDATION_ERROR", json=body)


def test_a_story_that_does_not_exist_has_no_lorebook(server: Server) -> None:
    nowhere = Book(server, str(uuid4()))
    calls: list[tuple[str, str, dict[str, Any]]] = [
        ("GET", "", {}),
        ("POST", "", {"json": QINGYUN}),
        ("POST", "/import", {"json": {"entries": CONCEPTS}}),
        ("GET", "/export", {}),
        ("GET", "/x", {}),
        ("PUT", "/x", {"json": UPDATE}),
        ("DELETE", "/x", {}),
        ("GET", "/entries/x", {}),
        ("PUT", "/entries/x", {"json": UPDATE}),
        ("DELETE", "/entries/x", {}),
        ("PATCH", "", {"json": {"ids": ["x"], "patch": {"priority": 1}}}),
        ("POST", "/bulk-delete", {"json": {"ids": ["x"]}}),
    ]
    for method, path, more in calls:
        nowhere.refused(method, path, 404, "NOT_FOUND", **more)


def test_an_entry_of_another_story_is_not_found_here(book: Book, server: Server) -> None:
    made = book.create()
    other = Book(server, server.new_story())
    other.refused("GET", f"/{made['id']}", 404, "NOT_FOUND")
    other.refused("PUT", f"/{made['id']}", 404, "NOT_FOUND", json={"priority": 1})
    other.refused("DELETE", f"/{made['id']}", 404, "NOT_FOUND")
    other.refused("POST", "/bulk-delete", 404, "NOT_FOUND", json={"ids": [made["id"]]})
    assert book.call("GET", f"/{made['id']}") == made


@pytest.mark.parametrize("variant", ["青云宗", " 青云宗 ", "ＱＹ宗", "qy宗", "QY宗"])
def test_a_key_is_taken_however_it_is_written(book: Book, variant: str) -> None:
    book.create()
    book.create(entryKey="Qy宗", keywordsJson=[])
    for category in ("location", "custom", "character"):
        error = book.refused(
            "POST", "", 409, "LORE_KEY_DUPLICATE", json={**QINGYUN, "entryKey": variant, "category": category}
        )
        assert error["details"]["entryKey"] in ("青云宗", "Qy宗")
    assert book.call("GET", f"/entries/{variant}")["entryKey"] in ("青云宗", "Qy宗")
    assert book.call("GET")["totalElements"] == 2


def test_an_update_to_a_taken_key_is_refused(book: Book) -> None:
    book.create()
    other = book.create(entryKey="药庐")
    book.refused("PUT", f"/{other['id']}", 409, "LORE_KEY_DUPLICATE", json={"entryKey": "青云宗"})
    assert book.call("GET", f"/{other['id']}") == other


def test_lists_are_paged_filtered_and_searched(book: Book) -> None:
    people = [
        book.create(entryKey=f"弟子{n}", category="character", priority=n, keywordsJson=[], content="剑修")
        for n in range(5)
    ]
    book.create(
        entryKey="林逸", displayName="林逸 - 主角", category="character", keywordsJson=["小逸", "逸哥"]
    )
    book.create(entryKey="规矩", category="custom", content="外门弟子须听林逸调遣。", keywordsJson=[])
    book.call("PUT", f"/{people[0]['id']}", json={"enabled": False})
    whole = book.call("GET")
    assert set(whole) == {"content", "totalElements", "totalPages", "number", "size"}
    assert (whole["totalElements"], whole["totalPages"], whole["number"], whole["size"]) == (7, 1, 0, 20)
    assert [entry["priority"] for entry in whole["content"]] == [10, 10, 4, 3, 2, 1, 0]
    pages = [book.call("GET", params={"page": n, "size": 3}) for n in range(4)]
    assert [len(page["content"]) for page in pages] == [3, 3, 1, 0]
    assert {(p["totalElements"], p["totalPages"], p["size"]) for p in pages} == {(7, 3, 3)}
    assert list(itertools.chain(*(page["content"] for page in pages))) == whole["content"]
    example = {"category": "character", "enabled": "true", "keyword": "林逸", "page": 0, "size": 20}
    assert book.keys(**example) == ["林逸"]
    assert set(book.keys(keyword="林逸")) == {"林逸", "规矩"}
    assert book.keys(keyword="小逸") == ["林逸"]
    assert book.keys(keyword="主角") == ["林逸"]
    assert book.keys(enabled="false") == ["弟子0"]
    assert book.keys(category="custom") == ["规矩"]
    assert book.keys(keyword="弟_") == []
    for wrong in ({"page": -1}, {"size": 0}, {"size": "all"}, {"category": "weapon"}, {"enabled": "who"}):
        book.refused("GET", "", 400, "VALIDATION_ERROR", params=wrong)


def test_the_import_example(book: Book) -> None:
    body = {"entries": CONCEPTS, "overwriteExisting": False}
    assert book.call("POST", "/import", json=body) == {"imported": 2, "skipped": 0, "errors": []}
    kept = book.call("GET", "/entries/剑道九境")
    assert {name: kept[name] for name in CONCEPTS[0]} == CONCEPTS[0]
    again = {**body, "entries": [{**CONCEPTS[0], "content": "改了。"}, {**CONCEPTS[1], "entryKey": "贡献点"}]}
    assert book.call("POST", "/import", json=again) == {"imported": 1, "skipped": 1, "errors": []}
    assert book.call("GET", "/entries/剑道九境") == kept
    again["overwriteExisting"] = True
    assert book.call("POST", "/import", json=again) == {"imported": 2, "skipped": 0, "errors": []}
    after = book.call("GET", "/entries/剑道九境")
    assert (after["content"], after["id"], after["createdAt"]) == ("改了。", kept["id"], kept["createdAt"])


def test_a_bad_entry_is_reported_and_the_others_are_taken(book: Book) -> None:
    entries = [
        CONCEPTS[0],
        {"entryKey": "空", "content": ""},
        "not an entry",
        {"content": "无名"},
        CONCEPTS[1],
    ]
    answer = book.call("POST", "/import", json={"entries": entries})
    assert (answer["imported"], answer["skipped"]) == (2, 0)
    assert [(e["index"], e["entryKey"], e["code"]) for e in answer["errors"]] == [
        (1, "空", "VALIDATION_ERROR"),
        (2, "", "VALIDATION_ERROR"),
        (3, "", "VALIDATION_ERROR"),
    ]
    assert all(error["message"] for error in answer["errors"])
    twice = [{**CONCEPTS[0], "entryKey": "双"}, {**CONCEPTS[1], "entryKey": "双"}]
    assert book.call("POST", "/import", json={"entries": twice}) == {
        "imported": 1,
        "skipped": 1,
        "errors": [],
    }
    assert book.call("GET", "/entries/双")["content"] == CONCEPTS[0]["content"]


@pytest.mark.slow
def test_five_thousand_entries_come_in_one_call_and_go_with_one_undo(book: Book) -> None:
    kinds = ("character", "location", "item", "event", "concept", "custom")
    entries = [
        {
            "entryKey": f"词条{n}",
            "content": f"第{n}条。",
            "category": kinds[n % 6],
            "keywordsJson": [f"键{n}"],
        }
        for n in range(5000)
    ]
    wish = {"storyId": book.story, "name": "lorebook.json"}
    file = json.dumps({"entries": entries}).encode()
    answer = book.server.client.post("/api/v2/imports", params=wish, content=file).json()
    assert (answer["kind"], answer["counts"]["entries"], answer["problems"]) == ("lorebook", 5000, [])
    assert book.call("GET", params={"size": 1})["totalElements"] == 5000
    assert book.keys(keyword="键4999") == ["词条4999"]
    undone = book.server.client.post(f"/api/v2/stories/{book.story}/history/undo")
    assert undone.status_code == 200
    assert book.call("GET")["totalElements"] == 0
    assert rows(book.server.db, "SELECT count(*) FROM kg_entities WHERE project_id=?", book.story) == [0]


def test_an_export_into_an_empty_story_gives_the_same_lorebook(book: Book, server: Server) -> None:
    book.call("POST", "/import", json={"entries": CONCEPTS})
    book.create(
        aliases=["青云"], attributes={"等级": 1}, aiContextLevel="always", extensions={"st": {"x": 1}}
    )
    book.create(
        entryKey="终局",
        category="custom",
        enabled=False,
        aiContextLevel="never",
        since={"chapter": 3, "scene": 1},
        until={"chapter": 9},
        rules={"caseSensitive": True, "secondaryKeywords": ["夜"], "excludeKeywords": ["梦"]},
    )
    export = book.call("GET", "/export")
    other = Book(server, server.new_story())
    answer = other.call("POST", "/import", json=export)
    assert answer == {"imported": 4, "skipped": 0, "errors": []}
    own = {"id", "storyId", "entityId", "createdAt", "updatedAt", "version"}

    def said(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{k: v for k, v in entry.items() if k not in own} for entry in entries]

    assert said(other.call("GET", "/export")["entries"]) == said(export["entries"])
    assert other.call("POST", "/import", json={**export, "overwriteExisting": True})["imported"] == 4
    assert said(other.call("GET", "/export")["entries"]) == said(export["entries"])


def test_many_entries_are_edited_and_deleted_at_once_or_not_at_all(book: Book) -> None:
    made = [book.create(entryKey=f"e{n}", category=c) for n, c in enumerate(("custom", "item", "event"))]
    ids = [entry["id"] for entry in made]
    patch = {"enabled": False, "priority": 7, "aiContextLevel": "never"}
    assert book.call("PATCH", "", json={"ids": ids, "patch": patch}) == {"count": 3}
    for entry in book.call("GET")["content"]:
        assert {name: entry[name] for name in patch} == patch
    book.refused("PATCH", "", 404, "NOT_FOUND", json={"ids": [*ids, "none"], "patch": {"priority": 1}})
    book.refused("PATCH", "", 400, "VALIDATION_ERROR", json={"ids": ids, "patch": {"content": "同"}})
    book.refused("PATCH", "", 400, "VALIDATION_ERROR", json={"ids": ids, "patch": {}})
    book.refused("PATCH", "", 400, "VALIDATION_ERROR", json={"ids": [], "patch": {"priority": 1}})
    assert {entry["priority"] for entry in book.call("GET")["content"]} == {7}
    book.refused("POST", "/bulk-delete", 404, "NOT_FOUND", json={"ids": [*ids, "none"]})
    assert book.call("GET")["totalElements"] == 3
    assert book.call("POST", "/bulk-delete", json={"ids": ids[:2]}) == {"count": 2}
    assert book.keys() == ["e2"]


@pytest.mark.parametrize("category", ["custom", "character"])
def test_of_two_who_edit_the_same_entry_the_second_is_told(book: Book, category: str) -> None:
    made = book.create(category=category)
    first = {"expectedVersion": made["version"], "content": "甲写的。"}
    second = {"expectedVersion": made["version"], "keywordsJson": ["乙"], "content": "乙写的。"}
    won = book.call("PUT", f"/{made['id']}", json=first)
    for path in (f"/{made['id']}", "/entries/青云宗"):
        error = book.refused("PUT", path, 409, "CONFLICT", json=second)
        assert error["details"] == {
            "expectedVersion": made["version"],
            "latestVersion": won["version"],
            "latestSnapshot": won,
        }
    assert book.call("GET", f"/{made['id']}") == won
    after = book.call("PUT", f"/{made['id']}", json={**second, "expectedVersion": won["version"]})
    assert after["content"] == "乙写的。"
    kept = rows(book.server.db, "SELECT after_json FROM story_changes WHERE project_id=?", book.story)
    assert any("甲写的。" in json.dumps(json.loads(row), ensure_ascii=False) for row in kept if row)


def test_an_edit_of_the_entity_is_an_edit_of_the_entry(book: Book) -> None:
    made = book.create(category="character")
    book.server.data(
        "knowledge:entity:update",
        {
            "projectId": book.story,
            "id": made["entityId"],
            "expectedVersion": 1,
            "patch": {"description": "新。"},
        },
    )
    stale = {"expectedVersion": made["version"], "content": "旧。"}
    error = book.refused("PUT", f"/{made['id']}", 409, "CONFLICT", json=stale)
    assert error["details"]["latestSnapshot"]["content"] == "新。"
