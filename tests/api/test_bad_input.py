"""Bad input through the HTTP channel: a code of the closed list, a suggestion, and nothing written."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest

from doors import Server, contents
from fabula.errors import all_errors

CODES = {error.code for error in all_errors()}


@dataclass(frozen=True)
class World:
    """A story with a few entities, which no test changes."""

    story: str
    a: str
    b: str


@pytest.fixture(scope="module")
def world(server: Server) -> World:
    story = server.new_story()
    return World(story, server.entity(story, "Lin Yuan"), server.entity(story, "苏晚"))


def refused(server: Server, channel: str, payload: Any, code: str) -> dict[str, Any]:
    """The error of a call that must be refused with this code and leave the file as it was."""
    before = contents(server.db)
    error = server.error(f"knowledge:{channel}", payload)
    assert error["code"] == code, error
    assert error["code"] in CODES
    assert error["message"]
    assert error["suggestion"]
    assert contents(server.db) == before
    return error


def deep(levels: int) -> Any:
    return json.loads('{"a":' * levels + "1" + "}" * levels)


BAD_NAMES: dict[str, Any] = {
    "empty": "",
    "spaces": "   ",
    "ideographic spaces": "\u3000\u3000",
    "zero width": "\u200b\u200d\ufeff",
    "joiner": "\u2060",
    "soft hyphen": "\u00ad",
    "direction marks": "\u202e\u202c",
    "combining only": "\u0301",
    "variation selector": "\ufe0f",
    "control": "\x01\x02",
    "control inside": "林\x07远",
    "line break inside": "林\n远",
    "escape": "\x1b[31m林",
    "NUL": "林\x00远",
    "c1 control": "林\x85远",
    "too long": "长" * 257,
    "much too long": "长" * 1_000_000,
    "number": 5,
    "null": None,
    "true": True,
    "list": ["林远"],
    "object": {"zh": "林远"},
}


@pytest.mark.parametrize("name", BAD_NAMES.values(), ids=BAD_NAMES)
def test_bad_names(server: Server, world: World, name: Any) -> None:
    create = {"projectId": world.story, "type": "character", "name": name}
    assert (
        refused(server, "entity:create", create, "VALIDATION_ERROR")["details"]["errors"][0]["path"] == "name"
    )
    rename = {"projectId": world.story, "id": world.a, "expectedVersion": 1, "patch": {"name": name}}
    refused(server, "entity:update", rename, "VALIDATION_ERROR")
    alias = {"projectId": world.story, "type": "item", "name": "物", "aliases": ["好", name]}
    refused(server, "entity:create", alias, "VALIDATION_ERROR")
    batch = {
        "projectId": world.story,
        "entities": [{"type": "item", "name": "物"}, {"type": "item", "name": name}],
    }
    refused(server, "batch:upsert", batch, "VALIDATION_ERROR")


SAME_NAMES = ["lin yuan", "LIN YUAN", " Lin Yuan ", "Lin  Yuan", "Ｌｉｎ　Ｙｕａｎ", "Lin\u00a0Yuan"]


@pytest.mark.parametrize("name", SAME_NAMES)
def test_names_that_differ_only_in_width_case_or_space(server: Server, world: World, name: str) -> None:
    create = {"projectId": world.story, "type": "character", "name": name}
    error = refused(server, "entity:create", create, "KG_ENTITY_DUPLICATE")
    assert error["details"]["existingId"] == world.a
    rename = {"projectId": world.story, "id": world.b, "expectedVersion": 1, "patch": {"name": name}}
    refused(server, "entity:update", rename, "KG_ENTITY_DUPLICATE")
    batch = {"projectId": world.story, "mode": "create", "entities": [{"type": "Character", "name": name}]}
    refused(server, "batch:upsert", batch, "KG_ENTITY_DUPLICATE")


def test_a_batch_that_names_somebody_twice(server: Server, world: World) -> None:
    twins = [{"type": "item", "name": "Sword"}, {"type": "item", "name": "ｓｗｏｒｄ "}]
    refused(server, "batch:upsert", {"projectId": world.story, "entities": twins}, "KG_ENTITY_DUPLICATE")


def test_retyping_into_a_taken_name(server: Server, world: World) -> None:
    story = server.new_story()
    server.entity(story, "海港", type="location")
    person = server.entity(story, "海港")
    retype = {"projectId": story, "id": person, "expectedVersion": 1, "patch": {"type": "loc"}}
    refused(server, "entity:update", retype, "KG_ENTITY_DUPLICATE")


BAD_FIELDS: dict[str, dict[str, Any]] = {
    "unknown field": {"colour": "red"},
    "unknown snake field": {"ai_level": "never"},
    "own id": {"id": "mine"},
    "own version": {"version": 7},
    "type missing": {"type": None},
    "type empty": {"type": ""},
    "type unknown": {"type": "dragon"},
    "type number": {"type": 1},
    "description number": {"description": 1},
    "description null": {"description": None},
    "description too long": {"description": "长" * 65_537},
    "description NUL": {"description": "a\x00b"},
    "attributes list": {"attributes": [1]},
    "attributes text": {"attributes": "年龄"},
    "attributes deep": {"attributes": deep(40)},
    "attributes very deep": {"attributes": deep(150)},
    "attributes NUL": {"attributes": {"a": "b\x00"}},
    "attributes NUL key": {"attributes": {"a\x00": 1}},
    "attributes blank key": {"attributes": {" ": 1}},
    "attributes long key": {"attributes": {"k" * 257: 1}},
    "attributes big integer": {"attributes": {"a": 2**63}},
    "attributes bigger integer": {"attributes": {"a": [10**40]}},
    "attributes infinite": {"attributes": {"a": json.loads("1e999")}},
    "attributes huge": {"attributes": {"a": "长" * 262_145}},
    "aliases text": {"aliases": "阿远"},
    "aliases numbers": {"aliases": [1]},
    "aliases many": {"aliases": [f"名{number}" for number in range(257)]},
    "level": {"aiContextLevel": "sometimes"},
    "significance above": {"significance": 1.01},
    "significance below": {"significance": -0.1},
    "significance text": {"significance": "0.5"},
    "significance true": {"significance": True},
    "layout": {"layoutX": "left"},
    "layout far": {"layoutY": 1e10},
    "project number": {"projectId": 5},
    "project empty": {"projectId": ""},
    "project blank": {"projectId": " "},
    "project long": {"projectId": "p" * 129},
    "project NUL": {"projectId": "p\x00"},
}


@pytest.mark.parametrize("fields", BAD_FIELDS.values(), ids=BAD_FIELDS)
def test_bad_fields_of_an_entity(server: Server, world: World, fields: dict[str, Any]) -> None:
    create = {"projectId": world.story, "type": "character", "name": "新人", **fields}
    body = json.dumps(create).replace("Infinity", "1e999")
    before = contents(server.db)
    answer = server.client.post("/api/v2/ipc/knowledge:entity:create", content=body).json()
    assert answer["ok"] is False, answer
    assert answer["error"]["code"] == "VALIDATION_ERROR"
    assert answer["error"]["suggestion"]
    assert contents(server.db) == before


@pytest.mark.parametrize("count", [201, 1000])
def test_too_many_attributes(server: Server, world: World, count: int) -> None:
    crowd = {f"键{number}": number for number in range(count)}
    create = {"type": "item", "name": "书", "attributes": crowd}
    code = "KG_ATTRIBUTE_KEYS_EXCEEDED"
    refused(server, "entity:create", {"projectId": world.story, **create}, code)
    refused(server, "entity:create", {"projectId": "unborn", **create}, code)
    refused(server, "batch:upsert", {"projectId": world.story, "entities": [create]}, code)
    patch = {"id": world.a, "expectedVersion": 1, "patch": {"attributes": crowd}}
    refused(server, "entity:update", {"projectId": world.story, **patch}, code)


BAD_UPDATES: dict[str, dict[str, Any]] = {
    "version 0": {"expectedVersion": 0},
    "version negative": {"expectedVersion": -1},
    "version text": {"expectedVersion": "1"},
    "version fraction": {"expectedVersion": 1.5},
    "version null": {"expectedVersion": None},
    "version true": {"expectedVersion": True},
    "patch empty": {"patch": {}},
    "patch null": {"patch": None},
    "patch list": {"patch": []},
    "patch null name": {"patch": {"name": None}},
    "patch null description": {"patch": {"description": None}},
    "patch null attributes": {"patch": {"attributes": None}},
    "patch null level": {"patch": {"aiContextLevel": None}},
    "patch unknown": {"patch": {"colour": "red"}},
    "patch version": {"patch": {"version": 9}},
    "patch type": {"patch": {"type": "dragon"}},
    "id empty": {"id": ""},
    "id number": {"id": 3},
}


@pytest.mark.parametrize("fields", BAD_UPDATES.values(), ids=BAD_UPDATES)
def test_bad_updates(server: Server, world: World, fields: dict[str, Any]) -> None:
    update = {"id": world.a, "expectedVersion": 1, "patch": {"description": "改"}, **fields}
    refused(server, "entity:update", {"projectId": world.story, **update}, "VALIDATION_ERROR")


@pytest.mark.parametrize("version", [2, 2**63, 10**30])
def test_versions_that_never_were(server: Server, world: World, version: int) -> None:
    update = {"id": world.a, "expectedVersion": version, "patch": {"description": "改"}}
    error = refused(server, "entity:update", {"projectId": world.story, **update}, "KG_ENTITY_CONFLICT")
    assert error["details"]["expectedVersion"] == version
    delete = {"projectId": world.story, "id": world.a, "expectedVersion": version}
    refused(server, "entity:delete", delete, "KG_ENTITY_CONFLICT")


BAD_QUESTIONS: list[tuple[str, dict[str, Any]]] = [
    ("entity:list", {"limit": 0}),
    ("entity:list", {"limit": -1}),
    ("entity:list", {"limit": 50_001}),
    ("entity:list", {"limit": "10"}),
    ("entity:list", {"limit": 1.5}),
    ("entity:list", {"limit": True}),
    ("entity:list", {"limit": None}),
    ("entity:list", {"offset": -1}),
    ("entity:list", {"offset": 10**30}),
    ("entity:list", {"filter": {"colour": "red"}}),
    ("entity:list", {"filter": {"type": "dragon"}}),
    ("entity:list", {"filter": {"aiContextLevel": "sometimes"}}),
    ("entity:list", {"filter": {"keyword": "长" * 257}}),
    ("entity:list", {"filter": {"keyword": "a\x00"}}),
    ("entity:list", {"filter": "always"}),
    ("relation:list", {"limit": 0}),
    ("relation:list", {"filter": {"relationType": ""}}),
    ("relation:list", {"filter": {"entityId": ""}}),
    ("relationtype:list", {"language": "fr"}),
    ("history:list", {"limit": 0}),
    ("history:list", {"limit": 1001}),
    ("history:undo", {"revision": 0}),
    ("history:undo", {"revision": "2"}),
    ("history:undo", {"revision": 10**30}),
    ("history:redo", {"revision": -1}),
    ("query:subgraph", {"centerEntityId": "A", "k": 0}),
    ("query:subgraph", {"centerEntityId": "A", "k": -1}),
    ("query:subgraph", {"centerEntityId": "A", "k": 1.5}),
    ("query:subgraph", {"centerEntityId": "A", "k": "2"}),
    ("query:subgraph", {"centerEntityId": "A", "maxNodes": 0}),
    ("query:subgraph", {"centerEntityId": "A", "maxNodes": "5"}),
    ("query:subgraph", {"centerEntityId": "A", "asOf": {"chapter": -1}}),
    ("query:subgraph", {"centerEntityId": "A", "asOf": {"chapter": 2**31}}),
    ("query:subgraph", {"centerEntityId": "A", "asOf": {"chapter": 1, "scene": 1 << 20}}),
    ("query:subgraph", {"centerEntityId": "A", "asOf": {"scene": 1}}),
    ("query:subgraph", {"centerEntityId": "A", "asOf": 3}),
    ("query:subgraph", {}),
    ("query:path", {"sourceEntityId": "A"}),
    ("query:path", {"sourceEntityId": "A", "targetEntityId": "A", "directed": "yes"}),
    ("query:validate", {"relationTypes": "ally"}),
    ("query:validate", {"relationTypes": [""]}),
    ("query:relevant", {"excerpt": "x", "maxEntities": 51}),
    ("query:relevant", {"excerpt": "x", "maxEntities": 0}),
    ("query:relevant", {"excerpt": "x", "maxEntities": "5"}),
    ("query:relevant", {"excerpt": None}),
    ("query:relevant", {"excerpt": "a\x00b"}),
    ("query:relevant", {"excerpt": "长" * 1_000_001}),
    ("query:relevant", {"excerpt": "x", "entityIds": ["i"] * 1001}),
    ("query:byids", {"entityIds": "A"}),
    ("query:byids", {"entityIds": [None]}),
    ("query:byids", {"entityIds": ["i"] * 1001}),
    ("query:byids", {}),
    ("entity:merge", {"targetEntityId": "A", "sourceEntityIds": []}),
    ("entity:merge", {"targetEntityId": "A", "sourceEntityIds": ["A"]}),
    ("entity:merge", {"targetEntityId": "A", "sourceEntityIds": ["B", "B"]}),
    ("entity:merge", {"targetEntityId": "A", "sourceEntityIds": ["i"] * 101}),
    ("batch:upsert", {"mode": "replace"}),
    ("batch:upsert", {"entities": {}}),
    ("batch:upsert", {"entities": [{"type": "dragon", "name": "x"}]}),
    ("batch:upsert", {"relations": [{"relationType": "ally", "sourceEntityId": "A"}]}),
]


@pytest.mark.parametrize(("channel", "fields"), BAD_QUESTIONS)
def test_bad_questions(server: Server, world: World, channel: str, fields: dict[str, Any]) -> None:
    real = json.loads(json.dumps(fields).replace('"A"', f'"{world.a}"').replace('"B"', f'"{world.b}"'))
    refused(server, channel, {"projectId": world.story, **real}, "VALIDATION_ERROR")
