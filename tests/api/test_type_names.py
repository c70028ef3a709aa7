"""Types in whatever way they are written: known on the way in through every door, answered in normal form."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from doors import Server
from fabula.formats.bundle_check import bundle_check
from fabula.model.fiction import FICTION

KINDS = {
    "character": (
        "Character",
        "CHARACTER",
        "char",
        "Char",
        "ｃｈａｒ",
        "person",
        " character ",
        "人物",
        "角色",
    ),
    "location": ("Location", "loc", "LOC", "place", "地点"),
    "event": ("Event", "EVENT", "事件"),
    "item": ("Item", "iTEM", "物品"),
    "faction": ("Faction", "势力", "组织"),
    "concept": ("Concept", "概念"),
    "unknown": ("Unknown", "未知"),
}
EVERY_WAY = [(word, kind) for kind, words in KINDS.items() for word in (kind, *words)]
EDGES = {
    "ALLY": ("ally", "Ally", "盟友"),
    "OWNS": ("owns", "POSSESSES", "possesses", "拥有"),
    "BELONGS_TO": ("belongs_to", "Belongs To", "belongs-to", "属于"),
}
EVERY_EDGE = [(word, name) for name, words in EDGES.items() for word in (name, *words)]


@pytest.mark.scenario("BUNDLE-TYPE-NAMES")
@pytest.mark.parametrize(("word", "kind"), EVERY_WAY)
def test_a_type_of_entities_is_known_through_every_door(
    server: Server, told: str, word: str, kind: str
) -> None:
    ask = {"projectId": told}
    made = server.data("knowledge:entity:create", {**ask, "type": word, "name": "甲"})
    server.data("knowledge:batch:upsert", {**ask, "entities": [{"type": word, "name": "乙"}]})
    bundle = server.data("knowledge:bundle:import", {**ask, "text": f"- {{type: '{word}', name: 丙}}\n"})
    assert bundle["nodes"]["created"] == {kind.capitalize(): 1}
    listed = server.data("knowledge:entity:list", {**ask, "filter": {"type": word}})
    assert (made["type"], listed["totalCount"]) == (kind, 3)
    assert {one["type"] for one in listed["items"]} == {kind}
    if kind != "unknown":
        entry = {"entryKey": "丁", "category": word, "content": "。"}
        lorebook = f"/api/v2/stories/{told}/lorebook"
        assert server.client.post(lorebook, json=entry).json()["category"] == kind
        page = server.client.get(lorebook, params={"category": word}).json()
        assert [one["entryKey"] for one in page["content"]] == ["丁"]
    found = server.client.get(f"/api/v2/stories/{told}/extractions", params={"entityType": word})
    assert found.status_code == 200


@pytest.mark.scenario("BUNDLE-TYPE-NAMES")
@pytest.mark.parametrize(("word", "name"), EVERY_EDGE)
def test_a_type_of_relations_is_known_in_a_bundle(server: Server, told: str, word: str, name: str) -> None:
    text = (
        "- {type: char, name: 甲}\n- {type: loc, name: 乙}\n"
        f"- {{type: '{word}', source: {{type: CHAR, name: 甲}}, target: {{type: place, name: 乙}}}}\n"
    )
    done = server.data("knowledge:bundle:import", {"projectId": told, "text": text})
    assert done["edges"]["created"] == {name: 1}
    gone = text.splitlines()[2].replace("{type", "{action: delete, type", 1)
    assert server.data("knowledge:bundle:import", {"projectId": told, "text": gone})["edges"]["deleted"] == {
        name: 1
    }


@pytest.mark.scenario("BUNDLE-TYPE-NAMES")
def test_the_types_of_a_story_are_meant_before_everyday_words(server: Server, told: str) -> None:
    ontology = (
        "nodes:\n  Person: {identity: [name], schema: {properties: {name: {type: string}}}}\n"
        "  Place: {identity: [name], schema: {properties: {name: {type: string}}}}\n"
        "edges:\n  LIVES_AT: {from: PERSON, to: [loc, place]}\n"
    )
    refused = server.error("knowledge:ontology:write", {"projectId": told, "text": ontology})
    assert "Entity type 'loc' is not defined" in str(refused), "there is no location for it to mean"
    fit = ontology.replace("[loc, place]", "place")
    server.data("knowledge:ontology:write", {"projectId": told, "text": fit})
    text = (
        "- {type: person, name: Ann}\n- {type: PLACE, name: Inn}\n"
        "- {type: lives_at, source: {name: Ann}, target: {name: Inn}}\n"
    )
    done = server.data("knowledge:bundle:import", {"projectId": told, "text": text})
    assert (done["nodes"]["created"], done["edges"]["created"]) == (
        {"Person": 1, "Place": 1},
        {"LIVES_AT": 1},
    )
    schema = server.data("knowledge:bundle:schema", {"projectId": told})["full_bundle_schema"]
    assert schema["items"]["oneOf"][0]["properties"]["type"] == {"const": "Person"}, "shown in normal form"


@pytest.mark.scenario("BUNDLE-TYPE-NAMES")
@pytest.mark.parametrize(
    ("item", "message"),
    [
        ("{type: Charakter, name: 甲}", "Entity type 'Charakter' is not defined. Did you mean 'Character'?"),
        (
            "{type: KNOWZ, source: {type: char, name: 甲}, target: {type: char, name: 乙}}",
            "Relation type 'KNOWZ' is not defined. Did you mean 'KNOWS'?",
        ),
        (
            "{type: knows, source: {type: charr, name: 甲}, target: {type: char, name: 乙}}",
            "Entity type 'charr' is not defined. Did you mean 'Character'?",
        ),
    ],
)
def test_an_unknown_type_is_refused_with_a_hint(server: Server, told: str, item: str, message: str) -> None:
    error = server.error("knowledge:bundle:import", {"projectId": told, "text": f"- {item}\n"})
    assert error["code"] == "BUNDLE_INVALID"
    assert message in error["details"]["errors"][0]["message"]
    assert server.data("knowledge:entity:list", {"projectId": told})["totalCount"] == 0
    entry = {"entryKey": "丁", "category": "Charakter", "content": "。"}
    refused = server.client.post(f"/api/v2/stories/{told}/lorebook", json=entry)
    assert (refused.status_code, refused.json()["code"]) == (400, "VALIDATION_ERROR")


@pytest.mark.scenario("BUNDLE-TYPE-NAMES")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from([node.name for node in FICTION.nodes]), st.data())
def test_case_and_width_do_not_matter(name: str, data: st.DataObject) -> None:
    forms = [(one, one.lower(), one.upper(), chr(ord(one) + 0xFEE0)) for one in name]
    word = "".join(data.draw(st.sampled_from(form)) for form in forms)
    items: list[Any] = [{"type": word, "name": "x"}]
    assert bundle_check(items, FICTION).count == 0
    assert items == [{"type": name, "name": "x"}]
