"""Ontologies and bundles over the doors."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import httpx
import pytest

from doors import Server, contents

LIBRARY = files("fabula.samples").joinpath("library.ontology.yaml").read_text("utf-8")
WRONG = "- {type: Human, name: Ann}\n- {type: Item}\n"
MESSAGES = [
    "Entity type 'Human' is not defined. Did you mean 'Character'?",
    'Validation error at [1].name: "name" is required',
]


def send(server: Server, method: str, story: str, path: str, **more: Any) -> httpx.Response:
    return server.client.request(method, f"/api/v2/stories/{story}/{path}", **more)


@pytest.mark.scenario("BUNDLE-STATS")
def test_an_agent_discovers_writes_and_mends(server: Server, told: str) -> None:
    server.data("knowledge:ontology:write", {"projectId": told, "text": LIBRARY})
    contract = send(server, "GET", told, "knowledge-schema").json()
    assert contract == server.data("knowledge:bundle:schema", {"projectId": told})
    assert contract.keys() == {"full_bundle_schema", "example_yaml"}
    tried = send(server, "POST", told, "import?dryRun=true", content=contract["example_yaml"])
    done = send(server, "POST", told, "import?format=bundle", content=contract["example_yaml"])
    assert (tried.status_code, done.status_code) == (200, 200)
    assert (tried.json()["dryRun"], done.json()["dryRun"]) == (True, False)
    assert done.json()["nodes"] == {"upserted": {"Document": 2}, "created": {"Document": 2}, "deleted": {}}
    totals = {"nodes": {"upserted": 2, "created": 2, "deleted": 0}}
    totals["edges"] = {"upserted": 1, "created": 1, "deleted": 0}
    assert (done.json()["status"], done.json()["stats"]) == ("success", totals)
    assert tried.json()["stats"] == totals
    assert done.json()["absent"] == [{"index": 2, "type": "Document", "identity": {"doc_uri": "doc-old"}}]
    again = server.data("knowledge:bundle:import", {"projectId": told, "text": contract["example_yaml"]})
    assert again["nodes"]["created"] == {}


@pytest.mark.scenario("BUNDLE-ERRORS-ALL")
def test_every_door_gives_all_errors_in_the_same_words(server: Server, told: str) -> None:
    before = contents(server.db)
    bodies = [
        send(server, "POST", told, "import", content=WRONG).json(),
        send(server, "POST", told, "import", json={"text": WRONG}).json(),
        server.error("knowledge:bundle:import", {"projectId": told, "text": WRONG}),
    ]
    for body in bodies:
        assert body["code"] == "BUNDLE_INVALID"
        assert [one["message"] for one in body["details"]["errors"]] == MESSAGES
        assert body["details"]["errorCount"] == 2
        assert body["details"]["errors"][1] == {
            "index": 1,
            "path": "[1].name",
            "message": MESSAGES[1],
            "line": 2,
        }
    assert contents(server.db) == before


@pytest.mark.parametrize("name", ["𠮷野", "a\\u0041", "bell 🔔", 'quo"te', "back\\slash"])
def test_json_may_write_rare_characters_as_it_likes(server: Server, told: str, name: str) -> None:
    items = [{"type": "Item", "name": name}]
    for text in (json.dumps(items), json.dumps(items, ensure_ascii=False)):
        headers = {"content-type": "application/json"}
        done = send(server, "POST", told, "import", content=text.encode(), headers=headers)
        assert done.status_code == 200, done.text
    listed = server.data("knowledge:entity:list", {"projectId": told})
    assert [entity["name"] for entity in listed["items"]] == [name]


@pytest.mark.parametrize(
    ("path", "content", "status", "code"),
    [
        ("import?format=folder", b"[]", 400, "VALIDATION_ERROR"),
        ("import", b"\xff", 400, "BUNDLE_INVALID"),
        ("import", b"", 400, "BUNDLE_INVALID"),
    ],
)
def test_what_is_no_bundle_is_refused(
    server: Server, told: str, path: str, content: bytes, status: int, code: str
) -> None:
    refused = send(server, "POST", told, path, content=content)
    assert (refused.status_code, refused.json()["code"]) == (status, code)


def test_an_ontology_is_put_and_read(server: Server, told: str) -> None:
    server.entity(told, "Ann")
    tried = send(server, "PUT", told, "ontology", json={"text": LIBRARY, "dryRun": True}).json()
    assert (tried["violationCount"], tried["dryRun"], tried["version"]) == (1, True, 0)
    done = send(server, "PUT", told, "ontology", json={"text": LIBRARY}).json()
    assert (done["version"], done["violations"][0]["subject"]) == (1, "character 'Ann'")
    read = send(server, "GET", told, "ontology").json()
    assert (read["text"], read["isDefault"]) == (LIBRARY, False)
    assert read["ontology"]["nodes"][0]["schema"]["required"] == ["doc_uri", "content"]
    assert read["ontology"]["edges"][0]["fromTypes"] == ["Document"]
    stale = send(server, "PUT", told, "ontology", json={"text": None, "expectedVersion": 9})
    assert (stale.status_code, stale.json()["code"]) == (409, "CONFLICT")
    wrong = send(server, "PUT", told, "ontology", json={"text": "nodes: 5"})
    assert (wrong.status_code, wrong.json()["code"]) == (400, "VALIDATION_ERROR")
