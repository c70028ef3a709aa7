"""Chapters, scenes and snapshots over REST; the snapshot is the example of MEMORY 3.1.3."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from doors import Server

SNAPSHOT = {
    "manuscriptId": "ms-uuid-001",
    "chapterIndex": 3,
    "sceneIndex": 2,
    "activeCharactersJson": [
        {
            "characterId": "char-uuid-001",
            "name": "林逸",
            "currentState": "受伤后恢复中",
            "emotionalState": "坚定但疲惫",
        },
        {
            "characterId": "char-uuid-002",
            "name": "苏瑶",
            "currentState": "守护在林逸身旁",
            "emotionalState": "担忧",
        },
    ],
    "activeLocationsJson": [
        {"locationId": "loc-uuid-003", "name": "青云宗·药庐", "description": "宗门疗伤之所"}
    ],
    "timelinePosition": "入宗后第三个月·深夜",
    "summary": "林逸在试炼中受重伤被送回药庐，苏瑶衣不解带地照顾。",
    "emotionalTone": "温情、悬疑",
    "wordCount": 3200,
}


class Desk:
    """The manuscript of one story."""

    def __init__(self, server: Server, story: str) -> None:
        self.server, self.story = server, story

    def call(self, method: str, path: str, status: int = 200, **more: Any) -> Any:
        response = self.server.client.request(method, f"/api/v2/stories/{self.story}/{path}", **more)
        assert response.status_code == status, response.text
        return response.json() if response.content else None

    def put(self, chapter: int, scene: int, status: int = 200, **body: Any) -> Any:
        return self.call("PUT", f"chapters/{chapter}/scenes/{scene}", status, json=body)


@pytest.fixture
def desk(server: Server, told: str) -> Desk:
    return Desk(server, told)


def test_a_scene_is_kept_read_changed_and_deleted(desk: Desk) -> None:
    made = desk.put(0, 1, 201, text="林逸 met 苏瑶。", title="初遇")
    assert (made["chapter"], made["scene"], made["title"], made["storyId"]) == (0, 1, "初遇", desk.story)
    assert (made["text"], made["wordCount"], made["version"]) == ("林逸 met 苏瑶。", 5, 1)
    assert desk.call("GET", "chapters/0/scenes/1") == made
    changed = desk.put(0, 1, text="改")
    assert (changed["id"], changed["text"], changed["title"]) == (made["id"], "改", "初遇")
    assert (changed["version"], changed["wordCount"]) == (2, 1)
    assert desk.put(0, 1, text="改")["version"] == 2
    assert desk.call("DELETE", "chapters/0/scenes/1", 204) is None
    for method in ("GET", "DELETE"):
        assert desk.call(method, "chapters/0/scenes/1", 404)["code"] == "NOT_FOUND"
    assert desk.call("GET", "chapters") == {"chapters": []}


def test_chapters_show_their_scenes_in_order_without_texts(desk: Desk) -> None:
    desk.put(2, 0, 201, text="第三章")
    desk.put(0, 1, 201, text="二", title="次")
    desk.put(0, 0, 201, text="一二")
    named = desk.call("PUT", "chapters/1", json={"title": "空章"})
    assert (named["chapter"], named["title"], named["scenes"]) == (1, "空章", [])
    chapters = desk.call("GET", "chapters")["chapters"]
    assert [(c["chapter"], c["title"], c["wordCount"]) for c in chapters] == [
        (0, "", 3),
        (1, "空章", 0),
        (2, "", 3),
    ]
    assert [(s["scene"], s["title"], s["wordCount"]) for s in chapters[0]["scenes"]] == [
        (0, "", 2),
        (1, "次", 1),
    ]
    assert "text" not in chapters[0]["scenes"][0]


def test_a_text_comes_back_letter_for_letter(desk: Desk) -> None:
    text = "\ufeff  “雨”…\r\n\t🐉 e\u0301 ＡＢ\n\n"
    desk.put(0, 0, 201, text=text)
    assert desk.call("GET", "chapters/0/scenes/0")["text"] == text
    assert desk.put(0, 0, text="")["text"] == ""


def test_a_saved_text_leaves_title_and_time_as_they_are_unless_they_are_sent(desk: Desk) -> None:
    time = {"day": 5.0, "label": "the fifth day", "end": None}
    made = desk.put(0, 0, 201, text="Fog.", title="The pier", worldTime=time)
    assert made["worldTime"] == time
    kept = desk.put(0, 0, text="Fog, and a lamp.")
    assert (kept["title"], kept["worldTime"]) == ("The pier", time)
    assert desk.put(0, 0, text="A lamp.", worldTime=None)["worldTime"] is None


def test_earlier_versions_of_a_scene_stay_in_the_history(desk: Desk) -> None:
    made = desk.put(0, 0, 201, text="初稿")
    desk.put(0, 0, text="二稿")
    desk.put(0, 0, text="三稿")
    desk.call("DELETE", "chapters/0/scenes/0", 204)
    steps = desk.call("GET", "history", params={"id": made["id"]})["content"]
    befores = [step["changes"][0]["before"] for step in steps]
    assert [before and before["text"] for before in befores] == ["三稿", "二稿", "初稿", None]
    desk.call("POST", "history/undo")
    assert desk.call("GET", "chapters/0/scenes/0")["text"] == "三稿"


def test_of_two_who_write_the_same_scene_the_second_is_told(desk: Desk) -> None:
    made = desk.put(0, 0, 201, text="原稿")
    won = desk.put(0, 0, text="甲稿", expectedVersion=made["version"])
    lost = desk.put(0, 0, 409, text="乙稿", expectedVersion=made["version"])
    assert lost["code"] == "CONFLICT"
    assert lost["details"] == {"expectedVersion": 1, "latestVersion": 2, "latestSnapshot": won}
    assert desk.call("GET", "chapters/0/scenes/0") == won


def test_bad_places_and_texts_are_refused(desk: Desk) -> None:
    for path in (
        "chapters/-1/scenes/0",
        "chapters/0/scenes/-1",
        "chapters/a/scenes/0",
        "chapters/0/scenes/1048576",
    ):
        assert desk.call("PUT", path, 400, json={"text": "x"})["code"] == "VALIDATION_ERROR"
    wrong: list[dict[str, Any]] = [
        {},
        {"text": None},
        {"text": "a\u0000"},
        {"text": "x", "title": "长" * 257},
        {"text": "x", "more": 1},
    ]
    for body in wrong:
        assert desk.put(0, 0, 400, **body)["code"] == "VALIDATION_ERROR", body
    assert desk.put(0, 0, 400, text="字" * 2_000_001)["code"] == "VALIDATION_ERROR"
    assert desk.call("GET", "chapters") == {"chapters": []}


def test_a_story_that_does_not_exist_has_no_manuscript(server: Server) -> None:
    nowhere = Desk(server, str(uuid4()))
    calls: list[tuple[str, str, Any]] = [
        ("GET", "chapters", None),
        ("PUT", "chapters/0", {"title": "x"}),
        ("GET", "chapters/0/scenes/0", None),
        ("PUT", "chapters/0/scenes/0", {"text": "x"}),
        ("DELETE", "chapters/0/scenes/0", None),
        ("GET", "snapshots", None),
        ("POST", "snapshots", SNAPSHOT),
    ]
    for method, path, body in calls:
        assert nowhere.call(method, path, 404, json=body)["code"] == "NOT_FOUND", (method, path)


@pytest.mark.scenario("MEMORY-JSON-SNAPSHOT")
def test_the_example_of_a_snapshot(desk: Desk) -> None:
    made = desk.call("POST", "snapshots", 201, json=SNAPSHOT)
    assert {name: made[name] for name in SNAPSHOT} == SNAPSHOT
    assert set(made) >= {"id", "storyId", "createdAt"}
    assert made["storyId"] == desk.story
    assert desk.call("GET", "snapshots")["content"] == [made]


def test_a_later_snapshot_of_a_scene_takes_the_place_of_the_earlier(desk: Desk) -> None:
    made = desk.call("POST", "snapshots", 201, json=SNAPSHOT)
    again = desk.call("POST", "snapshots", 201, json={**SNAPSHOT, "summary": "改写的摘要。"})
    assert (again["id"], again["version"]) == (made["id"], made["version"] + 1)
    assert [s["summary"] for s in desk.call("GET", "snapshots")["content"]] == ["改写的摘要。"]


def test_snapshots_are_paged_in_the_order_of_the_story(desk: Desk) -> None:
    desk.put(1, 0, 201, text="一二三四五")
    for chapter, scene in ((2, 0), (1, 1), (1, 0)):
        desk.call("POST", "snapshots", 201, json={"chapterIndex": chapter, "sceneIndex": scene})
    page = desk.call("GET", "snapshots", params={"page": 0, "size": 2})
    assert [(s["chapterIndex"], s["sceneIndex"]) for s in page["content"]] == [(1, 0), (1, 1)]
    assert (page["totalElements"], page["totalPages"], page["number"], page["size"]) == (3, 2, 0, 2)
    assert [s["wordCount"] for s in page["content"]] == [5, 0]


def test_a_bad_snapshot_is_refused(desk: Desk) -> None:
    wrong: list[dict[str, Any]] = [
        {"chapterIndex": -1},
        {"sceneIndex": None},
        {"activeCharactersJson": [{"currentState": "无名"}]},
        {"activeCharactersJson": "林逸"},
        {"timelinePosition": "长" * 201},
        {"emotionalTone": "长" * 101},
        {"wordCount": -1},
    ]
    for change in wrong:
        answer = desk.call("POST", "snapshots", 400, json={**SNAPSHOT, **change})
        assert answer["code"] == "VALIDATION_ERROR", change
    assert desk.call("GET", "snapshots")["totalElements"] == 0


def test_where_somebody_is_named_is_told_by_scene(desk: Desk, server: Server) -> None:
    lin = server.entity(desk.story, "林远", aliases=["阿远"])
    server.entity(desk.story, "林远山", type="location")
    desk.put(1, 0, 201, text="雾很浓。她望见林远山。")
    desk.put(0, 2, 201, text="雾散了。\n阿远推开门，林远却没有进来。林远走了。", title="门")
    address = f"entities/{lin}/appearances"
    named = {"chapter": 0, "scene": 2, "title": "门", "count": 3, "start": 0, "end": 2}
    assert desk.call("GET", address) == {
        "items": [{**named, "quotation": "阿远推开门，林远却没有进来。"}],
        "totalCount": 3,
    }
    desk.put(1, 0, 200, text="只有林远。")
    assert [item["count"] for item in desk.call("GET", address)["items"]] == [3, 1]
    desk.call("PUT", "lorebook/entries/林远", json={"keywordsJson": ["守灯人"]})
    desk.put(2, 0, 201, text="守灯人睡了。")
    assert [item["count"] for item in desk.call("GET", address)["items"]] == [3, 1, 1]
    assert desk.call("GET", "entities/nobody/appearances", 404)["code"] == "NOT_FOUND"


def test_scenes_and_chapters_are_moved_and_deleted_over_rest(desk: Desk) -> None:
    for place, text in (((0, 0), "one"), ((0, 1), "two"), ((1, 0), "three")):
        desk.put(*place, 201, text=text)
    version = desk.call("GET", "chapters/0/scenes/0")["version"]
    body = {"chapter": 1, "scene": 1, "expectedVersion": version}
    trial = desk.call("POST", "chapters/0/scenes/0/move", json={**body, "dryRun": True})
    done = desk.call("POST", "chapters/0/scenes/0/move", json=body)
    assert done == {**trial, "dryRun": False}
    assert [desk.call("GET", f"chapters/{place}")["text"] for place in ("0/scenes/0", "1/scenes/1")] == [
        "two",
        "one",
    ]
    refused = desk.call("POST", "chapters/1/scenes/1/move", 409, json={**body, "expectedVersion": 99})
    assert (refused["code"], refused["details"]["latestSnapshot"]["text"]) == ("CONFLICT", "one")
    assert desk.call("POST", "chapters/1/move", json={"chapter": 0})["sceneCount"] == 3
    told = desk.call("DELETE", "chapters/0", params={"dryRun": True})
    assert (told["sceneCount"], told["wordCount"]) == (2, 2)
    assert desk.call("DELETE", "chapters/0") == {**told, "dryRun": False}
    assert [one["chapter"] for one in desk.call("GET", "chapters")["chapters"]] == [1]
    for method, path in (("DELETE", "chapters/7"), ("POST", "chapters/7/move")):
        assert desk.call(method, path, 404, json={"chapter": 0})["code"] == "NOT_FOUND"
    for bad in ({}, {"chapter": -1, "scene": 0}, {"chapter": 0, "scene": "x"}):
        assert desk.call("POST", "chapters/1/scenes/0/move", 400, json=bad)["code"] == "VALIDATION_ERROR"
