"""MEMORY 3.1.2 and 3.3.2 by their own examples: nodes, edges, the whole graph and a part of it, over REST."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from doors import Server

NODES: list[dict[str, Any]] = [
    {
        "type": "character",
        "name": "林逸",
        "aliases": ["小逸", "逸哥", "林少侠"],
        "description": "主角，天赋异禀的年轻剑修，性格沉稳内敛",
        "attributes": {"firstAppearance": 0, "status": "active"},
    },
    {
        "type": "location",
        "name": "青云山",
        "description": "青云宗所在的灵山，终年云雾缭绕",
        "attributes": {"locationType": "mountain"},
    },
    {
        "type": "event",
        "name": "青云宗入门试炼",
        "description": "林逸参加青云宗的入门试炼，展现出惊人的剑道天赋",
        "attributes": {
            "chapterIndex": 2,
            "sceneIndex": 0,
            "eventType": "milestone",
            "timelinePosition": "第七天清晨",
        },
    },
    {
        "type": "item",
        "name": "寒霜剑",
        "description": "上古神兵，蕴含极寒之力，与林逸血脉共鸣",
        "attributes": {"itemType": "weapon"},
    },
    {
        "type": "concept",
        "name": "剑道九境",
        "description": "修仙世界的剑修境界体系",
        "attributes": {"conceptType": "power_system"},
    },
]
LABELS = {
    "character": "Character",
    "location": "Location",
    "event": "Event",
    "item": "Item",
    "concept": "Concept",
}
OTHERS = {
    "character": ["苏瑶", "玄清真人", "赵无极"],
    "location": ["藏剑阁"],
    "event": ["外门弟子大比"],
}
EDGES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "KNOWS": (
        "林逸",
        "苏瑶",
        {"since": 0, "relationshipType": "师兄弟", "sentiment": "positive", "lastInteractionChapter": 5},
    ),
    "MENTORS": ("玄清真人", "林逸", {"since": 1, "style": "严厉但关爱", "status": "active"}),
    "RIVALS": ("林逸", "赵无极", {"since": 3, "reason": "争夺入室弟子名额", "intensity": "high"}),
    "LOCATED_AT": ("林逸", "青云山", {"chapterIndex": 5, "sceneIndex": 2, "purpose": "修炼闭关"}),
    "PARTICIPATES_IN": (
        "林逸",
        "青云宗入门试炼",
        {"role": "protagonist", "outcome": "通过试炼，被收为弟子"},
    ),
    "POSSESSES": (
        "林逸",
        "寒霜剑",
        {"since": 4, "acquisitionMethod": "机缘巧合获得", "status": "equipped"},
    ),
    "OCCURS_AT": ("青云宗入门试炼", "青云山", {"specificLocation": "试炼广场"}),
    "FOLLOWS": ("青云宗入门试炼", "外门弟子大比", {"causalRelation": "enables", "timeGap": "三个月后"}),
    "BELONGS_TO": ("林逸", "剑道九境", {"level": "通灵境", "rank": 2}),
    "LOCATED_IN": ("藏剑阁", "青云山", {}),
}


class Mountain:
    """The world of the examples."""

    def __init__(self, server: Server, story: str) -> None:
        self.server, self.story = server, story
        self.ids = {node["name"]: server.entity(story, **node) for node in NODES}
        for type_, names in OTHERS.items():
            self.ids |= {name: server.entity(story, name, type=type_) for name in names}

    def call(self, method: str, path: str, status: int = 200, **more: Any) -> Any:
        response = self.server.client.request(method, f"/api/v2/stories/{self.story}/{path}", **more)
        assert response.status_code == status, response.text
        return response.json() if response.content else None

    def relate(self, word: str) -> dict[str, Any]:
        source, target, properties = EDGES[word]
        body = {
            "sourceId": self.ids[source],
            "targetId": self.ids[target],
            "type": word,
            "properties": properties,
        }
        made: dict[str, Any] = self.call("POST", "knowledge-graph/relationships", 201, json=body)
        return made


@pytest.fixture
def mountain(server: Server, told: str) -> Mountain:
    return Mountain(server, told)


@pytest.mark.scenario(
    "MEMORY-NODE-CHARACTER", "MEMORY-NODE-LOCATION", "MEMORY-NODE-EVENT", "MEMORY-NODE-ITEM"
)
@pytest.mark.scenario("MEMORY-NODE-CONCEPT", "MEMORY-FULL-GRAPH", "MEMORY-SUBGRAPH-SHAPE")
def test_the_nodes_that_are_shown(mountain: Mountain) -> None:
    whole = mountain.call("GET", "graph")
    nodes = {node["name"]: node for node in whole["nodes"]}
    for given in NODES:
        node = nodes[given["name"]]
        assert node.keys() == {"id", "name", "type", "properties"}
        assert (node["id"], node["type"]) == (mountain.ids[given["name"]], LABELS[given["type"]])
        assert node["properties"]["description"] == given["description"]
        assert node["properties"].items() >= given["attributes"].items()
    assert nodes["林逸"]["properties"]["aliases"] == ["小逸", "逸哥", "林少侠"]
    assert whole["stats"] == {
        "totalNodes": 10,
        "totalEdges": 0,
        "nodesByType": {"Character": 4, "Location": 2, "Event": 2, "Item": 1, "Concept": 1},
    }


@pytest.mark.scenario(
    "MEMORY-EDGE-KNOWS", "MEMORY-EDGE-MENTORS", "MEMORY-EDGE-RIVALS", "MEMORY-EDGE-LOCATED-AT"
)
@pytest.mark.scenario("MEMORY-EDGE-PARTICIPATES-IN", "MEMORY-EDGE-POSSESSES", "MEMORY-EDGE-OCCURS-AT")
@pytest.mark.scenario("MEMORY-EDGE-FOLLOWS", "MEMORY-EDGE-BELONGS-TO", "MEMORY-EDGE-LOCATED-IN")
@pytest.mark.scenario("MEMORY-SUBGRAPH-SHAPE", "MEMORY-REST-EDITING")
@pytest.mark.parametrize("word", EDGES)
def test_an_edge_that_is_shown_keeps_what_it_says(mountain: Mountain, word: str) -> None:
    source, target, properties = EDGES[word]
    made = mountain.relate(word)
    assert made.keys() == {"id", "sourceId", "targetId", "type", "properties"}
    assert (made["sourceId"], made["targetId"]) == (mountain.ids[source], mountain.ids[target])
    assert made["type"] == ("OWNS" if word == "POSSESSES" else word)
    assert made["properties"].items() >= properties.items()
    (edge,) = mountain.call("GET", "graph")["edges"]
    assert (edge["id"], edge["type"]) == (made["id"], made["type"])
    assert edge["properties"].items() >= properties.items()
    path = f"knowledge-graph/relationships/{made['id']}"
    assert mountain.call("DELETE", path, 204) is None
    assert mountain.call("GET", "graph")["edges"] == []


@pytest.mark.scenario("MEMORY-REST-GRAPH", "MEMORY-REST-PREFIX")
def test_the_whole_graph_that_is_shown(mountain: Mountain) -> None:
    knows, at = mountain.relate("KNOWS"), mountain.relate("LOCATED_AT")
    whole = mountain.call("GET", "graph")
    assert whole.keys() == {"nodes", "edges", "stats"}
    assert {edge["id"]: edge for edge in whole["edges"]} == {knows["id"]: knows, at["id"]: at}
    asked = {"since": 0, "relationshipType": "师兄弟", "sentiment": "positive"}
    assert knows["properties"].items() >= asked.items()
    assert at["properties"].items() >= {"chapterIndex": 5, "purpose": "修炼闭关"}.items()
    assert (whole["stats"]["totalNodes"], whole["stats"]["totalEdges"]) == (10, 2)


@pytest.mark.scenario("MEMORY-REST-GRAPH-QUERY", "MEMORY-RELATED", "MEMORY-GRAPH-SENTENCES")
def test_the_question_that_is_shown(mountain: Mountain) -> None:
    for word in ("KNOWS", "MENTORS", "RIVALS", "POSSESSES", "OCCURS_AT"):
        mountain.relate(word)
    around = mountain.call("GET", "graph/query?entity=林逸&depth=2")
    assert around.keys() >= {"centerNode", "nodes", "edges", "naturalLanguageDescription"}
    assert around["centerNode"] == {"id": mountain.ids["林逸"], "name": "林逸", "type": "Character"}
    assert {node["name"] for node in around["nodes"]} == {"林逸", "苏瑶", "玄清真人", "赵无极", "寒霜剑"}
    told = around["naturalLanguageDescription"]
    wanted = ("林逸", "玄清真人", "苏瑶", "师兄弟", "赵无极", "寒霜剑")
    assert [word for word in wanted if word not in told] == []


@pytest.mark.scenario("MEMORY-REST-GRAPH-QUERY-ERRORS", "MEMORY-REST-GRAPH-ERRORS")
def test_the_errors_that_are_named(mountain: Mountain) -> None:
    assert mountain.call("GET", "graph/query?depth=2", 400)["code"] == "VALIDATION_ERROR"
    assert mountain.call("GET", "graph/query?entity=&depth=2", 400)["code"] == "VALIDATION_ERROR"
    assert mountain.call("GET", "graph/query?entity=无此人&depth=2", 404)["code"] == "NOT_FOUND"
    nowhere = mountain.server.client.get(f"/api/v2/stories/{uuid4()}/graph")
    assert (nowhere.status_code, nowhere.json()["code"]) == (404, "NOT_FOUND")


@pytest.mark.scenario("MEMORY-REST-GRAPH-SYNC")
def test_the_sync_that_is_shown(mountain: Mountain) -> None:
    taken = mountain.call("POST", "graph/sync", 202, json={"scope": "full", "forceReindex": False})
    assert taken.keys() == {"taskId", "status", "message"}
    assert taken["status"] == "processing"
    assert mountain.server.ended(taken["taskId"])["status"] == "done"


@pytest.mark.scenario("MEMORY-REST-EDITING")
def test_a_node_is_changed_and_deleted_as_the_entry_of_its_key(mountain: Mountain) -> None:
    mountain.relate("POSSESSES")
    path = "lorebook/entries/寒霜剑"
    assert mountain.call("PUT", path, json={"content": "断剑。"})["content"] == "断剑。"
    nodes = {node["name"]: node["properties"] for node in mountain.call("GET", "graph")["nodes"]}
    assert nodes["寒霜剑"]["description"] == "断剑。"
    assert mountain.call("DELETE", path, 204) is None
    after = mountain.call("GET", "graph")
    assert "寒霜剑" not in {node["name"] for node in after["nodes"]}
    assert after["edges"] == []
