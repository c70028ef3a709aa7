"""ENGRAM 4: from a question to people and events, by its own example."""

from __future__ import annotations

from typing import Any

import pytest

from doors import Server

RELATIONS = [
    {"target": "Bob", "type": "friend"},
    {"target": "Carol", "type": "enemy"},
]


@pytest.fixture
def ask(server: Server, told: str) -> Any:
    """A question about Alice, who has a friend and an enemy."""

    def call(channel: str, **fields: Any) -> Any:
        return server.data(f"knowledge:{channel}", {"projectId": told, **fields})

    for name in ("Bob", "Carol", "Dave", "Erin"):
        server.entity(told, name, type="char")
    server.entity(told, "Alice", type="char", aliases=["爱丽丝"], profile={"relations": RELATIONS})
    return call


def names(found: list[dict[str, Any]]) -> set[str]:
    return {one["name"] for one in found}


@pytest.mark.scenario("ENGRAM-STAGE-1")
@pytest.mark.parametrize("question", ["Alice去了哪里？", "爱丽丝去了哪里？", "Where did Alice go?"])
def test_those_whom_a_question_names_are_its_seeds(ask: Any, question: str) -> None:
    (anchor,) = ask("query:retrieve", query=question)["anchors"]
    assert (anchor["name"], anchor["way"]) == ("Alice", "named")


@pytest.mark.scenario("ENGRAM-STAGE-2-RELATIONS", "ENGRAM-STAGE-2-EVENTS", "ENGRAM-BOTH-WAYS")
def test_relations_and_shared_events_lead_on(ask: Any) -> None:
    ask("event:create", name="大火", summary="火。", roles=["Alice", "Dave"], significance=0.9)
    found = {one["name"]: one for one in ask("query:retrieve", query="Alice去了哪里？")["entities"]}
    ways = {name: [hop["way"] for hop in found[name]["path"]] for name in found if name != "大火"}
    assert ways == {"Alice": [], "Bob": ["relation"], "Carol": ["relation"], "Dave": ["together"]}


@pytest.mark.scenario("ENGRAM-STAGE-3")
@pytest.mark.parametrize("question", ["Alice的死对头", "爱丽丝的死对头", "Alice's sworn enemy"])
def test_the_enemy_stays_and_the_friend_is_dropped(ask: Any, question: str) -> None:
    found = ask("query:retrieve", query=question)
    assert names(found["entities"]) == {"Alice", "Carol"}
    assert [(one["name"], one["loss"]) for one in found["dropped"]] == [("Bob", "other_relation")]


@pytest.mark.scenario("ENGRAM-STAGE-4", "ENGRAM-STAGE-4-ORDER")
def test_the_events_of_those_who_are_left_come_by_weight_and_time(ask: Any) -> None:
    events = [("旧事", "Carol", 0.2, 0), ("转折", "Carol", 1.0, 1), ("昨日", "Carol", 0.2, 20)]
    for name, who, weight, chapter in (*events, ("别人的事", "Erin", 1.0, 20)):
        fields = {"roles": [who], "significance": weight, "moment": {"chapter": chapter}}
        ask("event:create", name=name, summary="。", **fields)
    found = ask("query:retrieve", query="Alice的死对头", asOf={"chapter": 21})["events"]
    assert [event["name"] for event in found] == ["转折", "昨日", "旧事"]
    assert all("Carol" in event["through"] for event in found)
    assert found[0]["reasons"]["significance"] > found[1]["reasons"]["significance"]
    assert found[1]["reasons"]["recency"] > found[2]["reasons"]["recency"]


@pytest.mark.scenario("ENGRAM-STAGE-4-CONTEXT")
def test_recalled_events_reach_the_model(ask: Any, server: Server, told: str) -> None:
    ask("event:create", name="断剑", summary="Carol 折断了剑。", roles=["Carol"], moment={"chapter": 1})
    body = {"chapter": 3, "scene": 0, "text": "Alice 想起了她的死对头。"}
    context = server.client.post(f"/api/v2/stories/{told}/context/assemble", json=body).json()
    assert any("Carol 折断了剑。" in message["content"] for message in context["messages"])
