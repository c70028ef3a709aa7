"""KG: what lies around an entity, the way to another, cycles, and questions that take too long."""

from __future__ import annotations

from itertools import pairwise

import pytest

from doors import Server, serving


def _chain(server: Server, story: str, names: str) -> list[str]:
    """Entities in a row, each related to the next."""
    ids = [server.entity(story, name) for name in names]
    for source, target in pairwise(ids):
        server.relation(story, source, target)
    return ids


@pytest.mark.scenario("KG1-R3-S1")
def test_a_subgraph_of_two_hops(server: Server, told: str) -> None:
    ids = _chain(server, told, "甲乙丙丁戊己")
    ask = {"projectId": told, "centerEntityId": ids[2], "k": 2}
    found = server.data("knowledge:query:subgraph", ask)
    assert found["entities"][0]["id"] == ids[2]
    assert {entity["id"] for entity in found["entities"]} == set(ids[:5])
    assert {(r["sourceEntityId"], r["targetEntityId"]) for r in found["relations"]} == set(pairwise(ids[:5]))
    assert (found["nodeCount"], found["edgeCount"], found["truncated"]) == (5, 4, False)
    assert 0 < found["queryCostMs"] < 2000


@pytest.mark.scenario("KG1-R3-S1")
@pytest.mark.parametrize(("k", "nodes"), [(1, 2), (2, 3), (3, 4)])
def test_hops_are_counted_one_by_one(server: Server, told: str, k: int, nodes: int) -> None:
    ids = _chain(server, told, "甲乙丙丁戊")
    found = server.data("knowledge:query:subgraph", {"projectId": told, "centerEntityId": ids[0], "k": k})
    assert [entity["id"] for entity in found["entities"]] == ids[:nodes]


@pytest.mark.scenario("KG1-R3-S1", "KG-SUBGRAPH-K")
@pytest.mark.parametrize("k", [4, 100, 2**63, 10**30])
def test_a_subgraph_of_more_than_three_hops_is_refused(server: Server, told: str, k: int) -> None:
    center = server.entity(told, "甲")
    refused = server.error("knowledge:query:subgraph", {"projectId": told, "centerEntityId": center, "k": k})
    assert refused["code"] == "KG_SUBGRAPH_K_EXCEEDED"
    assert refused["details"] == {"maxK": 3, "requestedK": k}
    assert refused["suggestion"]


@pytest.mark.scenario("KG1-R3-S2", "KG-VALIDATE-CYCLES")
def test_cycles_are_an_answer(server: Server, told: str) -> None:
    a, b, c, d = _chain(server, told, "甲乙丙丁")
    server.relation(told, c, a)
    found = server.data("knowledge:query:validate", {"projectId": told})
    [cycle] = found["cycles"]
    assert cycle[0] == cycle[-1]
    turned = cycle[cycle.index(a) : -1] + cycle[: cycle.index(a)]
    assert turned == [a, b, c]
    assert (found["entityCount"], found["relationCount"], found["truncated"]) == (4, 4, False)
    way = server.data("knowledge:query:path", {"projectId": told, "sourceEntityId": a, "targetEntityId": d})
    assert way["pathEntityIds"] == [a, c, d]
    assert way["degraded"] is False


@pytest.mark.scenario("KG1-R3-S2")
def test_a_graph_without_cycles_has_none(server: Server, told: str) -> None:
    _chain(server, told, "甲乙丙")
    assert server.data("knowledge:query:validate", {"projectId": told})["cycles"] == []


@pytest.mark.scenario("KG1-R3-S2", "KG-QUERY-TIMEOUT")
@pytest.mark.slow
@pytest.mark.every_engine
def test_a_question_over_its_time_is_refused_and_work_goes_on(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with serving(tmp_path_factory.mktemp("hurried"), FABULA_QUERY_TIMEOUT_MS="0") as hurried:
        story = hurried.new_story()
        a, b = hurried.entity(story, "甲"), hurried.entity(story, "乙")
        hurried.relation(story, a, b)
        questions = {
            "path": {"sourceEntityId": a, "targetEntityId": b},
            "subgraph": {"centerEntityId": a, "k": 1},
            "validate": {},
            "relevant": {"excerpt": "甲遇见乙"},
        }
        for query, fields in questions.items():
            refused = hurried.error(f"knowledge:query:{query}", {"projectId": story, **fields})
            assert refused["code"] == "KG_QUERY_TIMEOUT"
            assert refused["details"]["timeoutMs"] == 0
            assert refused["details"]["expansions"] >= 0
            assert "keyword" in refused["suggestion"]
        _writing_works(hurried, story, a, b)


def _writing_works(server: Server, story: str, a: str, b: str) -> None:
    changed = server.data(
        "knowledge:entity:update",
        {"projectId": story, "id": a, "expectedVersion": 1, "patch": {"description": "还在"}},
    )
    assert changed["version"] == 2
    assert server.data("knowledge:entity:read", {"projectId": story, "id": a}) == changed
    filtered = {"projectId": story, "filter": {"keyword": "还在"}}
    assert [item["id"] for item in server.data("knowledge:entity:list", filtered)["items"]] == [a]
    assert server.data("knowledge:entity:delete", {"projectId": story, "id": b})["deletedRelationCount"] == 1
