"""LEVEL: who decides whether a model is told of an entity."""

from __future__ import annotations

import pytest

from doors import Server, contents, rows

LEVEL = "SELECT ai_context_level FROM kg_entities WHERE project_id=? AND id=?"
LEVELS = ["always", "when_detected", "manual_only", "never"]


@pytest.mark.scenario("LEVEL-S1")
def test_without_a_level_an_entity_is_told_when_detected(server: Server, told: str) -> None:
    entity = server.data(
        "knowledge:entity:create",
        {"projectId": told, "type": "character", "name": "林默", "description": "侦探"},
    )
    assert entity["aiContextLevel"] == "when_detected"
    assert rows(server.db, LEVEL, told, entity["id"]) == ["when_detected"]


@pytest.mark.scenario("LEVEL-S1", "LEVEL-COLUMN")
@pytest.mark.sqlite_only(reason="reads the schema as SQLite tells it")
def test_the_column_itself_has_the_default(server: Server) -> None:
    columns = rows(
        server.db, "SELECT name, type, [notnull], dflt_value FROM pragma_table_info('kg_entities')"
    )
    assert ("ai_context_level", "TEXT", 1, "'when_detected'") in columns


@pytest.mark.scenario("LEVEL-FIELD", "LEVEL-CREATE", "LEVEL-ROW")
@pytest.mark.parametrize("level", LEVELS)
def test_each_level_can_be_given_at_birth(server: Server, told: str, level: str) -> None:
    entity = server.entity(told, "林默", aiContextLevel=level)
    assert rows(server.db, LEVEL, told, entity) == [level]
    read = server.data("knowledge:entity:read", {"projectId": told, "id": entity})
    assert read["aiContextLevel"] == level


@pytest.mark.scenario("LEVEL-S2", "LEVEL-UPDATE")
@pytest.mark.parametrize("level", ["always", "manual_only", "never"])
def test_the_level_is_changed(server: Server, told: str, level: str) -> None:
    entity = server.entity(told, "林默")
    changed = server.data(
        "knowledge:entity:update",
        {"projectId": told, "id": entity, "expectedVersion": 1, "patch": {"aiContextLevel": level}},
    )
    assert (changed["aiContextLevel"], changed["version"]) == (level, 2)
    assert rows(server.db, LEVEL, told, entity) == [level]


@pytest.mark.scenario("LEVEL-S3", "LEVEL-LIST")
def test_a_list_of_one_level(server: Server, told: str) -> None:
    ids = {
        level: server.entity(told, name, aiContextLevel=level)
        for name, level in (("甲", "always"), ("乙", "when_detected"), ("丙", "never"))
    }
    found = server.data("knowledge:entity:list", {"projectId": told, "filter": {"aiContextLevel": "always"}})
    assert [item["id"] for item in found["items"]] == [ids["always"]]
    assert found["totalCount"] == 1
    nobody = {"projectId": told, "filter": {"aiContextLevel": "manual_only"}}
    assert server.data("knowledge:entity:list", nobody) == {"items": [], "totalCount": 0}


@pytest.mark.scenario("LEVEL-S4")
@pytest.mark.parametrize("level", ["invalid_value", "ALWAYS", "", None, 1, ["always"]])
def test_a_level_that_does_not_exist_is_refused(server: Server, told: str, level: object) -> None:
    before = contents(server.db)
    refused = server.error(
        "knowledge:entity:create",
        {"projectId": told, "type": "character", "name": "测试", "aiContextLevel": level},
    )
    assert refused["code"] == "VALIDATION_ERROR"
    assert refused["details"]["errors"][0]["path"] == "aiContextLevel"
    assert contents(server.db) == before


@pytest.mark.scenario("LEVEL-S4")
def test_a_refused_level_does_not_begin_a_story(server: Server) -> None:
    before = contents(server.db)
    create = {"projectId": "p1", "type": "character", "name": "测试", "aiContextLevel": "invalid_value"}
    assert server.error("knowledge:entity:create", create)["code"] == "VALIDATION_ERROR"
    assert contents(server.db) == before


@pytest.mark.scenario("LEVEL-CHECKED")
def test_a_level_that_does_not_exist_is_refused_in_a_change_and_in_a_filter(
    server: Server, told: str
) -> None:
    entity = server.entity(told, "林默")
    before = contents(server.db)
    update = {"projectId": told, "id": entity, "expectedVersion": 1}
    calls = {
        "knowledge:entity:update": {**update, "patch": {"aiContextLevel": "invalid_value"}},
        "knowledge:entity:list": {"projectId": told, "filter": {"aiContextLevel": "invalid_value"}},
    }
    for channel, payload in calls.items():
        answer = server.ask(channel, payload)
        assert (answer["ok"], answer["error"]["code"]) == (False, "VALIDATION_ERROR")
    assert contents(server.db) == before


@pytest.mark.scenario("LEVEL-ALWAYS", "LEVEL-WHEN-DETECTED", "LEVEL-MANUAL-ONLY", "LEVEL-NEVER")
def test_a_context_is_made_as_the_levels_say(server: Server, told: str) -> None:
    ids = {
        level: server.entity(told, f"人{level}", description=f"此人{level}。", aiContextLevel=level)
        for level in LEVELS
    }

    def told_of(**wish: object) -> set[str]:
        body = {"chapter": 0, "scene": 0, **wish}
        answer = server.client.post(f"/api/v2/stories/{told}/context/assemble", json=body).json()
        said = "".join(message["content"] for message in answer["messages"] if message["role"] == "system")
        return {level for level in LEVELS if f"此人{level}。" in said}

    assert told_of(text="没有人。") == {"always"}
    everybody = "、".join(f"人{level}" for level in LEVELS)
    assert told_of(text=everybody) == {"always", "when_detected"}
    assert told_of(text=everybody, pinned=list(ids.values())) == {"always", "when_detected", "manual_only"}


@pytest.mark.scenario("LEVEL-MANUAL-ONLY", "LEVEL-NEVER")
def test_secrets_are_kept_from_a_model(server: Server, told: str) -> None:
    ids = {level: server.entity(told, f"人{level}", aiContextLevel=level) for level in LEVELS}
    ask = {"projectId": told, "excerpt": "".join(f"人{level}，" for level in LEVELS), "maxEntities": 50}
    found = server.data("knowledge:query:relevant", ask)
    assert {item["id"] for item in found["items"]} == {ids["always"], ids["when_detected"]}
    named = server.data("knowledge:query:relevant", {**ask, "entityIds": list(ids.values())})
    assert {item["id"] for item in named["items"]} == set(ids.values()) - {ids["never"]}
