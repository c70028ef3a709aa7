"""The graph as columns, and a place in it for everybody."""

from __future__ import annotations

from typing import Any

import pytest

from doors import Server


def picture(server: Server, story: str, **query: int) -> dict[str, Any]:
    response = server.client.get(f"/api/v2/stories/{story}/graph/picture", params=query)
    assert response.status_code == 200, response.text
    return dict(response.json())


def lay_out(server: Server, story: str) -> dict[str, Any]:
    response = server.client.post(f"/api/v2/stories/{story}/graph/layout")
    assert response.status_code == 200, response.text
    return dict(response.json())


def do(server: Server, channel: str, story: str, **fields: Any) -> Any:
    answer = server.ask(channel, {"projectId": story, **fields})
    assert answer["ok"], answer
    return answer["data"]


def relate(server: Server, story: str, source: str, target: str, word: str, **more: Any) -> str:
    ends = {"sourceEntityId": source, "targetEntityId": target, "relationType": word}
    return str(do(server, "knowledge:relation:create", story, **ends, **more)["id"])


def edges(drawn: dict[str, Any]) -> set[tuple[str, str, str]]:
    nodes, lines = drawn["nodes"]["names"], drawn["edges"]
    columns = zip(lines["sources"], lines["types"], lines["targets"], strict=True)
    return {(nodes[source], drawn["edgeTypes"][kind], nodes[target]) for source, kind, target in columns}


def places(drawn: dict[str, Any]) -> dict[str, tuple[float, float]]:
    columns = (drawn["nodes"][name] for name in ("ids", "x", "y"))
    return {key: (x, y) for key, x, y in zip(*columns, strict=True)}


def test_columns_say_what_the_graph_says(server: Server, told: str) -> None:
    lin, su = (server.entity(told, name) for name in ("林逸", "苏瑶"))
    mount = server.entity(told, "青云山", type="location")
    relate(server, told, lin, su, "ally")
    roles = [{"entityId": lin}, {"entityId": su}]
    do(
        server,
        "knowledge:event:create",
        told,
        name="比剑",
        summary="比剑。",
        roles=roles,
        locations=["青云山"],
    )
    drawn = picture(server, told)
    assert dict(zip(drawn["nodes"]["ids"], drawn["nodes"]["names"], strict=True))[mount] == "青云山"
    assert edges(drawn) == {
        ("林逸", "ally", "苏瑶"),
        ("林逸", "participates_in", "比剑"),
        ("苏瑶", "participates_in", "比剑"),
        ("比剑", "occurs_at", "青云山"),
    }
    assert drawn["edges"]["types"][0] == drawn["edgeTypes"].index("ally")
    degrees = dict(zip(drawn["nodes"]["names"], drawn["nodes"]["degrees"], strict=True))
    assert degrees == {"林逸": 2, "苏瑶": 2, "青云山": 1, "比剑": 3}
    whole = server.client.get(f"/api/v2/stories/{told}/graph").json()["stats"]
    assert (drawn["totalNodes"], drawn["totalEdges"]) == (whole["totalNodes"], whole["totalEdges"])


def test_as_of_a_chapter_only_what_is_there(server: Server, told: str) -> None:
    lin, su = (server.entity(told, name) for name in ("林逸", "苏瑶"))
    late = server.entity(told, "白鹭", since={"chapter": 3})
    relate(server, told, lin, su, "enemy", until={"chapter": 1})
    relate(server, told, lin, late, "ally")
    early = picture(server, told, chapter=1)
    assert edges(early) == {("林逸", "enemy", "苏瑶")}
    assert (len(early["nodes"]["ids"]), early["totalNodes"], early["totalEdges"]) == (2, 3, 2)
    assert early["unplaced"] == 2
    assert edges(picture(server, told, chapter=3)) == {("林逸", "ally", "白鹭")}


def test_a_layout_places_those_without_a_place_and_nobody_else(server: Server, told: str) -> None:
    ids = [server.entity(told, f"节点{number}") for number in range(6)]
    do(
        server,
        "knowledge:entity:update",
        told,
        id=ids[0],
        expectedVersion=1,
        patch={"layoutX": 7, "layoutY": -3},
    )
    relate(server, told, ids[0], ids[1], "ally")
    assert lay_out(server, told) == {"placed": 5, "taskId": None}
    drawn = picture(server, told)
    assert drawn["unplaced"] == 0
    place = places(drawn)
    assert place[ids[0]] == (7, -3)
    assert len(set(place.values())) == 6
    assert lay_out(server, told) == {"placed": 0, "taskId": None}
    new = server.entity(told, "后来者")
    assert lay_out(server, told)["placed"] == 1
    later = picture(server, told)
    moved = places(later)
    assert moved.pop(new) not in place.values()
    assert moved == place
    # What is told of them is not changed by it: whoever has the form open can still save.
    assert do(server, "knowledge:entity:read", told, id=ids[1])["version"] == 1


def test_undo_passes_a_layout_over_and_leaves_places_alone(server: Server, told: str) -> None:
    lin = server.entity(told, "林逸")
    do(server, "knowledge:entity:update", told, id=lin, expectedVersion=1, patch={"description": "剑修。"})
    lay_out(server, told)
    before = do(server, "knowledge:entity:read", told, id=lin)
    do(server, "knowledge:history:undo", told)
    after = do(server, "knowledge:entity:read", told, id=lin)
    assert after["description"] == ""
    assert (after["layoutX"], after["layoutY"]) == (before["layoutX"], before["layoutY"])
    assert after["layoutX"] is not None
    do(server, "knowledge:history:redo", told)
    assert do(server, "knowledge:entity:read", told, id=lin)["description"] == "剑修。"
    # A move by hand is a deed like any other.
    version = do(server, "knowledge:entity:read", told, id=lin)["version"]
    patch = {"layoutX": 500, "layoutY": 500}
    do(server, "knowledge:entity:update", told, id=lin, expectedVersion=version, patch=patch)
    do(server, "knowledge:history:undo", told)
    assert do(server, "knowledge:entity:read", told, id=lin)["layoutX"] == before["layoutX"]


def test_what_was_created_before_a_layout_can_be_taken_back(server: Server, told: str) -> None:
    server.entity(told, "林逸")
    lay_out(server, told)
    do(server, "knowledge:history:undo", told)
    assert picture(server, told)["nodes"]["ids"] == []


@pytest.mark.slow
def test_many_are_placed_in_the_background(server: Server, told: str) -> None:
    entities = [{"id": f"e{number}", "type": "character", "name": f"角色{number}"} for number in range(2_100)]
    relations = [
        {"sourceEntityId": f"e{number}", "targetEntityId": f"e{number // 7}", "relationType": "ally"}
        for number in range(1, 2_100)
    ]
    do(server, "knowledge:batch:upsert", told, entities=entities, relations=relations)
    begun = lay_out(server, told)
    assert begun["placed"] == 0
    job = server.ended(begun["taskId"])
    assert (job["kind"], job["status"], job["progress"]) == ("graph-layout", "done", 1.0)
    assert picture(server, told)["unplaced"] == 0


def test_an_empty_story_and_none(server: Server, told: str) -> None:
    assert lay_out(server, told)["placed"] == 0
    assert picture(server, told)["nodes"]["ids"] == []
    assert server.client.get("/api/v2/stories/nowhere/graph/picture").json()["code"] == "NOT_FOUND"
    assert server.client.post("/api/v2/stories/nowhere/graph/layout").json()["code"] == "NOT_FOUND"
