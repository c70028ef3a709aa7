"""When things are true, as MEMORY 3.1.2 writes it: among the properties of relations and of event nodes."""

from __future__ import annotations

from typing import Any

import pytest

from doors import Server

# As MEMORY writes it.
KNOWS = {
    "since": 0,
    "relationshipType": "师兄弟",
    "description": "同门师兄弟，关系亲近",
    "sentiment": "positive",
    "lastInteractionChapter": 5,
}
LOCATED_AT = {"chapterIndex": 12, "sceneIndex": 2, "purpose": "修炼闭关"}


class Told:
    """A story with two people and a place, over REST."""

    def __init__(self, server: Server, story: str) -> None:
        self.server, self.story = server, story
        self.lin, self.su = server.entity(story, "林逸"), server.entity(story, "苏瑶")
        self.mount = server.entity(story, "青云山", type="location")

    def call(self, method: str, path: str, status: int = 200, **more: Any) -> Any:
        response = self.server.client.request(method, f"/api/v2/stories/{self.story}/{path}", **more)
        assert response.status_code == status, response.text
        return response.json() if response.content else None

    def relate(self, word: str, properties: dict[str, Any], status: int = 201, **more: Any) -> Any:
        target = self.mount if word == "LOCATED_AT" else self.su
        body = {"sourceId": self.lin, "targetId": target, "type": word, "properties": properties, **more}
        return self.call("POST", "graph/relationships", status, json=body)

    def around(self, chapter: int, scene: int = 0) -> Any:
        query = {"entity": "林逸", "depth": 1, "chapter": chapter, "scene": scene}
        return self.call("GET", "graph/query", params=query)

    def told(self, chapter: int, scene: int = 0) -> str:
        body = {"chapter": chapter, "scene": scene, "text": "林逸来了。"}
        return str(self.call("POST", "context/assemble", json=body)["graphRelationships"])

    def kept(self, relation_id: str) -> dict[str, Any]:
        found = self.server.data("knowledge:relation:list", {"projectId": self.story})["items"]
        return next(one for one in found if one["id"] == relation_id)


@pytest.fixture
def story(server: Server, told: str) -> Told:
    return Told(server, told)


@pytest.mark.scenario("MEMORY-REL-MOMENT")
def test_a_place_of_chapter_twelve_is_not_told_before(story: Told) -> None:
    made = story.relate("LOCATED_AT", LOCATED_AT)
    assert made["properties"].items() >= LOCATED_AT.items(), "it is shown as it was given"
    assert story.kept(made["id"])["since"] == {"chapter": 12, "scene": 2}
    for chapter, scene, seen in ((0, 0, False), (12, 1, False), (12, 2, True), (13, 0, True)):
        around = story.around(chapter, scene)
        assert [edge["id"] for edge in around["edges"]] == [made["id"]] * seen
        assert ("青云山" in around["naturalLanguageDescription"]) == seen
        assert ("青云山" in story.told(chapter, scene)) == seen
    assert [edge["id"] for edge in story.call("GET", "graph/chapters/12")["edges"]] == [made["id"]]
    assert story.call("GET", "graph/chapters/0")["edges"] == []


@pytest.mark.scenario("MEMORY-REL-MOMENT")
def test_somebody_is_at_the_same_place_twice(story: Told) -> None:
    first = story.relate("LOCATED_AT", {"chapterIndex": 3})
    again = story.relate("LOCATED_AT", {"chapterIndex": 8})
    assert first["id"] != again["id"]
    story.relate("LOCATED_AT", {"chapterIndex": 8, "purpose": "再来"}, 409)


@pytest.mark.scenario("MEMORY-REL-MOMENT")
@pytest.mark.parametrize("way", ["create", "batch", "bundle"])
def test_every_way_in_reads_the_moment(story: Told, way: str) -> None:
    ends = {"sourceEntityId": story.lin, "targetEntityId": story.mount, "relationType": "located_at"}
    ask = {"projectId": story.story}
    if way == "create":
        story.server.data("knowledge:relation:create", {**ask, **ends, "properties": LOCATED_AT})
    elif way == "bundle":
        text = (
            "- type: LOCATED_AT\n  source: {type: Character, name: 林逸}\n"
            "  target: {type: Location, name: 青云山}\n"
            "  properties: {chapterIndex: 12, sceneIndex: 2, purpose: 修炼闭关}\n"
        )
        for _ in range(2):
            story.server.data("knowledge:bundle:import", {**ask, "text": text})
    else:
        again = [{**ends, "properties": LOCATED_AT}]
        for _ in range(2):
            story.server.data("knowledge:batch:upsert", {**ask, "relations": again})
    (kept,) = story.server.data("knowledge:relation:list", ask)["items"]
    assert (kept["since"], kept["properties"]) == ({"chapter": 12, "scene": 2}, {"purpose": "修炼闭关"})
    assert "青云山" not in story.told(11)


@pytest.mark.scenario("MEMORY-REL-MOMENT")
def test_a_moved_chapter_takes_the_place_along(story: Told) -> None:
    for chapter in range(3):
        story.call("PUT", f"chapters/{chapter}/scenes/0", 201, json={"text": f"第{chapter}章"})
    made = story.relate("LOCATED_AT", {"chapterIndex": 2, "sceneIndex": 0})
    story.call("POST", "chapters/2/move", json={"chapter": 0})
    (edge,) = story.call("GET", "graph")["edges"]
    assert edge["id"] == made["id"]
    assert edge["properties"].items() >= {"chapterIndex": 0, "sceneIndex": 0, "since": 0}.items()


@pytest.mark.scenario("MEMORY-REL-MOMENT")
@pytest.mark.parametrize(
    "wrong",
    [
        {"chapterIndex": "12"},
        {"chapterIndex": -1},
        {"chapterIndex": 1.5},
        {"chapterIndex": True},
        {"chapterIndex": 2**31},
        {"chapterIndex": 3, "sceneIndex": "x"},
        {"since": "春天"},
        {"until": {"scene": 3}},
        {"chapterIndex": 5, "until": 3},
        {"description": 7},
    ],
)
def test_a_moment_that_is_none_is_refused(story: Told, wrong: dict[str, Any]) -> None:
    refused = story.relate("LOCATED_AT", wrong, 400)
    assert refused["code"] in ("VALIDATION_ERROR", "KG_RELATION_INVALID")
    made = story.relate("KNOWS", {"chapterIndex": 4})
    story.call("PUT", f"graph/relationships/{made['id']}", 400, json={"properties": wrong})
    assert story.call("GET", "graph")["edges"] == [made]
    if not {"until", "since", "description"} & wrong.keys():
        text = (
            "- type: KNOWS\n  source: {type: Character, name: 苏瑶}\n"
            f"  target: {{type: Character, name: 林逸}}\n  properties: {str(wrong).replace('True', 'true')}\n"
        )
        error = story.server.error("knowledge:bundle:import", {"projectId": story.story, "text": text})
        assert error["code"] == "BUNDLE_INVALID"
        assert error["details"]["errors"][0]["path"].startswith("[0].properties.")


@pytest.mark.scenario("MEMORY-REL-DESCRIPTION")
def test_the_example_of_two_who_know_each_other_is_kept_whole(story: Told) -> None:
    made = story.relate("KNOWS", KNOWS)
    assert made["properties"].items() >= KNOWS.items()
    kept = story.kept(made["id"])
    assert (kept["description"], kept["since"]) == ("同门师兄弟，关系亲近", {"chapter": 0, "scene": None})
    assert "关系亲近" in story.told(0)


@pytest.mark.scenario("MEMORY-REL-DESCRIPTION")
def test_a_description_that_is_said_twice_and_differently_is_refused(story: Told) -> None:
    refused = story.relate("KNOWS", KNOWS, 400, description="萍水相逢")
    assert refused["code"] == "VALIDATION_ERROR"
    assert refused["details"]["field"] == "properties.description"
    assert story.call("GET", "graph")["edges"] == []
    story.relate("KNOWS", KNOWS, 201, description="同门师兄弟，关系亲近")


@pytest.mark.scenario("MEMORY-REL-UPDATE")
def test_what_stands_among_the_properties_can_be_changed(story: Told) -> None:
    made = story.relate("KNOWS", KNOWS)
    path = f"graph/relationships/{made['id']}"
    sent = {**made["properties"], "since": 3, "until": 9, "description": "形同陌路", "sentiment": "complex"}
    changed = story.call("PUT", path, json={"properties": sent})
    assert changed["properties"] == {**sent, "version": 2}
    kept = story.kept(made["id"])
    assert kept["since"] == {"chapter": 3, "scene": None}
    assert kept["until"] == {"chapter": 9, "scene": None}
    assert kept["description"] == "形同陌路"
    assert [bool(story.around(chapter)["edges"]) for chapter in (2, 3, 9, 10)] == [False, True, True, False]
    opened = story.call("PUT", path, json={"properties": {"since": None, "until": None, "description": ""}})
    assert opened["properties"] == {"description": "", "version": 3}


@pytest.mark.scenario("MEMORY-REL-UPDATE")
def test_a_place_can_be_moved_among_the_properties(story: Told) -> None:
    made = story.relate("LOCATED_AT", {"chapterIndex": 5, "sceneIndex": 2})
    path = f"graph/relationships/{made['id']}"
    sent = {**made["properties"], "chapterIndex": 7}
    assert story.call("PUT", path, json={"properties": sent})["properties"]["since"] == 7
    assert story.kept(made["id"])["since"] == {"chapter": 7, "scene": 2}
    again = story.call("PUT", path, json={"since": {"chapter": 1}})
    assert again["properties"].items() >= {"chapterIndex": 1, "since": 1}.items()
    assert "sceneIndex" not in again["properties"]


@pytest.mark.scenario("MEMORY-REL-UPDATE")
def test_a_change_that_contradicts_itself_is_refused(story: Told) -> None:
    made = story.relate("KNOWS", KNOWS)
    body = {"description": "甲", "properties": {"description": "乙"}}
    refused = story.call("PUT", f"graph/relationships/{made['id']}", 400, json=body)
    assert refused["code"] == "VALIDATION_ERROR"
    beside = {"description": "甲", "properties": made["properties"]}
    changed = story.call("PUT", f"graph/relationships/{made['id']}", json=beside)
    assert changed["properties"]["description"] == "甲", "what the edge showed contradicts nothing"


# Events

EVENT = {
    "chapterIndex": 9,
    "sceneIndex": 1,
    "eventType": "milestone",
    "timelinePosition": "第七天清晨",
}
ENTRY = {
    "entryKey": "入门试炼",
    "category": "event",
    "content": "林逸参加入门试炼。",
    "attributes": EVENT,
}


def _event(story: Told) -> dict[str, Any]:
    (event,) = story.call("GET", "events")["content"]
    found: dict[str, Any] = event
    return found


def _node(story: Told, name: str) -> dict[str, Any]:
    nodes = story.call("GET", "graph")["nodes"]
    found: dict[str, Any] = next(node["properties"] for node in nodes if node["name"] == name)
    return found


@pytest.mark.scenario("MEMORY-EVENT-MOMENT")
def test_an_event_of_chapter_nine_is_not_told_before(story: Told) -> None:
    entry = story.call("POST", "lorebook", 201, json=ENTRY)
    assert entry["since"] == {"chapter": 9, "scene": 1}
    event = _event(story)
    assert (event["moment"], event["timeAnchor"]) == ({"chapter": 9, "scene": 1}, "第七天清晨")
    assert event["attributes"] == {"eventType": "milestone"}
    assert _node(story, "入门试炼").items() >= EVENT.items(), "the node shows it as it was given"
    for chapter, scene, seen in ((0, 0, False), (9, 0, False), (9, 1, True)):
        body = {"chapter": chapter, "scene": scene, "text": "入门试炼就要开始了。"}
        context = story.call("POST", "context/assemble", json=body)
        told = [fragment["entryKey"] for fragment in context["beforeSceneEntries"]]
        assert ("入门试炼" in told) == seen


@pytest.mark.scenario("MEMORY-EVENT-MOMENT")
@pytest.mark.parametrize("way", ["entity", "event", "batch", "bundle", "lorebook import", "type"])
def test_every_way_in_dates_an_event(story: Told, way: str) -> None:
    ask, node = {"projectId": story.story}, {"type": "event", "name": "入门试炼", "attributes": EVENT}
    if way == "entity":
        made = story.server.data("knowledge:entity:create", {**ask, **node})
        assert made["since"] == {"chapter": 9, "scene": 1}
    elif way == "event":
        story.server.data("knowledge:event:create", {**ask, "name": "入门试炼", "attributes": EVENT})
    elif way == "batch":
        story.server.data("knowledge:batch:upsert", {**ask, "entities": [node]})
    elif way == "bundle":
        text = (
            "- type: Event\n  name: 入门试炼\n  attributes: {chapterIndex: 9, sceneIndex: 1, "
            "eventType: milestone, timelinePosition: 第七天清晨}\n"
        )
        first = story.server.data("knowledge:bundle:import", {**ask, "text": text})
        again = story.server.data("knowledge:bundle:import", {**ask, "text": text})
        assert first["revision"] == again["revision"], "the same again changes nothing"
    elif way == "lorebook import":
        assert story.call("POST", "lorebook/import", json={"entries": [ENTRY]})["imported"] == 1
    else:
        made = story.server.data("knowledge:entity:create", {**ask, **node, "type": "unknown"})
        patch = {"id": made["id"], "expectedVersion": 1, "patch": {"type": "event"}}
        story.server.data("knowledge:entity:update", {**ask, **patch})
    event = _event(story)
    assert (event["moment"], event["timeAnchor"]) == ({"chapter": 9, "scene": 1}, "第七天清晨")
    assert event["attributes"] == {"eventType": "milestone"}


@pytest.mark.scenario("MEMORY-EVENT-MOMENT")
def test_a_change_of_the_attributes_moves_the_event(story: Told) -> None:
    entry = story.call("POST", "lorebook", 201, json=ENTRY)
    moved = {**entry["attributes"], "chapterIndex": 4, "timelinePosition": "第三天"}
    assert moved["timelinePosition"] != entry["attributes"]["timelinePosition"]
    changed = story.call("PUT", f"lorebook/{entry['id']}", json={"attributes": moved})
    assert changed["since"] == {"chapter": 4, "scene": None}
    assert _event(story)["timeAnchor"] == "第三天"
    outright = {"since": {"chapter": 7}, "attributes": {**EVENT, "chapterIndex": 2}}
    assert story.call("PUT", f"lorebook/{entry['id']}", json=outright)["since"]["chapter"] == 7
    story.call("POST", "history/undo", json={})
    assert _event(story)["moment"] == {"chapter": 4, "scene": None}


@pytest.mark.scenario("MEMORY-EVENT-MOMENT")
def test_an_exported_lorebook_and_bundle_give_the_event_back(story: Told, server: Server) -> None:
    story.call("POST", "lorebook", 201, json=ENTRY)
    lore = story.call("GET", "lorebook", params={"size": 100})["content"]
    other = Told(server, server.new_story())
    other.call("POST", "lorebook/import", json={"entries": lore})
    told = server.client.get(f"/api/v2/stories/{story.story}/export", params={"format": "bundle"}).text
    third = server.new_story()
    server.data("knowledge:bundle:import", {"projectId": third, "text": told})
    for place in (other.story, third):
        (event,) = server.client.get(f"/api/v2/stories/{place}/events").json()["content"]
        assert (event["moment"], event["timeAnchor"]) == ({"chapter": 9, "scene": 1}, "第七天清晨")


@pytest.mark.scenario("MEMORY-EVENT-MOMENT")
@pytest.mark.parametrize(
    "wrong",
    [
        {"chapterIndex": "九"},
        {"chapterIndex": -1},
        {"chapterIndex": 1, "sceneIndex": 2.5},
        {"timelinePosition": 7},
        {"timelinePosition": "久" * 1025},
    ],
)
def test_an_event_whose_moment_is_none_is_refused(story: Told, wrong: dict[str, Any]) -> None:
    refused = story.call("POST", "lorebook", 400, json={**ENTRY, "attributes": wrong})
    assert refused["code"] == "VALIDATION_ERROR"
    node = {"projectId": story.story, "type": "event", "name": "x", "attributes": wrong}
    assert story.server.error("knowledge:entity:create", node)["code"] == "VALIDATION_ERROR"
    assert story.call("GET", "events")["content"] == []
    assert story.call("GET", "lorebook")["content"] == []
    if "timelinePosition" not in wrong:
        text = f"- type: Event\n  name: 试炼\n  attributes: {wrong}\n"
        error = story.server.error("knowledge:bundle:import", {"projectId": story.story, "text": text})
        assert (error["code"], error["details"]["errorCount"]) == ("BUNDLE_INVALID", 1)


@pytest.mark.scenario("MEMORY-SIGNIFICANCE")
def test_an_item_shows_its_significance_in_both_ways(story: Told) -> None:
    sword = {"itemType": "weapon", "significance": "major"}
    entry = {"entryKey": "寒霜剑", "category": "item", "content": "上古神兵", "attributes": sword}
    story.call("POST", "lorebook", 201, json=entry)
    assert _node(story, "寒霜剑").items() >= {**sword, "significanceScore": 0.5}.items()
    assert _node(story, "林逸").items() >= {"significance": 0.5, "significanceScore": 0.5}.items()


@pytest.mark.scenario("MEMORY-PARENT-LOCATION")
def test_a_place_names_the_place_it_is_in(story: Told) -> None:
    hall = story.server.entity(story.story, "藏剑阁", type="location")
    valley = story.server.entity(story.story, "剑谷", type="location", attributes={"parentLocationId": "旧"})
    assert "parentLocationId" not in _node(story, "藏剑阁")
    for place in (hall, valley):
        ends = {"sourceId": place, "targetId": story.mount, "type": "LOCATED_IN"}
        made = story.call("POST", "graph/relationships", 201, json=ends)
    assert _node(story, "藏剑阁")["parentLocationId"] == story.mount
    assert _node(story, "剑谷")["parentLocationId"] == "旧", "what the author says counts"
    around = story.call("GET", "graph/query", params={"entity": "藏剑阁"})
    assert around["nodes"][0]["properties"]["parentLocationId"] == story.mount
    story.call("DELETE", f"graph/relationships/{made['id']}", 204)
    assert _node(story, "藏剑阁")["parentLocationId"] == story.mount


@pytest.mark.scenario("MEMORY-STATUS")
@pytest.mark.parametrize(
    ("attributes", "status"),
    [
        ({"status": "active"}, "active"),
        ({"status": "alive"}, "active"),
        ({"status": "Dead"}, "deceased"),
        ({"status": "已故"}, "deceased"),
        ({"状态": "牺牲"}, "deceased"),
        ({"alive": False}, "deceased"),
        ({"status": "missing"}, "absent"),
        ({"生死": "下落不明"}, "absent"),
        ({"状态": "死亡", "status": "absent"}, "absent"),
        ({"status": "受伤"}, "受伤"),
        ({}, None),
    ],
)
def test_the_status_of_a_character_is_one_of_three(
    story: Told, attributes: dict[str, Any], status: str | None
) -> None:
    entry = {"entryKey": "玄清", "category": "character", "content": "长老。", "attributes": attributes}
    made = story.call("POST", "lorebook", 201, json=entry)
    assert made["attributes"] == attributes, "the author's own word stays"
    assert _node(story, "玄清").get("status") == status
    sword = {"entryKey": "剑", "category": "item", "content": "。", "attributes": {"status": "lost"}}
    story.call("POST", "lorebook", 201, json=sword)
    assert _node(story, "剑")["status"] == "lost", "things have a status of their own"
