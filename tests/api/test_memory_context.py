"""The context over REST, by the example of MEMORY 3.3.4, and the names in a text."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from doors import Server
from fabula.assembly.context import TraceItem
from fabula.tokens import counter
from waiting import eventually

ENTRIES: list[dict[str, Any]] = [
    {
        "entryKey": "世界观总纲",
        "category": "concept",
        "content": "本故事设定在一个修仙世界。",
        "priority": 100,
        "insertionPosition": "system_prompt",
        "aiContextLevel": "always",
    },
    {
        "entryKey": "林逸",
        "displayName": "林逸 - 主角",
        "category": "character",
        "content": "林逸，男，二十岁。",
        "priority": 20,
        "keywordsJson": ["林少侠"],
    },
    {"entryKey": "青云宗", "category": "location", "content": "青云宗是大陆五大宗门之一。", "priority": 10},
    {"entryKey": "苏瑶", "category": "character", "content": "青云宗女弟子。"},
    {"entryKey": "寒霜剑", "category": "item", "content": "上古神兵。", "insertionPosition": "after_scene"},
    {"entryKey": "黑风寨", "category": "location", "content": "强盗窝。"},
]
SNAPSHOTS: list[dict[str, Any]] = [
    {"chapterIndex": 3, "sceneIndex": 0, "summary": "外门弟子大比开幕，各方势力齐聚试炼广场。"},
    {
        "chapterIndex": 3,
        "sceneIndex": 1,
        "summary": "林逸在试炼场与赵无极对决，落入下风。",
        "activeCharactersJson": [
            {"name": "林逸", "currentState": "受伤后恢复中", "emotionalState": "坚定但疲惫"},
            {"name": "苏瑶", "currentState": "守护在林逸身旁", "emotionalState": "担忧"},
        ],
    },
    {"chapterIndex": 3, "sceneIndex": 3, "summary": "很久以后的事。"},
]
TEXT = "林逸握着寒霜剑，回到青云宗。"
PARTS = {
    "systemPromptEntries",
    "beforeSceneEntries",
    "afterSceneEntries",
    "graphRelationships",
    "recentSnapshots",
    "activeCharacters",
    "estimatedTokens",
    "totalBudget",
}
FRAGMENT = {"entryKey", "displayName", "category", "content", "priority", "estimatedTokens"}


class Desk:
    """A story as MEMORY's example has it, at chapter 3."""

    def __init__(self, server: Server, story: str) -> None:
        self.server, self.story = server, story
        self.ids: dict[str, str] = {}
        for entry in ENTRIES:
            made = self.call("POST", "lorebook", 201, json=entry)
            self.ids[made["entryKey"]] = made["entityId"]
        for other, word, properties in (
            ("苏瑶", "KNOWS", {"relationshipType": "同门师兄妹"}),
            ("寒霜剑", "OWNS", {}),
        ):
            body = {"source": "林逸", "target": other, "type": word, "properties": properties}
            self.call("POST", "graph/relationships", 201, json=body)
        for snapshot in SNAPSHOTS:
            self.call("POST", "snapshots", 201, json=snapshot)
        self.call("PUT", "chapters/3/scenes/2", 201, json={"text": TEXT})

    def call(self, method: str, path: str, status: int = 200, **more: Any) -> Any:
        response = self.server.client.request(method, f"/api/v2/stories/{self.story}/{path}", **more)
        assert response.status_code == status, response.text
        return response.json() if response.content else None

    def preview(self, chapter: int = 3, scene: int = 2, status: int = 200, **more: Any) -> Any:
        return self.call(
            "GET", "context/preview", status, params={"chapter": chapter, "scene": scene, **more}
        )

    def embed(self) -> None:
        """Wait until the vectors are made: what is alike in meaning has another score then."""
        self.call("POST", "embeddings", 202)
        eventually(lambda: self.call("GET", "embeddings")["upToDate"])

    def assemble(self, status: int = 200, **body: Any) -> Any:
        return self.call("POST", "context/assemble", status, json={"chapter": 3, "scene": 2, **body})


@pytest.fixture
def desk(server: Server, told: str) -> Desk:
    return Desk(server, told)


def keys(fragments: list[dict[str, Any]]) -> list[str]:
    return [fragment["entryKey"] for fragment in fragments]


@pytest.mark.scenario(
    "MEMORY-REST-PREVIEW", "MEMORY-PREVIEW", "MEMORY-CONTEXT-SHAPE", "MEMORY-CONTEXT-FRAGMENT"
)
def test_the_preview_is_as_in_the_example(desk: Desk) -> None:
    found = desk.preview(tokenBudget=4000)
    assert set(found) >= PARTS
    assert keys(found["systemPromptEntries"]) == ["世界观总纲"]
    # 苏瑶 is not named, but she is related to one who is, and her text speaks of the other.
    assert keys(found["beforeSceneEntries"]) == ["林逸", "青云宗", "苏瑶"]
    assert found["beforeSceneEntries"][2]["reason"] == "recalled"
    assert keys(found["afterSceneEntries"]) == ["寒霜剑"]
    lin = found["beforeSceneEntries"][0]
    assert set(lin) >= FRAGMENT
    assert (lin["displayName"], lin["category"], lin["priority"]) == ("林逸 - 主角", "character", 20)
    assert lin["content"] == "林逸，男，二十岁。"
    assert "同门师兄妹" in found["graphRelationships"]
    assert "寒霜剑" in found["graphRelationships"]
    assert found["recentSnapshots"] == [
        "【第4章·场景2】林逸在试炼场与赵无极对决，落入下风。",
        "【第4章·场景1】外门弟子大比开幕，各方势力齐聚试炼广场。",
    ]
    states = {one["name"]: one["currentState"] for one in found["activeCharacters"]}
    assert states == {"林逸": "受伤后恢复中", "苏瑶": "守护在林逸身旁"}
    assert found["totalBudget"] == 4000
    assert "很久以后" not in str(found)
    assert "强盗" not in str(found)


@pytest.mark.scenario("MEMORY-ASSEMBLE-BUDGET", "MEMORY-DEFAULT-BUDGET")
def test_the_estimate_is_the_exact_count_of_the_messages(desk: Desk) -> None:
    tokens = counter("o200k_base")
    for budget in (0, 20, 60, 120, 4000):
        found = desk.preview(tokenBudget=budget)
        lore = [m["content"] for m in found["messages"] if m["role"] == "system"]
        assert found["estimatedTokens"] == sum(map(tokens.count, lore)) <= budget
        assert [m["content"] for m in found["messages"] if m["role"] == "user"] == [TEXT]
        assert found["totalBudget"] == budget
    assert desk.preview()["totalBudget"] == 4000


@pytest.mark.scenario("MEMORY-REST-PREVIEW-ERRORS")
def test_a_scene_out_of_range_is_not_found(desk: Desk) -> None:
    for chapter, scene, status in (
        (3, 4, 200),
        (3, 5, 404),
        (4, 0, 200),
        (4, 1, 404),
        (5, 0, 404),
        (0, 0, 200),
    ):
        answer = desk.preview(chapter, scene, status)
        if status == 404:
            assert answer["code"] == "NOT_FOUND"
    for wrong in ({"chapter": -1}, {"scene": "two"}, {"tokenBudget": -1}):
        query = {"chapter": 3, "scene": 2, **wrong}
        assert desk.call("GET", "context/preview", 400, params=query)["code"] == "VALIDATION_ERROR"
    assert desk.call("GET", "context/preview", 400)["code"] == "VALIDATION_ERROR"


@pytest.mark.scenario("MEMORY-REST-PREVIEW-ERRORS")
def test_no_story_no_context(server: Server) -> None:
    here = f"/api/v2/stories/{uuid4()}"
    answers = [
        server.client.get(f"{here}/context/preview?chapter=0&scene=0"),
        server.client.post(f"{here}/context/assemble", json={"chapter": 0, "scene": 0}),
        server.client.post(f"{here}/mentions", json={"text": "林逸"}),
    ]
    assert [(a.status_code, a.json()["code"]) for a in answers] == [(404, "NOT_FOUND")] * 3


def test_a_new_story_has_an_empty_context(server: Server, told: str) -> None:
    found = server.client.get(f"/api/v2/stories/{told}/context/preview?chapter=0&scene=0").json()
    assert found["messages"] == []
    assert found["estimatedTokens"] == 0
    assert (found["graphRelationships"], found["recentSnapshots"]) == ("", [])


@pytest.mark.scenario("MEMORY-ASSEMBLE")
def test_a_live_text_counts_instead_of_the_saved_one(desk: Desk) -> None:
    desk.embed()
    saved = desk.assemble()
    assert saved == desk.preview()
    live = desk.assemble(text="黑风寨里没有人。")
    assert keys(live["beforeSceneEntries"]) == ["黑风寨"]
    none = desk.assemble(text="")
    assert none["beforeSceneEntries"] == []
    assert keys(none["systemPromptEntries"]) == ["世界观总纲"]
    pinned = desk.assemble(text="", pinned=[desk.ids["黑风寨"]])
    assert keys(pinned["beforeSceneEntries"]) == ["黑风寨"]
    assert pinned["beforeSceneEntries"][0]["reason"] == "pinned"
    assert desk.assemble(text="", pinned=["no such id"]) == none


def test_the_same_question_has_the_same_answer(desk: Desk) -> None:
    desk.embed()
    assert desk.assemble(text=TEXT) == desk.assemble(text=TEXT)


def test_the_stable_part_does_not_move_with_the_text(desk: Desk) -> None:
    one, other = desk.assemble(text=TEXT), desk.assemble(text="黑风寨。")
    assert one["stablePrefix"] == other["stablePrefix"] != ""
    assert one["messages"][0] == other["messages"][0]


def test_the_trace_says_why(desk: Desk) -> None:
    never = {"entryKey": "内鬼", "category": "character", "content": "是他。", "aiContextLevel": "never"}
    later = {"entryKey": "渡劫", "category": "event", "content": "飞升。", "since": {"chapter": 9}}
    off = {"entryKey": "酒馆", "category": "location", "content": "打烊。", "enabled": False}
    for entry in (never, later, off):
        desk.call("POST", "lorebook", 201, json=entry)
    text = "小心内鬼。酒馆里，林少侠等着渡劫。"
    found = desk.assemble(text=text)
    items = {item["label"]: item for item in found["trace"]}
    assert (items["内鬼"]["included"], items["内鬼"]["reason"]) == (False, "level_never")
    assert (items["渡劫"]["included"], items["渡劫"]["reason"]) == (False, "not_yet")
    assert (items["酒馆"]["included"], items["酒馆"]["reason"]) == (False, "disabled")
    lin = items["林逸 - 主角"]
    assert (lin["included"], lin["reason"], lin["level"]) == (True, "detected", "when_detected")
    [place] = lin["matches"]
    assert (place["term"], text[place["start"] : place["end"]]) == ("林少侠", "林少侠")
    short = desk.assemble(text=text, tokenBudget=5)
    lost = next(item for item in short["trace"] if item["label"] == "林逸 - 主角")
    assert (lost["included"], lost["reason"]) == (False, "budget")
    assert lost["missingTokens"] > 0
    for fragment in (*found["systemPromptEntries"], *found["beforeSceneEntries"]):
        assert next(i for i in found["trace"] if i["id"] == fragment["id"])["included"]


def test_bad_requests_are_refused(desk: Desk) -> None:
    wrong: list[dict[str, Any]] = [
        {"chapter": -1},
        {"scene": None},
        {"tokenBudget": -1},
        {"pinned": "林逸"},
        {"shares": {"relations": 2}},
        {"text": 7},
        {"leftOutLimit": -1},
        {"withMessages": "often"},
        {"unknown": 1},
    ]
    for body in wrong:
        assert desk.assemble(400, **body)["code"] == "VALIDATION_ERROR", body
    assert desk.call("POST", "context/assemble", 400, json={"scene": 1})["code"] == "VALIDATION_ERROR"


def test_whoever_asks_often_asks_for_less(desk: Desk) -> None:
    for name in ("甲", "乙", "丙"):
        rules = {
            "entryKey": name,
            "category": "character",
            "content": "此人说话很慢。" * 3 * (1 + len(desk.ids)),
        }
        desk.ids[name] = desk.call("POST", "lorebook", 201, json=rules)["entityId"]
    secret = {"entryKey": "丁", "category": "character", "content": "。", "aiContextLevel": "never"}
    desk.call("POST", "lorebook", 201, json=secret)
    wish = {"text": "甲、乙、丙、丁都来了。", "tokenBudget": 20}
    whole = desk.assemble(**wish)
    outside = [item for item in whole["trace"] if not item["included"]]
    assert whole["leftOutCount"] == len(outside) >= 4
    less = desk.assemble(**wish, leftOutLimit=2, withMessages=False)
    # What has its default is left out too, and nothing else.
    always = ("kind", "id", "label", "included", "reason")
    assert all(value for item in less["trace"] for key, value in item.items() if key not in always)
    assert not any(set(item) & {"level", "priority", "score"} for item in less["trace"])
    less["trace"] = [TraceItem(**item).model_dump(mode="json", by_alias=True) for item in less["trace"]]
    named = [item for item in less["trace"] if not item["included"]]
    short = sorted(item["missingTokens"] for item in outside if item["reason"] == "budget")
    assert sorted(item["missingTokens"] for item in named) == short[:2]
    assert [item for item in less["trace"] if item["included"]] == [
        {**item, "level": None, "priority": 0, "score": 0.0} for item in whole["trace"] if item["included"]
    ]
    assert less["messages"] == []
    same = {"trace", "messages"}
    assert {k: v for k, v in {"seed": "", "receiptId": None, **less}.items() if k not in same} == {
        k: v for k, v in whole.items() if k not in same
    }
    nothing = desk.assemble(**wish, leftOutLimit=0)
    assert all(item["included"] for item in nothing["trace"])
    assert (nothing["leftOutCount"], nothing["messages"]) == (whole["leftOutCount"], whole["messages"])
    assert desk.assemble(**wish, leftOutLimit=100_000) == whole


@pytest.mark.scenario("MEMORY-FLOW-KEYWORDS")
def test_the_names_in_a_text_are_found_with_their_places(desk: Desk) -> None:
    text = "🐉林少侠在青云宗，苏瑶也在青云宗。"
    items = desk.call("POST", "mentions", json={"text": text})["items"]
    assert [(item["name"], item["term"], item["kind"]) for item in items] == [
        ("林逸", "林少侠", "keyword"),
        ("青云宗", "青云宗", "name"),
        ("苏瑶", "苏瑶", "name"),
        ("青云宗", "青云宗", "name"),
    ]
    assert [text[item["start"] : item["end"]] for item in items] == ["林少侠", "青云宗", "苏瑶", "青云宗"]
    assert {item["entityId"] for item in items} == {desk.ids[n] for n in ("林逸", "青云宗", "苏瑶")}
    assert desk.call("POST", "mentions", json={"text": ""}) == {"items": []}
    assert desk.call("POST", "mentions", 400, json={})["code"] == "VALIDATION_ERROR"


def test_an_editor_gets_all_words_of_the_story_at_once(desk: Desk) -> None:
    entry = {
        "entryKey": "Tide rules",
        "content": "None.",
        "keywordsJson": ["EBB"],
        "rules": {"caseSensitive": True},
    }
    desk.call("POST", "lorebook", 201, json=entry)
    items = {item["name"]: item for item in desk.call("GET", "names")["items"]}
    assert list(items) == sorted(items)
    lin = items["林逸"]
    assert (lin["entityId"], lin["type"], lin["keywords"]) == (desk.ids["林逸"], "character", ["林少侠"])
    assert (lin["caseSensitive"], lin["wholeWord"]) == (False, None)
    rules = items["Tide rules"]
    assert (rules["entityId"], rules["type"], rules["keywords"]) == (None, "custom", ["EBB"])
    assert rules["entryId"] is not None
    assert rules["caseSensitive"]
