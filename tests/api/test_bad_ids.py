"""Ids of nobody, ids of another story, and relations that cannot be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from doors import Server, contents


@dataclass(frozen=True)
class World:
    """Two stories, and the ids that belong to each."""

    story: str
    a: str
    b: str
    relation: str
    foreign: str
    foreign_relation: str


@pytest.fixture(scope="module")
def world(server: Server) -> World:
    story, other = server.new_story(), server.new_story()
    a, b = server.entity(story, "林远"), server.entity(story, "苏晚")
    here, there = server.entity(other, "外人"), server.entity(other, "路人")
    return World(story, a, b, server.relation(story, a, b), here, server.relation(other, here, there))


def refused(server: Server, world: World, channel: str, fields: dict[str, Any], code: str) -> dict[str, Any]:
    before = contents(server.db)
    error = server.error(f"knowledge:{channel}", {"projectId": world.story, **fields})
    assert error["code"] == code, error
    assert error["message"]
    assert error["suggestion"]
    assert contents(server.db) == before
    return error


def _calls_about(entity: str, known: str) -> list[tuple[str, dict[str, Any]]]:
    return [
        ("entity:read", {"id": entity}),
        ("entity:update", {"id": entity, "expectedVersion": 1, "patch": {"description": "改"}}),
        ("entity:delete", {"id": entity}),
        ("entity:impact", {"id": entity}),
        ("entity:merge", {"targetEntityId": entity, "sourceEntityIds": [known]}),
        ("entity:merge", {"targetEntityId": known, "sourceEntityIds": [entity]}),
        ("query:subgraph", {"centerEntityId": entity, "k": 1}),
        ("query:path", {"sourceEntityId": entity, "targetEntityId": known}),
        ("query:path", {"sourceEntityId": known, "targetEntityId": entity}),
    ]


def test_ids_of_nobody_are_not_found(server: Server, world: World) -> None:
    for channel, fields in _calls_about("nobody", world.a):
        assert refused(server, world, channel, fields, "NOT_FOUND")["details"] == {"id": "nobody"}


def test_ids_of_another_story_are_a_violation(server: Server, world: World) -> None:
    listed: list[tuple[str, dict[str, Any]]] = [
        ("query:byids", {"entityIds": [world.a, world.foreign]}),
        ("query:relevant", {"excerpt": "外人", "entityIds": [world.foreign]}),
    ]
    for channel, fields in _calls_about(world.foreign, world.a) + listed:
        error = refused(server, world, channel, fields, "KG_SCOPE_VIOLATION")
        assert error["details"] == {"foreignEntityIds": [world.foreign]}


def test_ids_of_nobody_in_a_list_are_left_out(server: Server, world: World) -> None:
    ask = {"projectId": world.story, "entityIds": ["nobody", world.b, world.a, world.b]}
    found = server.data("knowledge:query:byids", ask)
    assert [item["id"] for item in found["items"]] == [world.b, world.a]


@pytest.mark.parametrize("which", ["nobody", "foreign"])
def test_relations_of_nobody_and_of_another_story_are_not_found(
    server: Server, world: World, which: str
) -> None:
    relation = world.foreign_relation if which == "foreign" else "nothing"
    refused(server, world, "relation:update", {"id": relation, "patch": {"description": "改"}}, "NOT_FOUND")
    refused(server, world, "relation:delete", {"id": relation}, "NOT_FOUND")


def test_relations_to_nobody_to_oneself_or_to_another_story(server: Server, world: World) -> None:
    ends = [
        (world.a, world.a, "self_loop"),
        ("nobody", "nobody", "self_loop"),
        (world.a, "nobody", "missing_entity"),
        ("nobody", world.a, "missing_entity"),
        (world.a, world.foreign, "foreign_entity"),
        (world.foreign, world.a, "foreign_entity"),
    ]
    for source, target, reason in ends:
        relation = {"sourceEntityId": source, "targetEntityId": target, "relationType": "新词"}
        error = refused(server, world, "relation:create", relation, "KG_RELATION_INVALID")
        assert error["details"]["reason"] == reason
        batch = {"entities": [{"type": "item", "name": "新物"}], "relations": [relation]}
        refused(server, world, "batch:upsert", batch, "KG_RELATION_INVALID")


def test_relations_by_names_that_are_mistakable(server: Server, world: World) -> None:
    twins = [{"type": "item", "name": "双"}, {"type": "event", "name": "双"}]
    for name, reason in (("双", "ambiguous_name"), ("无此人", "missing_entity")):
        relation = {"sourceEntityId": world.a, "targetName": name, "relationType": "ally"}
        batch = {"entities": twins, "relations": [relation]}
        error = refused(server, world, "batch:upsert", batch, "KG_RELATION_INVALID")
        assert error["details"]["reason"] == reason


BAD_RELATIONS: dict[str, dict[str, Any]] = {
    "type empty": {"relationType": ""},
    "type blank": {"relationType": " "},
    "type invisible": {"relationType": "\u200b"},
    "type long": {"relationType": "长" * 65},
    "type number": {"relationType": 1},
    "type null": {"relationType": None},
    "type control": {"relationType": "师\x00徒"},
    "description long": {"description": "长" * 65_537},
    "properties list": {"properties": []},
    "properties NUL": {"properties": {"a": "\x00"}},
    "source number": {"sourceEntityId": 1},
    "target empty": {"targetEntityId": ""},
    "unknown field": {"weight": 1},
    "since after until": {"since": {"chapter": 3}, "until": {"chapter": 2}},
    "since after until in a chapter": {
        "since": {"chapter": 3, "scene": 2},
        "until": {"chapter": 3, "scene": 1},
    },
    "since negative": {"since": {"chapter": -1}},
    "since text": {"since": "3"},
    "since fraction": {"since": {"chapter": 1.5}},
    "until unknown field": {"until": {"chapter": 1, "page": 2}},
}


@pytest.mark.parametrize("fields", BAD_RELATIONS.values(), ids=BAD_RELATIONS)
def test_bad_fields_of_a_relation(server: Server, world: World, fields: dict[str, Any]) -> None:
    create = {"sourceEntityId": world.b, "targetEntityId": world.a, "relationType": "knows", **fields}
    refused(server, world, "relation:create", create, "VALIDATION_ERROR")
    refused(server, world, "batch:upsert", {"relations": [create]}, "VALIDATION_ERROR")


BAD_PATCHES: dict[str, tuple[dict[str, Any], str]] = {
    "empty": ({"patch": {}}, "VALIDATION_ERROR"),
    "null type": ({"patch": {"relationType": None}}, "VALIDATION_ERROR"),
    "null description": ({"patch": {"description": None}}, "VALIDATION_ERROR"),
    "ends": ({"patch": {"sourceEntityId": "x"}}, "VALIDATION_ERROR"),
    "version 0": ({"expectedVersion": 0, "patch": {"description": "改"}}, "VALIDATION_ERROR"),
    "version 9": ({"expectedVersion": 9, "patch": {"description": "改"}}, "CONFLICT"),
    "version huge": ({"expectedVersion": 10**30, "patch": {"description": "改"}}, "CONFLICT"),
    "backward": ({"patch": {"since": {"chapter": 3}, "until": {"chapter": 2}}}, "KG_RELATION_INVALID"),
}


@pytest.mark.parametrize(("fields", "code"), BAD_PATCHES.values(), ids=BAD_PATCHES)
def test_bad_changes_of_a_relation(server: Server, world: World, fields: dict[str, Any], code: str) -> None:
    refused(server, world, "relation:update", {"id": world.relation, **fields}, code)


def test_the_same_relation_twice(server: Server, world: World) -> None:
    again = {"sourceEntityId": world.a, "targetEntityId": world.b, "relationType": " ALLY "}
    error = refused(server, world, "relation:create", again, "CONFLICT")
    assert error["details"]["existingId"] == world.relation
    batch = {"mode": "create", "relations": [again]}
    refused(server, world, "batch:upsert", batch, "CONFLICT")


@pytest.mark.parametrize(
    ("channel", "fields", "code"),
    [
        ("history:undo", {"revision": 1}, "CONFLICT"),
        ("history:undo", {"revision": 999}, "NOT_FOUND"),
        ("history:undo", {"revision": 2**63 - 1}, "NOT_FOUND"),
        ("history:redo", {"revision": 2}, "CONFLICT"),
        ("history:redo", {"revision": 999}, "NOT_FOUND"),
        ("history:redo", {}, "CONFLICT"),
    ],
)
def test_steps_that_cannot_be_taken_back(
    server: Server, world: World, channel: str, fields: dict[str, Any], code: str
) -> None:
    refused(server, world, channel, fields, code)


def test_a_fresh_story_has_nothing_to_undo(server: Server, told: str) -> None:
    before = contents(server.db)
    assert server.error("knowledge:history:undo", {"projectId": told})["code"] == "CONFLICT"
    assert contents(server.db) == before
