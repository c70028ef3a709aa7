"""The server about itself: health, settings, and the OpenAPI document."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

import fabula
from doors import Server, serving
from fabula.operations.catalogue import CHANNELS


def test_health(server: Server) -> None:
    before = server.client.get("/api/v2/health").json()
    assert (before["status"], before["version"]) == ("ok", fabula.__version__)
    server.new_story()
    assert server.client.get("/api/v2/health").json()["stories"] == before["stories"] + 1


def test_no_answer_waits_for_a_delayed_acknowledgement(server: Server, told: str) -> None:
    """With Nagle's algorithm every answer of a connection in use takes 40 ms, the fastest too."""
    costs = []
    for _ in range(60):
        begun = time.perf_counter()
        server.data("knowledge:entity:list", {"projectId": told})
        costs.append(time.perf_counter() - begun)
    assert min(costs[30:]) < 0.030


def test_settings_show_the_limits_and_no_paths(server: Server) -> None:
    response = server.client.get("/api/v2/settings")
    assert response.json()["limits"] == {
        "maxEntities": 50_000,
        "maxRelations": 200_000,
        "maxAttributeKeys": 200,
        "maxSubgraphK": 3,
        "maxSubgraphNodes": 2_000,
        "maxPathExpansions": 10_000,
        "queryTimeoutMs": 2_000,
    }
    assert str(server.db) not in response.text
    assert "fabula.db" not in response.text


@pytest.mark.slow
def test_settings_show_the_limits_in_force(tmp_path_factory: pytest.TempPathFactory) -> None:
    with serving(tmp_path_factory.mktemp("other"), FABULA_MAX_SUBGRAPH_K="2") as other:
        assert other.client.get("/api/v2/settings").json()["limits"]["maxSubgraphK"] == 2
        center = other.entity("p", "甲")
        refused = other.error(
            "knowledge:query:subgraph", {"projectId": "p", "centerEntityId": center, "k": 3}
        )
        assert refused["details"] == {"maxK": 2, "requestedK": 3}


def test_the_documentation_needs_nothing_from_elsewhere(server: Server) -> None:
    page = server.client.get("/docs")
    assert page.status_code == 200
    assert "/api/v2/openapi.json" in page.text
    assert "https://" not in page.text.replace("https://fastapi.tiangolo.com", "")


def _refs(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for item in value.values():
            yield from _refs(item)
    elif isinstance(value, list):
        for item in value:
            yield from _refs(item)


def _resolve(document: Any, ref: str) -> Any:
    assert ref.startswith("#/"), ref
    for part in ref[2:].split("/"):
        document = document[part.replace("~1", "/").replace("~0", "~")]
    return document


@pytest.fixture(scope="module")
def document(server: Server) -> dict[str, Any]:
    return server.client.get("/api/v2/openapi.json").json()


def test_the_document_is_openapi_3_1(document: dict[str, Any]) -> None:
    assert document["openapi"].startswith("3.1.")
    assert document["info"] == {
        "title": "Fabula",
        "version": fabula.__version__,
        "description": document["info"]["description"],
    }
    for path, operations in document["paths"].items():
        assert path.startswith("/api/v2/")
        for method, described in operations.items():
            assert method in {"get", "post", "put", "patch", "delete"}
            assert described["summary"], (path, method)
            assert any(status.startswith("2") for status in described["responses"])
            for answer in described["responses"].values():
                assert answer["description"]


def test_every_reference_resolves(document: dict[str, Any]) -> None:
    refs = list(_refs(document))
    assert refs
    for ref in refs:
        assert isinstance(_resolve(document, ref), dict), ref


def test_operation_ids_are_distinct(document: dict[str, Any]) -> None:
    ids = [described["operationId"] for path in document["paths"].values() for described in path.values()]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("channel", CHANNELS)
def test_every_channel_is_described(document: dict[str, Any], channel: str) -> None:
    described = document["paths"][f"/api/v2/ipc/{channel}"]["post"]
    body = described["requestBody"]["content"]["application/json"]["schema"]
    assert body["$ref"].rsplit("/", 1)[1] == CHANNELS[channel].request.__name__
    request = _resolve(document, body["$ref"])
    assert "projectId" in request["required"]
    assert request["additionalProperties"] is False
    success, failure = described["responses"]["200"]["content"]["application/json"]["schema"]["oneOf"]
    name = success["properties"]["data"]["$ref"].rsplit("/", 1)[1]
    assert name == CHANNELS[channel].response.__name__
    assert _resolve(document, failure["properties"]["error"]["$ref"])["required"] == ["code", "message"]


def test_the_schemas_carry_the_names_of_the_source(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    nouns = {
        "Entity": ["Create", "Read", "Update", "Delete", "List", "Merge", "Impact"],
        "Relation": ["Create", "Update", "Delete", "List"],
        "Query": ["Subgraph", "Path", "Validate", "Relevant", "ByIds"],
    }
    for noun, verbs in nouns.items():
        for verb in verbs:
            assert f"Knowledge{noun}{verb}Request" in schemas
            assert f"Knowledge{noun}{verb}Response" in schemas


def test_errors_are_described_as_they_are(document: dict[str, Any]) -> None:
    assert "422" not in str(document["paths"])
    assert "HTTPValidationError" not in document["components"]["schemas"]
    for operations in document["paths"].values():
        for described in operations.values():
            assert "Error" in str(described["responses"])
