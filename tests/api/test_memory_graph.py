"""The graph over REST, by the examples of MEMORY 3.3.2."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Any
from uuid import uuid4

import httpx
import pytest

from doors import Server
from fabula.api.app import create_app
from fabula.memory import Memory
from waiting import PATIENCE

ADDRESSES = ["graph/relationships", "knowledge-graph/relationships"]


class Graph:
    """The graph of one story with MEMORY's people in it."""

    def __init__(self, server: Server, story: str) -> None:
        self.server, self.story = server, story
        self.lin = server.entity(
            story,
            "林逸",
            aliases=["小逸", "逸哥"],
            description="主角，天赋异禀的年轻剑修",
            attributes={"status": "active", "firstAppearance": 0},
        )
        self.su = server.entity(story, "苏瑶")
        self.mount = server.entity(
            story,
            "青云山",
            type="location",
            description="青云宗所在的灵山",
            attributes={"locationType": "mountain"},
        )

    def call(self, method: str, path: str, status: int = 200, **more: Any) -> Any:
        response = self.server.client.request(method, f"/api/v2/stories/{self.story}/{path}", **more)
        assert response.status_code == status, response.text
        return response.json() if response.content else None

    def refused(self, method: str, path: str, status: int, code: str, **more: Any) -> dict[str, Any]:
        body: dict[str, Any] = self.call(method, path, status, **more)
        assert set(body) <= {"code", "message", "details", "suggestion"}
        assert body["code"] == code
        return body

    def relate(self, source: str, target: str, word: str, **more: Any) -> dict[str, Any]:
        body = {"sourceId": source, "targetId": target, "type": word, **more}
        made: dict[str, Any] = self.call("POST", "graph/relationships", 201, json=body)
        return made


@pytest.fixture
def graph(server: Server, told: str) -> Graph:
    return Graph(server, told)


def test_the_whole_graph_is_as_in_the_example(graph: Graph) -> None:
    properties = {"since": 0, "relationshipType": "师兄弟", "sentiment": "positive"}
    knows = graph.relate(graph.lin, graph.su, "KNOWS", properties=properties)
    at = graph.relate(
        graph.lin, graph.mount, "LOCATED_AT", properties={"chapterIndex": 5, "purpose": "修炼闭关"}
    )
    whole = graph.call("GET", "graph")
    assert set(whole) == {"nodes", "edges", "stats"}
    nodes = {node["id"]: node for node in whole["nodes"]}
    lin = nodes[graph.lin]
    assert (lin["name"], lin["type"]) == ("林逸", "Character")
    example = {
        "aliases": ["小逸", "逸哥"],
        "description": "主角，天赋异禀的年轻剑修",
        "status": "active",
        "firstAppearance": 0,
    }
    assert lin["properties"].items() >= example.items()
    assert nodes[graph.mount]["type"] == "Location"
    assert nodes[graph.mount]["properties"]["locationType"] == "mountain"
    edges = {edge["id"]: edge for edge in whole["edges"]}
    assert edges == {knows["id"]: knows, at["id"]: at}
    assert (knows["sourceId"], knows["targetId"], knows["type"]) == (graph.lin, graph.su, "KNOWS")
    assert knows["properties"].items() >= properties.items()
    assert at["type"] == "LOCATED_AT"
    assert at["properties"].items() >= {"chapterIndex": 5, "purpose": "修炼闭关"}.items()
    assert whole["stats"] == {
        "totalNodes": 3,
        "totalEdges": 2,
        "nodesByType": {"Character": 2, "Location": 1},
    }


def test_a_node_says_in_which_chapter_it_begins(graph: Graph) -> None:
    server, story = graph.server, graph.story
    late = server.entity(story, "白衣人", since={"chapter": 5})
    duel = server.entity(story, "青云之战", type="event", since={"chapter": 7, "scene": 1})
    told = server.entity(story, "旧识", since={"chapter": 5}, attributes={"firstAppearance": 2})
    nodes = {node["id"]: node["properties"] for node in graph.call("GET", "graph")["nodes"]}
    assert (nodes[late]["firstAppearance"], nodes[duel]["chapterIndex"]) == (5, 7)
    assert "firstAppearance" not in nodes[duel]
    assert nodes[told]["firstAppearance"] == 2, "what the author says counts"


def test_an_empty_graph_is_a_graph(server: Server, told: str) -> None:
    response = server.client.get(f"/api/v2/stories/{told}/graph")
    assert response.status_code == 200
    assert response.json() == {
        "nodes": [],
        "edges": [],
        "stats": {"totalNodes": 0, "totalEdges": 0, "nodesByType": {}},
    }


def test_a_question_about_somebody_shows_what_is_around_them(graph: Graph) -> None:
    server, story = graph.server, graph.story
    master, far = server.entity(story, "玄清真人"), server.entity(story, "远客")
    graph.relate(master, graph.lin, "MENTORS")
    graph.relate(graph.su, far, "KNOWS")
    graph.relate(graph.lin, graph.su, "KNOWS", properties={"relationshipType": "同门师兄妹"})
    around = graph.call("GET", "graph/query", params={"entity": "林逸", "depth": 2})
    assert around["centerNode"] == {"id": graph.lin, "name": "林逸", "type": "Character"}
    assert {node["name"] for node in around["nodes"]} == {"林逸", "苏瑶", "玄清真人", "远客"}
    assert {edge["type"] for edge in around["edges"]} == {"KNOWS", "MENTORS"}
    told = around["naturalLanguageDescription"]
    assert "苏瑶" in told
    assert "同门师兄妹" in told
    assert "玄清真人" in told
    near = graph.call("GET", "graph/query", params={"entity": "小逸", "depth": 1})
    assert near["centerNode"]["id"] == graph.lin
    assert {node["name"] for node in near["nodes"]} == {"林逸", "苏瑶", "玄清真人"}
    assert graph.call("GET", "graph/query", params={"entity": "小逸"}) == {
        **around,
        "centerNode": around["centerNode"],
    }


def test_a_question_as_of_a_chapter_knows_nothing_later(graph: Graph) -> None:
    graph.relate(graph.lin, graph.su, "KNOWS", since={"chapter": 5, "scene": 1}, until={"chapter": 6})
    for chapter, scene, seen in ((5, 0, False), (5, 1, True), (6, 99, True), (7, 0, False)):
        query = {"entity": "林逸", "chapter": chapter, "scene": scene}
        around = graph.call("GET", "graph/query", params=query)
        assert bool(around["edges"]) == seen
        assert ("苏瑶" in around["naturalLanguageDescription"]) == seen


def test_a_question_about_nobody_is_refused(graph: Graph) -> None:
    for query in ({}, {"entity": ""}, {"entity": "  "}):
        graph.refused("GET", "graph/query", 400, "VALIDATION_ERROR", params=query)
    graph.refused("GET", "graph/query", 404, "NOT_FOUND", params={"entity": "无此人"})
    graph.refused("GET", "graph/query", 404, "NOT_FOUND", params={"entity": "逸"})
    graph.refused("GET", "graph/query", 400, "VALIDATION_ERROR", params={"entity": "林逸", "depth": 0})
    graph.refused("GET", "graph/query", 400, "KG_SUBGRAPH_K_EXCEEDED", params={"entity": "林逸", "depth": 4})


def test_a_story_that_does_not_exist_has_no_graph(server: Server) -> None:
    here = f"/api/v2/stories/{uuid4()}"
    for path in ("graph", "graph/query?entity=x", *ADDRESSES):
        response = server.client.get(f"{here}/{path}")
        assert (response.status_code, response.json()["code"]) == (404, "NOT_FOUND"), path


@pytest.mark.parametrize("address", ADDRESSES)
def test_relations_are_made_changed_listed_and_deleted_under_both_addresses(
    graph: Graph, address: str
) -> None:
    other = ADDRESSES[1 - ADDRESSES.index(address)]
    body = {"sourceId": graph.lin, "targetId": graph.su, "type": "knows", "description": "同门"}
    made = graph.call("POST", address, 201, json=body)
    assert (made["type"], made["properties"]["description"]) == ("KNOWS", "同门")
    named = graph.call(
        "POST", address, 201, json={"source": "小逸", "target": "青云山", "type": "LOCATED_AT"}
    )
    assert (named["sourceId"], named["targetId"]) == (graph.lin, graph.mount)
    page = graph.call("GET", other, params={"page": 0, "size": 1})
    assert {key: page[key] for key in page if key != "content"} == {
        "totalElements": 2,
        "totalPages": 2,
        "number": 0,
        "size": 1,
    }
    assert page["content"] == [named]
    changed = graph.call("PUT", f"{other}/{made['id']}", json={"description": "生死之交"})
    assert (changed["id"], changed["type"]) == (made["id"], "KNOWS")
    assert changed["properties"]["description"] == "生死之交"
    assert graph.call("DELETE", f"{address}/{made['id']}", 204) is None
    graph.refused("DELETE", f"{other}/{made['id']}", 404, "NOT_FOUND")
    graph.refused("PUT", f"{other}/{made['id']}", 404, "NOT_FOUND", json={"description": "x"})
    assert graph.call("GET", "graph")["stats"]["totalNodes"] == 3


def test_a_bad_relation_is_refused(graph: Graph) -> None:
    url = ADDRESSES[0]
    wrong: list[dict[str, Any]] = [
        {},
        {"sourceId": graph.lin, "type": "KNOWS"},
        {"sourceId": graph.lin, "targetId": graph.su},
        {"sourceId": graph.lin, "targetId": graph.su, "type": ""},
        {"sourceId": graph.lin, "targetId": graph.su, "type": "KNOWS", "since": {"chapter": -1}},
        {
            "source": "林逸",
            "target": "苏瑶",
            "type": "KNOWS",
            "since": {"chapter": 2},
            "until": {"chapter": 1},
        },
    ]
    for body in wrong:
        graph.refused("POST", url, 400, "VALIDATION_ERROR", json=body)
    loop = {"sourceId": graph.lin, "targetId": graph.lin, "type": "KNOWS"}
    graph.refused("POST", url, 400, "KG_RELATION_INVALID", json=loop)
    nobody = {"sourceId": graph.lin, "targetId": str(uuid4()), "type": "KNOWS"}
    assert graph.call("POST", url, 400, json=nobody)["code"] == "KG_RELATION_INVALID"
    assert graph.call("GET", "graph")["edges"] == []


def test_a_bad_change_of_a_relation_is_refused(graph: Graph) -> None:
    made = graph.relate(graph.lin, graph.su, "KNOWS", since={"chapter": 3})
    path = f"{ADDRESSES[0]}/{made['id']}"
    for patch in ({}, {"type": ""}, {"type": None}, {"description": None}, {"expectedVersion": 0}):
        body = patch if "expectedVersion" not in patch else {"description": "x", **patch}
        response = graph.server.client.put(f"/api/v2/stories/{graph.story}/{path}", json=body)
        assert response.status_code in (400, 409), (patch, response.text)
    response = graph.server.client.put(
        f"/api/v2/stories/{graph.story}/{path}", json={"until": {"chapter": 1}}
    )
    assert response.status_code == 400, response.text
    assert graph.call("GET", "graph")["edges"] == [made]


def test_an_edge_can_be_sent_back_as_it_came(graph: Graph) -> None:
    made = graph.relate(
        graph.lin,
        graph.su,
        "KNOWS",
        description="同门",
        since={"chapter": 3, "scene": 2},
        properties={"x": 1},
    )
    path = f"{ADDRESSES[0]}/{made['id']}"
    again = graph.call("PUT", path, json={"properties": {**made["properties"], "y": 2}})
    assert again["properties"] == {**made["properties"], "y": 2, "version": 2}
    around = graph.call("GET", "graph/query", params={"entity": "林逸", "chapter": 3, "scene": 1})
    assert around["edges"] == []


def test_two_who_edit_the_same_relation(graph: Graph) -> None:
    made = graph.relate(graph.lin, graph.su, "KNOWS")
    version = made["properties"]["version"]
    path = f"{ADDRESSES[0]}/{made['id']}"
    won = graph.call("PUT", path, json={"description": "甲", "expectedVersion": version})
    lost = graph.call("PUT", path, 409, json={"description": "乙", "expectedVersion": version})
    assert lost["details"]["latestSnapshot"]["description"] == "甲"
    assert graph.call("GET", "graph")["edges"] == [won]


def test_a_node_is_an_entry_and_goes_with_it(graph: Graph) -> None:
    entry = {"entryKey": "寒霜剑", "category": "item", "content": "上古神兵。"}
    made = graph.call("POST", "lorebook", 201, json=entry)
    owns = graph.relate(graph.lin, made["entityId"], "POSSESSES")
    assert owns["type"] == "OWNS"
    node = next(n for n in graph.call("GET", "graph")["nodes"] if n["id"] == made["entityId"])
    assert (node["name"], node["type"], node["properties"]["description"]) == ("寒霜剑", "Item", "上古神兵。")
    assert graph.call("DELETE", f"lorebook/{made['id']}", 204) is None
    assert graph.call("GET", "graph")["edges"] == []
    assert graph.call("GET", "graph")["stats"]["totalNodes"] == 3


@pytest.mark.parametrize("scope", ["graph", "lorebook", "story"])
def test_every_kind_of_write_can_be_undone(graph: Graph, scope: str) -> None:
    moment = {"chapterIndex": 0, "sceneIndex": 0}
    edge = graph.relate(graph.lin, graph.su, "KNOWS")
    entry = graph.call(
        "POST", "lorebook", 201, json={"entryKey": "寒霜剑", "category": "item", "content": "剑"}
    )
    custom = graph.call("POST", "lorebook", 201, json={"entryKey": "规矩", "content": "听话。"})
    graph.call("PUT", "chapters/0/scenes/0", 201, json={"text": "林逸来了。"})
    graph.call("POST", "snapshots", 201, json={**moment, "summary": "一"})
    writes: dict[str, list[tuple[str, str, Any]]] = {
        "graph": [
            ("POST", ADDRESSES[1], {"sourceId": graph.lin, "targetId": graph.mount, "type": "LOCATED_AT"}),
            ("PUT", f"{ADDRESSES[0]}/{edge['id']}", {"description": "旧识"}),
            ("DELETE", f"{ADDRESSES[0]}/{edge['id']}", None),
        ],
        "lorebook": [
            ("POST", "lorebook", {"entryKey": "新", "category": "event", "content": "事"}),
            ("PUT", f"lorebook/{entry['id']}", {"entryKey": "霜剑", "content": "神兵", "priority": 3}),
            ("PUT", f"lorebook/{entry['id']}", {"category": "custom"}),
            ("PUT", f"lorebook/{custom['id']}", {"category": "concept"}),
            ("PUT", "lorebook/entries/林逸", {"priority": 9}),
            ("DELETE", f"lorebook/{entry['id']}", None),
            ("DELETE", "lorebook/entries/林逸", None),
            ("POST", "lorebook/import", {"entries": [{"entryKey": "甲", "content": "甲"}]}),
            ("PATCH", "lorebook", {"ids": [entry["id"], custom["id"]], "patch": {"enabled": False}}),
            ("POST", "lorebook/bulk-delete", {"ids": [entry["id"], custom["id"]]}),
        ],
        "story": [
            ("PATCH", "", {"title": "新题"}),
            ("PUT", "chapters/0", {"title": "第一章"}),
            ("PUT", "chapters/0/scenes/0", {"text": "林逸走了。"}),
            ("PUT", "chapters/0/scenes/1", {"text": "苏瑶来了。"}),
            ("DELETE", "chapters/0/scenes/0", None),
            ("POST", "snapshots", {**moment, "summary": "二"}),
            ("POST", "snapshots", {"chapterIndex": 0, "sceneIndex": 1, "summary": "三"}),
        ],
    }

    def content() -> str:
        own = {"version", "updatedAt", "revision"}

        def plain(node: Any) -> Any:
            if isinstance(node, dict):
                return {key: plain(value) for key, value in sorted(node.items()) if key not in own}
            return [plain(item) for item in node] if isinstance(node, list) else node

        whole = graph.call("GET", "graph")
        whole["nodes"].sort(key=lambda node: node["id"])
        whole["edges"].sort(key=lambda one: one["id"])
        scenes = [
            graph.server.client.get(f"/api/v2/stories/{graph.story}/chapters/0/scenes/{n}").json()
            for n in (0, 1)
        ]
        paths = ("lorebook/export", "chapters", "snapshots")
        story = graph.server.client.get(f"/api/v2/stories/{graph.story}").json()
        return str(plain([whole, scenes, story, *(graph.call("GET", path) for path in paths)]))

    for method, path, body in writes[scope]:
        before = content()
        url = f"/api/v2/stories/{graph.story}/{path}".rstrip("/")
        done = graph.server.client.request(method, url, json=body)
        assert done.is_success, (method, path, done.text)
        after = content()
        assert after != before, path
        graph.call("POST", "history/undo")
        assert content() == before, path
        graph.call("POST", "history/redo")
        assert content() == after, path
        graph.call("POST", "history/undo")


def test_a_sync_is_taken_on_and_done_in_the_background(graph: Graph) -> None:
    graph.relate(graph.lin, graph.su, "KNOWS")
    taken = graph.call("POST", "graph/sync", 202, json={"scope": "full", "forceReindex": False})
    assert set(taken) == {"taskId", "status", "message"}
    assert taken["status"] == "processing"
    assert "3" in taken["message"]
    url = f"/api/v2/jobs/{taken['taskId']}"
    job = graph.server.client.get(url).json()
    deadline = time.monotonic() + PATIENCE
    while job["status"] == "processing" and time.monotonic() < deadline:
        job = graph.server.client.get(url).json()
    assert (job["id"], job["storyId"], job["status"]) == (taken["taskId"], graph.story, "done")
    assert job["progress"] == 1.0
    assert graph.server.client.delete(url).json() == job
    assert graph.call("GET", "graph")["stats"]["totalEdges"] == 1
    graph.refused("POST", "graph/sync", 400, "VALIDATION_ERROR", json={"scope": "half"})
    for method in ("GET", "DELETE"):
        missing = graph.server.client.request(method, f"/api/v2/jobs/{uuid4()}")
        assert (missing.status_code, missing.json()["code"]) == (404, "NOT_FOUND")
    nowhere = graph.server.client.post(f"/api/v2/stories/{uuid4()}/graph/sync")
    assert (nowhere.status_code, nowhere.json()["code"]) == (404, "NOT_FOUND")


def asked(memory: Memory, method: str, path: str) -> httpx.Response:
    """The answer of an application in this process."""

    async def send() -> httpx.Response:
        door = httpx.ASGITransport(create_app(memory, version="0"))
        async with httpx.AsyncClient(transport=door, base_url="http://localhost/api/v2") as client:
            return await client.request(method, path)

    return asyncio.run(send())


def test_a_second_sync_waits_for_the_first(memory: Memory) -> None:
    story, other = memory.story("甲"), memory.story("乙")
    call = memory.call()
    # Whoever holds the index lets the sync wait.
    with call.store.read() as reader, call.indexes.lease(reader, story.id):
        running = asked(memory, "POST", f"/stories/{story.id}/graph/sync").json()["taskId"]
        refused = asked(memory, "POST", f"/stories/{story.id}/graph/sync")
        assert (refused.status_code, refused.json()["code"]) == (409, "JOB_IN_PROGRESS")
        assert refused.json()["details"]["taskId"] == running
        assert asked(memory, "POST", f"/stories/{other.id}/graph/sync").status_code == 202
        assert asked(memory, "GET", f"/jobs/{running}").json()["status"] == "processing"
        assert asked(memory, "DELETE", f"/jobs/{running}").json()["status"] == "cancelled"
        assert asked(memory, "POST", f"/stories/{story.id}/graph/sync").status_code == 202
    for thread in threading.enumerate():
        if thread.name.startswith("job-"):
            thread.join(PATIENCE)
    assert asked(memory, "GET", f"/jobs/{running}").json()["status"] == "cancelled"
