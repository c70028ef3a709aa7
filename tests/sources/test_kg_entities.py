"""KG: entities by hand, duplicates, conflicts."""

from __future__ import annotations

import json

import pytest

from doors import Server, contents, rows

ENTITY = (
    "SELECT type, name, description, attributes_json, version FROM kg_entities WHERE project_id=? AND id=?"
)


@pytest.mark.scenario("KG1-R1-S1")
def test_a_character_is_created_by_hand(server: Server, told: str) -> None:
    entity = server.data("knowledge:entity:create", {"projectId": told, "type": "character", "name": "林远"})
    assert (entity["projectId"], entity["type"], entity["name"]) == (told, "character", "林远")
    assert (entity["description"], entity["attributes"], entity["version"]) == ("", {}, 1)
    assert entity["createdAt"] == entity["updatedAt"]
    assert rows(server.db, ENTITY, told, entity["id"]) == [("character", "林远", "", "{}", 1)]
    read = server.data("knowledge:entity:read", {"projectId": told, "id": entity["id"]})
    assert read == entity
    assert server.data("knowledge:entity:list", {"projectId": told}) == {"items": [entity], "totalCount": 1}


@pytest.mark.scenario("KG1-R1-S1")
def test_what_is_no_entity_is_not_kept(server: Server, told: str) -> None:
    before = contents(server.db)
    refused = server.error("knowledge:entity:create", {"projectId": told, "type": "dragon", "name": "林远"})
    assert refused["code"] == "VALIDATION_ERROR"
    assert contents(server.db) == before


@pytest.mark.scenario("KG1-R1-S2")
def test_description_and_attributes_are_changed(server: Server, told: str) -> None:
    entity = server.entity(told, "林远")
    changed = server.data(
        "knowledge:entity:update",
        {
            "projectId": told,
            "id": entity,
            "expectedVersion": 1,
            "patch": {"description": "侦探", "attributes": {"年龄": 28}},
        },
    )
    assert (changed["description"], changed["attributes"], changed["version"]) == ("侦探", {"年龄": 28}, 2)
    [(_, _, description, attributes_json, version)] = rows(server.db, ENTITY, told, entity)
    assert (description, json.loads(attributes_json), version) == ("侦探", {"年龄": 28}, 2)
    assert changed["updatedAt"] > changed["createdAt"]


@pytest.mark.scenario("KG1-R1-S2", "KG-ATTRIBUTE-LIMIT")
def test_an_entity_may_have_200_attributes_and_no_more(server: Server, told: str) -> None:
    entity = server.entity(told, "林远")
    update = {"projectId": told, "id": entity, "expectedVersion": 1}
    before = contents(server.db)
    crowd = {f"属性{number}": number for number in range(201)}
    refused = server.error("knowledge:entity:update", {**update, "patch": {"attributes": crowd}})
    assert refused["code"] == "KG_ATTRIBUTE_KEYS_EXCEEDED"
    assert refused["details"] == {"limit": 200, "count": 201}
    assert refused["suggestion"]
    assert contents(server.db) == before
    crowd.popitem()
    kept = server.data("knowledge:entity:update", {**update, "patch": {"attributes": crowd}})
    assert kept["attributes"] == crowd
    [(_, _, _, attributes_json, _)] = rows(server.db, ENTITY, told, entity)
    assert json.loads(attributes_json) == crowd


@pytest.mark.scenario("KG1-R1-S3")
def test_a_deleted_entity_takes_its_relations_along(server: Server, told: str) -> None:
    gone, *others = (server.entity(told, name) for name in ("林远", "苏晚", "陈默", "老街"))
    server.relation(told, gone, others[0])
    server.relation(told, others[1], gone, "enemy")
    server.relation(told, gone, others[2], "located_at")
    stays = server.relation(told, others[0], others[1])
    [before] = rows(server.db, "SELECT revision FROM stories WHERE project_id=?", told)
    answer = server.data("knowledge:entity:delete", {"projectId": told, "id": gone})
    assert answer == {"deleted": True, "deletedRelationCount": 3}
    assert rows(server.db, "SELECT id FROM kg_relations WHERE project_id=?", told) == [stays]
    assert sorted(rows(server.db, "SELECT id FROM kg_entities WHERE project_id=?", told)) == sorted(others)
    # One transaction is one step of the story.
    assert rows(server.db, "SELECT revision FROM stories WHERE project_id=?", told) == [before + 1]
    assert server.error("knowledge:entity:read", {"projectId": told, "id": gone})["code"] == "NOT_FOUND"
    around = server.data("knowledge:query:subgraph", {"projectId": told, "centerEntityId": others[0], "k": 3})
    assert {entity["id"] for entity in around["entities"]} == {others[0], others[1]}


@pytest.mark.scenario("KG1-X-S1")
@pytest.mark.parametrize("again", ["林远", " 林远 ", "林远\u3000"])
def test_the_same_entity_twice_is_refused(server: Server, told: str, again: str) -> None:
    first = server.entity(told, "林远")
    before = contents(server.db)
    refused = server.error("knowledge:entity:create", {"projectId": told, "type": "character", "name": again})
    assert refused["code"] == "KG_ENTITY_DUPLICATE"
    assert refused["details"]["existingId"] == first
    assert contents(server.db) == before
    place = {"projectId": told, "type": "location", "name": again}
    assert server.data("knowledge:entity:create", place)["type"] == "location"


@pytest.mark.scenario("KG1-X-S3")
def test_the_second_of_two_windows_is_refused(server: Server, told: str) -> None:
    entity = server.entity(told, "林远")
    update = {"projectId": told, "id": entity, "expectedVersion": 1}
    first = server.data("knowledge:entity:update", {**update, "patch": {"description": "左窗"}})
    before = contents(server.db)
    refused = server.error("knowledge:entity:update", {**update, "patch": {"description": "右窗"}})
    assert refused["code"] == "KG_ENTITY_CONFLICT"
    assert refused["details"] == {"expectedVersion": 1, "latestVersion": 2, "latestSnapshot": first}
    assert refused["suggestion"]
    assert contents(server.db) == before
    assert rows(server.db, ENTITY, told, entity) == [("character", "林远", "左窗", "{}", 2)]
    latest = {**update, "expectedVersion": refused["details"]["latestVersion"]}
    merged = server.data("knowledge:entity:update", {**latest, "patch": {"description": "左窗和右窗"}})
    assert merged["version"] == 3
