"""KG: channels, types and limits by the names and numbers it gives them."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from doors import Server, contents, through_python
from fabula.memory import Memory
from fabula.model.story import Limits
from fabula.operations.catalogue import CHANNELS as OPERATIONS
from postgres import place_at

ZOD = Path(__file__).parents[2] / "web" / "src" / "client" / "knowledge.ts"
CHANNELS = {
    "entity": ("create", "read", "update", "delete", "list"),
    "relation": ("create", "update", "delete", "list"),
    "query": ("subgraph", "path", "validate"),
}
NAMES = [
    (f"knowledge:{noun}:{verb}", f"Knowledge{noun.title()}{verb.title()}")
    for noun, verbs in CHANNELS.items()
    for verb in verbs
]


@pytest.mark.scenario("KG-CHANNELS-ENTITY", "KG-CHANNELS-RELATION", "KG-CHANNELS-QUERY")
@pytest.mark.parametrize(("channel", "name"), NAMES)
def test_a_channel_has_the_types_that_are_named(channel: str, name: str) -> None:
    operation = OPERATIONS[channel]
    assert (operation.request.__name__, operation.response.__name__) == (f"{name}Request", f"{name}Response")


@pytest.mark.scenario("KG-ZOD")
def test_every_request_and_answer_has_its_zod_schema() -> None:
    exported = set(re.findall(r"^export const (\w+) = z\.", ZOD.read_text("utf-8"), re.M))
    assert {f"{name}{way}Schema" for _, name in NAMES for way in ("Request", "Response")} <= exported


@pytest.mark.scenario("KG-ENTITY-TYPES")
def test_the_five_types_are_taken_and_others_refused(server: Server, told: str) -> None:
    for type_ in ("character", "location", "event", "item", "faction"):
        assert server.entity(told, f"某{type_}", type=type_)
    before = contents(server.db)
    for wrong in ("weapon", "", "角色类", None):
        refused = server.error("knowledge:entity:create", {"projectId": told, "type": wrong, "name": "林远"})
        assert refused["code"] == "VALIDATION_ERROR"
    assert contents(server.db) == before


@pytest.mark.scenario("KG-ATTRIBUTE-LIMIT", "KG-CAPACITY-ENTITIES", "KG-CAPACITY-RELATIONS")
@pytest.mark.scenario("KG-SUBGRAPH-K", "KG-PATH-EXPANSIONS", "KG-QUERY-TIMEOUT")
def test_the_limits_are_those_that_are_named(server: Server) -> None:
    limits = server.client.get("/api/v2/settings").json()["limits"]
    assert limits.items() >= {
        ("maxAttributeKeys", 200),
        ("maxEntities", 50_000),
        ("maxRelations", 200_000),
        ("maxSubgraphK", 3),
        ("maxPathExpansions", 10_000),
        ("queryTimeoutMs", 2_000),
    }


@pytest.mark.scenario("KG-SELF-RELATION")
def test_nobody_is_related_to_themselves(server: Server, told: str) -> None:
    alone = server.entity(told, "林远")
    ends = {"sourceEntityId": alone, "targetEntityId": alone, "relationType": "ally"}
    before = contents(server.db)
    refused = server.error("knowledge:relation:create", {"projectId": told, **ends})
    assert refused["code"] == "KG_RELATION_INVALID"
    assert contents(server.db) == before


@pytest.mark.scenario("KG-PATH-EXPANSIONS")
def test_a_path_beyond_the_limit_is_given_up_without_an_error(tmp_path: Path) -> None:
    place = place_at(tmp_path / "fabula.db")
    with Memory(place) as wide, Memory(place, limits=Limits(max_path_expansions=2)) as narrow:
        names = [f"p{number}" for number in range(12)]
        wide.story("x", id="x").batch.upsert(
            entities=[{"id": name, "type": "character", "name": name} for name in names],
            relations=[
                {"sourceEntityId": one, "targetEntityId": other, "relationType": "ally"}
                for one, other in pairwise(names)
            ],
        )
        ask = {"projectId": "x", "sourceEntityId": "p0", "targetEntityId": "p11"}
        found, given_up = (
            through_python(memory)("knowledge:query:path", ask)["data"] for memory in (wide, narrow)
        )
    assert (found["pathEntityIds"], found["degraded"]) == (names, False)
    assert (given_up["pathEntityIds"], given_up["degraded"]) == ([], True)
    assert given_up["expansions"] <= 2
