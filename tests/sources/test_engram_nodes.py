"""ENGRAM 1 to 3 and 5: a text beside every structure, profiles that join, events that join."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

import pytest
import yaml

from doors import Server, contents, rows

FRIEND = {"target": "Bob", "type": "friend", "description": "在战争中结下的生死之交"}
EMPEROR = {"target": "Emperor", "type": "enemy"}
PROFILE: dict[str, Any] = {
    "identity": "流浪剑客",
    "tags": ["冷静", "左撇子"],
    "inventory": {"sword": 1, "coins": [3, 5]},
    "atmosphere": None,
}
SUMMARY = "Alice 和 Bob 在酒馆发生争执..."
FIELDS = {
    "time_anchor": "第三夜",
    "role": ["Alice", "Bob"],
    "location": "酒馆",
    "event": "争执",
    "logic": ["旧债"],
    "causality": "Bob 不肯还钱。",
}


class World:
    """One story, asked over the channels."""

    def __init__(self, server: Server, story: str) -> None:
        self.server, self.story = server, story

    def ask(self, channel: str, **fields: Any) -> Any:
        return self.server.data(f"knowledge:{channel}", {"projectId": self.story, **fields})

    def person(self, name: str, **fields: Any) -> dict[str, Any]:
        made: dict[str, Any] = self.ask("entity:create", type="char", name=name, **fields)
        return made

    def event(self, name: str, *people: str, **fields: Any) -> dict[str, Any]:
        made: dict[str, Any] = self.ask("event:create", name=name, roles=list(people), **fields)
        return made

    def row(self, table: str, column: str, key: str) -> Any:
        statement = f"SELECT {column} FROM {table} WHERE project_id=? AND id=?"
        return rows(self.server.db, statement, self.story, key)[0]


@pytest.fixture
def world(server: Server, told: str) -> World:
    return World(server, told)


@pytest.mark.scenario("ENGRAM-TWO-FORMS-ENTITY", "ENGRAM-OPEN-ENTITY", "ENGRAM-PROFILE", "ENGRAM-DESCRIPTION")
def test_a_profile_is_json_for_programs_and_a_text_for_models(world: World) -> None:
    alice = world.person("Alice", description="从不回头。", profile=PROFILE)
    assert (alice["attributes"], alice["description"]) == (PROFILE, "从不回头。")
    told = alice["promptText"].replace("从不回头。\n", "")
    assert yaml.safe_load(told) == PROFILE
    assert alice["promptText"].startswith("identity: 流浪剑客\n从不回头。\n")
    assert world.ask("entity:read", id=alice["id"]) == alice


@pytest.mark.scenario("ENGRAM-BURNED-IN")
def test_the_text_for_models_is_kept_with_every_write(world: World) -> None:
    alice = world.person("Alice", profile={"skill": "剑"})
    assert world.row("kg_entities", "prompt_text", alice["id"]) == "skill: 剑"
    patch = {"attributes": {"skill": "弓"}}
    world.ask("entity:update", id=alice["id"], expectedVersion=1, patch=patch)
    assert world.row("kg_entities", "prompt_text", alice["id"]) == "skill: 弓"
    body = {"chapter": 0, "scene": 0, "text": "Alice 来了。"}
    path = f"/api/v2/stories/{world.story}/context/assemble"
    (fragment,) = world.server.client.post(path, json=body).json()["beforeSceneEntries"]
    assert fragment["content"] == "skill: 弓"


@pytest.mark.scenario("ENGRAM-ENTITY-TYPES")
def test_types_by_their_short_names_are_the_types_of_the_story(world: World) -> None:
    meant = {
        "char": "character",
        "loc": "location",
        "item": "item",
        "concept": "concept",
        "unknown": "unknown",
    }
    for short, whole in meant.items():
        assert world.ask("entity:create", type=short, name=f"某{short}")["type"] == whole


@pytest.mark.scenario("ENGRAM-ID", "ENGRAM-SIGNIFICANCE", "ENGRAM-UPDATED-AT", "ENGRAM-LAYOUT")
def test_an_entity_has_an_id_a_weight_a_time_and_a_place_in_the_picture(world: World) -> None:
    alice = world.person("Alice", significance=0.9, layoutX=1.5, layoutY=-2)
    assert str(UUID(alice["id"])) == alice["id"]
    assert (alice["significance"], alice["layoutX"], alice["layoutY"]) == (0.9, 1.5, -2)
    assert datetime.fromisoformat(alice["updatedAt"]).tzinfo is not None
    before = contents(world.server.db)
    for wrong in (-0.1, 1.1):
        create = {"projectId": world.story, "type": "char", "name": "Bob", "significance": wrong}
        assert world.server.error("knowledge:entity:create", create)["code"] == "VALIDATION_ERROR"
    assert contents(world.server.db) == before


@pytest.mark.scenario("ENGRAM-NAME", "ENGRAM-ALIASES")
def test_an_entity_is_found_by_its_name_and_by_every_alias(world: World) -> None:
    alice = world.person("Alice", aliases=["爱丽丝", "白夜"])
    text = "白夜是谁？爱丽丝，就是 Alice。"
    path = f"/api/v2/stories/{world.story}/mentions"
    found = world.server.client.post(path, json={"text": text}).json()["items"]
    assert [(one["entityId"], one["term"]) for one in found] == [
        (alice["id"], "白夜"),
        (alice["id"], "爱丽丝"),
        (alice["id"], "Alice"),
    ]


@pytest.mark.scenario("ENGRAM-RELATION-SHAPE", "ENGRAM-PROFILE-JOINS", "ENGRAM-NO-EDGES", "ENGRAM-EXPLICIT")
def test_relations_of_a_profile_are_written_and_read_as_relations(world: World) -> None:
    bob = world.person("Bob")
    alice = world.person("Alice", profile={"relations": [FRIEND]})
    (row,) = world.ask("relation:list")["items"]
    assert (row["sourceEntityId"], row["targetEntityId"]) == (alice["id"], bob["id"])
    assert (row["relationType"], row["description"]) == ("friend", FRIEND["description"])
    (read,) = world.ask("entity:read", id=alice["id"])["attributes"]["relations"]
    assert read.items() >= FRIEND.items()
    for wrong in ({"target": "Bob"}, {"type": "friend"}, "Bob"):
        create = {"projectId": world.story, "type": "char", "name": "Eve", "profile": {"relations": [wrong]}}
        assert world.server.error("knowledge:entity:create", create)["code"] == "VALIDATION_ERROR"


@pytest.mark.scenario("ENGRAM-EXPLICIT-UNSEEN")
def test_alice_and_the_emperor_are_joined_though_they_never_meet(world: World) -> None:
    alice = world.person("Alice", profile={"relations": [EMPEROR]})
    emperor = world.person("Emperor")
    around = world.ask("query:subgraph", centerEntityId=alice["id"], k=1)
    assert [one["name"] for one in around["entities"]] == ["Alice", "Emperor"]
    assert [one["relationType"] for one in around["relations"]] == ["enemy"]
    assert world.ask("event:companions", entityId=emperor["id"])["items"] == []


@pytest.mark.scenario("ENGRAM-TWO-FORMS-EVENT", "ENGRAM-EVENT-SUMMARY", "ENGRAM-EVENT-FIELDS")
def test_an_event_is_fields_for_programs_and_a_text_for_models(world: World) -> None:
    made = world.ask("event:create", summary=SUMMARY, structuredKv=FIELDS)
    kept = made["structuredKv"]
    assert made["summary"] == SUMMARY
    assert {name: kept[name] for name in FIELDS if name != "location"} == {
        name: value for name, value in FIELDS.items() if name != "location"
    }
    assert "酒馆" in kept["location"]
    text = made["promptText"]
    assert SUMMARY in text
    assert [word for word in ("争执", "第三夜", "酒馆", "Alice", "Bob", "不肯还钱") if word not in text] == []
    assert world.row("kg_entities", "prompt_text", made["id"]) == text


@pytest.mark.scenario("ENGRAM-EVENT-REST")
def test_an_event_has_a_level_a_time_and_a_weight(world: World) -> None:
    fields = {"level": 1, "significance": 0.8, "moment": {"chapter": 2, "scene": 1}}
    made = world.event("争执", "Alice", **fields)
    assert {name: made[name] for name in fields} == fields
    assert world.ask("event:read", id=made["id"]) == made


@pytest.mark.scenario("ENGRAM-EVENTS-OF")
def test_all_events_of_somebody_are_found(world: World) -> None:
    alice, bob = world.person("Alice"), world.person("Bob")
    for name, people in (("一", ["Alice"]), ("二", ["Bob"]), ("三", ["Bob", "Alice"])):
        world.event(name, *people)
    for one, names in ((alice, {"一", "三"}), (bob, {"二", "三"})):
        found = world.ask("event:list", filter={"entityId": one["id"]})
        assert {event["name"] for event in found["items"]} == names


@pytest.mark.scenario("ENGRAM-EVENT-JOINS", "ENGRAM-COMPANIONS")
def test_who_is_often_in_the_same_events_is_near(world: World) -> None:
    alice, bob, carol = (world.person(name) for name in ("Alice", "Bob", "Carol"))
    for number in range(3):
        world.event(f"夜{number}", "Alice", "Bob")
    world.event("昼", "Alice", "Carol")
    people = {one["id"] for one in (alice, bob, carol)}
    relations = world.ask("relation:list")["items"]
    assert [one for one in relations if {one["sourceEntityId"], one["targetEntityId"]} <= people] == []
    near = world.ask("event:companions", entityId=alice["id"])["items"]
    assert [(one["entityId"], one["eventCount"]) for one in near] == [(bob["id"], 3), (carol["id"], 1)]
    assert near[0]["weight"] > near[1]["weight"]
