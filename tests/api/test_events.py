"""Events through the doors: the channels, REST, bad input."""

from __future__ import annotations

from typing import Any

import pytest

from doors import Ask, Server, contents

KV = {
    "time_anchor": "第三夜",
    "role": ["林远", "苏晴"],
    "location": "酒馆",
    "event": "争执",
    "logic": ["旧债"],
    "causality": "林远不肯还钱。",
}


def test_structured_kv_goes_in_and_comes_out_through_every_door(ask: Ask, server: Server, told: str) -> None:
    lin = server.entity(told, "林风", aliases=["林远"])
    made = ask(
        "knowledge:event:create",
        {"projectId": told, "summary": "林远与苏晴争执。", "structuredKv": KV, "moment": {"chapter": 2}},
    )
    assert made["ok"], made
    event = made["data"]
    assert event["structuredKv"] == {**KV, "role": ["林风", "苏晴"]}
    assert event["roles"] == [
        {"entityId": lin, "name": "林风", "properties": {}, "role": ""},
        {"entityId": None, "name": "苏晴", "properties": {}, "role": ""},
    ]
    inn = {"entityId": None, "name": "酒馆", "properties": {}}
    assert (event["timeAnchor"], event["locations"]) == ("第三夜", [inn])
    assert ask("knowledge:event:read", {"projectId": told, "id": event["id"]})["data"] == event
    listed = ask("knowledge:event:list", {"projectId": told, "filter": {"entityId": lin}})["data"]
    assert listed == {"items": [event], "totalCount": 1}
    changed = ask(
        "knowledge:event:update",
        {"projectId": told, "id": event["id"], "expectedVersion": 1, "patch": {"level": 1}},
    )["data"]
    assert (changed["level"], changed["version"]) == (1, 2)
    su = server.entity(told, "苏晴")
    found = ask("knowledge:event:companions", {"projectId": told, "entityId": lin})["data"]["items"]
    assert [(one["entityId"], one["eventCount"], one["lastMoment"]["chapter"]) for one in found] == [
        (su, 1, 2)
    ]
    gone = ask("knowledge:event:delete", {"projectId": told, "id": event["id"]})
    assert gone["data"] == {"deleted": True, "deletedRelationCount": 2}


@pytest.fixture
def year(server: Server, told: str) -> dict[str, str]:
    """Five events over three chapters, by name."""
    server.entity(told, "林远")
    server.entity(told, "酒馆", type="location", aliases=["老地方"])
    events = {
        "丁": {"moment": {"chapter": 2}, "roles": ["林远"]},
        "甲": {"moment": {"chapter": 0, "scene": 1}, "locations": ["酒馆"]},
        "乙": {"moment": {"chapter": 1}, "significance": 0.2, "causality": "Fog"},
        "丙": {"moment": {"chapter": 1}, "significance": 0.9, "level": 1, "roles": [{"name": "林远"}]},
        "无": {"locations": [{"name": "码头"}]},
    }
    made = {}
    for name, fields in events.items():
        response = server.client.post(
            f"/api/v2/stories/{told}/events", json={"name": name, "summary": "。", **fields}
        )
        assert response.status_code == 201, response.text
        made[name] = str(response.json()["id"])
    return made


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({}, "无甲丙乙丁"),
        ({"sinceChapter": 1}, "丙乙丁"),
        ({"sinceChapter": 0, "sinceScene": 2, "untilChapter": 1}, "丙乙"),
        ({"untilChapter": 0, "untilScene": 0}, "无"),
        ({"untilChapter": 0}, "无甲"),
        ({"level": 1}, "丙"),
        ({"keyword": "FOG"}, "乙"),
        ({"location": "老地方"}, "甲"),
        ({"location": "码头"}, "无"),
        ({"location": "无此地"}, ""),
        ({"page": 1, "size": 2}, "丙乙"),
    ],
)
def test_a_list_is_in_the_order_of_the_story(
    server: Server, told: str, year: dict[str, str], query: dict[str, Any], names: str
) -> None:
    page = server.client.get(f"/api/v2/stories/{told}/events", params=query).json()
    assert "".join(event["name"] for event in page["content"]) == names
    if query.get("page"):
        assert [page[key] for key in ("totalElements", "totalPages", "number", "size")] == [5, 3, 1, 2]


def test_rest_reads_changes_and_deletes(server: Server, told: str, year: dict[str, str]) -> None:
    address = f"/api/v2/stories/{told}/events/{year['丙']}"
    (person,) = server.client.get(address).json()["roles"]
    by_entity = server.client.get(
        f"/api/v2/stories/{told}/events", params={"entityId": person["entityId"]}
    ).json()
    assert [event["name"] for event in by_entity["content"]] == ["丙", "丁"]
    changed = server.client.put(address, json={"summary": "新。", "expectedVersion": 1})
    assert (changed.status_code, changed.json()["version"]) == (200, 2)
    stale = server.client.put(address, json={"summary": "旧。", "expectedVersion": 1})
    assert (stale.status_code, stale.json()["code"]) == (409, "CONFLICT")
    assert stale.json()["details"]["latestSnapshot"] == changed.json()
    near = server.client.get(
        f"/api/v2/stories/{told}/entities/{person['entityId']}/companions", params={"chapter": 1}
    )
    assert near.json() == {"items": []}
    assert server.client.delete(address).status_code == 204
    assert server.client.get(address).status_code == 404


def test_the_picture_shows_who_takes_part_and_where(server: Server, told: str, year: dict[str, str]) -> None:
    graph = server.client.get(f"/api/v2/stories/{told}/graph").json()
    names = {node["id"]: node["name"] for node in graph["nodes"]}
    edges = {(names[e["sourceId"]], e["type"], names[e["targetId"]]) for e in graph["edges"]}
    assert edges == {
        ("林远", "PARTICIPATES_IN", "丙"),
        ("林远", "PARTICIPATES_IN", "丁"),
        ("甲", "OCCURS_AT", "酒馆"),
    }
    assert graph["stats"]["totalEdges"] == 3


BAD: dict[str, dict[str, Any]] = {
    "nothing": {},
    "blank": {"summary": " ", "event": ""},
    "name blank": {"name": "\u200b"},
    "kv number": {"summary": "。", "structuredKv": 1},
    "kv camel": {"summary": "。", "structuredKv": {"timeAnchor": "夜"}},
    "kv role text": {"summary": "。", "structuredKv": {"role": "林远"}},
    "kv role blank": {"summary": "。", "structuredKv": {"role": [""]}},
    "kv location number": {"summary": "。", "structuredKv": {"location": 1}},
    "said twice": {"summary": "。", "event": "甲", "structuredKv": {"event": "甲"}},
    "roles twice": {"summary": "。", "roles": [], "structuredKv": {"role": []}},
    "role of nobody": {"summary": "。", "roles": [{"role": "看客"}]},
    "role unknown field": {"summary": "。", "roles": [{"name": "甲", "weight": 1}]},
    "level two": {"summary": "。", "level": 2},
    "level true": {"summary": "。", "level": True},
    "significance": {"summary": "。", "significance": 1.5},
    "moment": {"summary": "。", "moment": {"chapter": -1}},
    "logic text": {"summary": "。", "logic": "因为"},
    "NUL": {"summary": "\x00"},
    "too many": {"summary": "。", "roles": ["甲"] * 1001},
    "unknown field": {"summary": "。", "since": {"chapter": 1}},
    "profile": {"summary": "。", "profile": {"relations": 1}},
}


@pytest.mark.parametrize("fields", BAD.values(), ids=BAD)
def test_bad_events_are_refused(server: Server, told: str, fields: dict[str, Any]) -> None:
    before = contents(server.db)
    refused = server.error("knowledge:event:create", {"projectId": told, **fields})
    assert refused["code"] == "VALIDATION_ERROR", refused
    assert refused["suggestion"]
    response = server.client.post(f"/api/v2/stories/{told}/events", json=fields)
    assert (response.status_code, response.json()["code"]) == (400, "VALIDATION_ERROR")
    assert contents(server.db) == before


def test_ids_that_are_no_events(server: Server, told: str) -> None:
    person, foreign = server.entity(told, "林远"), server.entity(server.new_story(), "外人")
    event = server.data("knowledge:event:create", {"projectId": told, "summary": "。"})["id"]
    for channel, fields in (("read", {}), ("update", {"patch": {"level": 1}}), ("delete", {})):
        for key, code in (
            ("nobody", "NOT_FOUND"),
            (person, "NOT_FOUND"),
            (foreign, "KG_SCOPE_VIOLATION"),
        ):
            ask = {"projectId": told, "id": key, **fields}
            assert server.error(f"knowledge:event:{channel}", ask)["code"] == code
    for key, code in (("nobody", "NOT_FOUND"), (foreign, "KG_SCOPE_VIOLATION"), (event, "VALIDATION_ERROR")):
        patch = {"roles": [{"entityId": key}]}
        ask = {"projectId": told, "id": event, "patch": patch}
        assert server.error("knowledge:event:update", ask)["code"] == code
    for key, code in (("nobody", "NOT_FOUND"), (foreign, "KG_SCOPE_VIOLATION")):
        ask = {"projectId": told, "entityId": key}
        assert server.error("knowledge:event:companions", ask)["code"] == code


@pytest.mark.parametrize("patch", [{}, {"summary": None}, {"roles": None}, {"structuredKv": None}])
def test_bad_changes_are_refused(server: Server, told: str, patch: dict[str, Any]) -> None:
    event = server.data("knowledge:event:create", {"projectId": told, "summary": "。"})["id"]
    error = server.error("knowledge:event:update", {"projectId": told, "id": event, "patch": patch})
    assert error["code"] == "VALIDATION_ERROR"


@pytest.mark.scenario("ENGRAM-EVENTS-BY-NAME")
def test_the_events_of_somebody_are_found_by_name_and_alias(ask: Ask, server: Server, told: str) -> None:
    lin = server.entity(told, "林风", aliases=["林远"])
    for number, roles in enumerate((["林远", "苏晴"], ["苏晴"], ["林风"])):
        event = {"projectId": told, "name": f"事{number}", "roles": roles}
        server.data("knowledge:event:create", event)
    for whom, wanted in ((lin, ["事0", "事2"]), ("林风", ["事0", "事2"]), ("林远", ["事0", "事2"])):
        found = ask("knowledge:event:list", {"projectId": told, "filter": {"entityId": whom}})
        assert sorted(one["name"] for one in found["data"]["items"]) == wanted
    waiting = ask("knowledge:event:list", {"projectId": told, "filter": {"entityId": "苏晴"}})
    assert sorted(one["name"] for one in waiting["data"]["items"]) == ["事0", "事1"], (
        "whom an event waits for"
    )
    refused = ask("knowledge:event:list", {"projectId": told, "filter": {"entityId": "无此人"}})
    assert (refused["error"]["code"], refused["error"]["details"]) == ("NOT_FOUND", {"entityId": "无此人"})
    page = server.client.get(f"/api/v2/stories/{told}/events", params={"entityId": "林远"})
    assert page.json()["totalElements"] == 2
    nobody = server.client.get(f"/api/v2/stories/{told}/events", params={"entityId": "无此人"})
    assert (nobody.status_code, nobody.json()["code"]) == (404, "NOT_FOUND")
    stranger = server.entity(server.new_story(), "外人")
    foreign = ask("knowledge:event:list", {"projectId": told, "filter": {"entityId": stranger}})
    assert foreign["error"]["code"] == "KG_SCOPE_VIOLATION"


@pytest.mark.scenario("ENGRAM-LOCATION")
def test_a_location_comes_out_as_the_text_that_went_in(server: Server, told: str) -> None:
    for number, (given, shown, places) in enumerate(
        (
            ("酒馆", "酒馆", ["酒馆"]),
            ("", "", []),
            (["酒馆"], "酒馆", ["酒馆"]),
            (["酒馆", "码头"], "酒馆、码头", ["酒馆", "码头"]),
            ("酒馆、 码头", "酒馆、码头", ["酒馆", "码头"]),
            ("Paris, Texas", "Paris, Texas", ["Paris, Texas"]),
        )
    ):
        body = {"projectId": told, "name": f"事{number}", "structuredKv": {"location": given}}
        made = server.data("knowledge:event:create", body)
        assert made["structuredKv"]["location"] == shown
        assert [one["name"] for one in made["locations"]] == places
        patch = {"structuredKv": made["structuredKv"]}
        again = server.data("knowledge:event:update", {"projectId": told, "id": made["id"], "patch": patch})
        assert (again["locations"], again["version"]) == (made["locations"], 1), (
            "sent back, it changes nothing"
        )
    for wrong in ("久" * 257, "、".join(f"地{number}" for number in range(65)), 7, {}):
        body = {"projectId": told, "name": "误", "structuredKv": {"location": wrong}}
        assert server.error("knowledge:event:create", body)["code"] == "VALIDATION_ERROR"
