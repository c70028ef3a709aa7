"""The tools as an agent uses them, through a real client in this process."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from typing import Any

import pytest

from agents import Agent, in_process
from fabula.api.mcp.tools import TOOLS
from fabula.memory import Memory
from fabula.story_memory import StoryMemory

MOST_LISTED = 14_000
"""Characters of the list of tools, which every agent pays for in every conversation."""


def test_every_tool_says_what_it_is_for_and_what_it_takes(agent: Agent) -> None:
    async def listed(client: Any) -> Any:
        return (await client.list_tools()).tools

    tools = agent.ask(listed)
    assert [tool.name for tool in tools] == list(TOOLS)
    for tool in tools:
        assert len(tool.description) > 40
        assert tool.input_schema["type"] == "object"
        assert "story" in tool.input_schema["properties"]
        assert tool.annotations.read_only_hint is not TOOLS[tool.name].writes
    assert [tool.name for tool in tools if tool.annotations.destructive_hint] == ["import_knowledge_bundle"]


def test_the_list_of_tools_is_short_and_says_everything_that_may_be_sent(agent: Agent) -> None:
    async def listed(client: Any) -> Any:
        return await client.list_tools()

    whole = agent.ask(listed)
    assert len(whole.model_dump_json(by_alias=True, exclude_none=True)) <= MOST_LISTED
    for tool in whole.tools:
        taken = TOOLS[tool.name].input_schema
        assert tool.input_schema["properties"].keys() == taken["properties"].keys()
        assert tool.input_schema.get("required", []) == taken["required"]
        assert all("type" in one or "anyOf" in one for one in tool.input_schema["properties"].values())
        sentences = re.split(r"(?<=[.!?]) ", tool.description)
        assert len(sentences) <= 2, tool.name


def test_an_answer_is_brief_unless_it_is_asked_for_in_full(agent: Agent, harbour: StoryMemory) -> None:
    brief = agent.call("get_entity", entity="Jiang Li", detail="brief")
    full = agent.call("get_entity", entity="Jiang Li", detail="full")
    assert {"source", "target", "type"} <= brief["relations"][0].keys() < full["relations"][0].keys()
    assert brief["text"] == full["text"]
    asked = {"chapter": 0, "scene": 2, "text": "Jiang Li looked out."}
    short, whole = (agent.call("get_context", **asked, detail=one) for one in ("brief", "full"))
    assert short["messages"] == whole["messages"]
    assert "included" not in short
    assert whole["included"]
    assert agent.refusal("get_context", **asked, detail="some")["code"] == "VALIDATION_ERROR"


def test_stories_come_in_pages(agent: Agent, memory: Memory) -> None:
    for number in range(3):
        memory.story(f"Story {number}", language="en")
    first = agent.call("list_stories", limit=2)
    assert [one["title"] for one in first["items"]] == ["Story 2", "Story 1"]
    assert (first["totalCount"], first["nextOffset"]) == (3, 2)
    last = agent.call("list_stories", limit=2, offset=first["nextOffset"])
    assert ([one["title"] for one in last["items"]], last["nextOffset"]) == (["Story 0"], None)
    assert [one["title"] for one in agent.call("list_stories", story="story 1")["items"]] == ["Story 1"]


def test_an_outline_shows_scenes_with_their_versions_and_where_the_story_ends(
    agent: Agent, harbour: StoryMemory
) -> None:
    opened = agent.call("open_story")
    assert (opened["id"], opened["lastChapter"], opened["lastScene"]) == ("fog", 0, 1)
    (chapter,) = opened["chapters"]
    assert [(one["scene"], one["title"], one["version"]) for one in chapter["scenes"]] == [
        (0, "Fog", 1),
        (1, "", 1),
    ]
    assert "character" in opened["entityTypes"]
    assert "ally" in opened["relationTypes"]
    assert agent.call("open_story", chapter=0, scene=1)["lastScene"] == 0


def test_an_entity_is_found_by_name_alias_and_id_with_its_relations(
    agent: Agent, harbour: StoryMemory
) -> None:
    told = agent.call("get_entity", entity="a-li")
    assert told == agent.call("get_entity", entity="Jiang Li") == agent.call("get_entity", entity=told["id"])
    assert (told["name"], told["text"], told["relationCount"]) == ("Jiang Li", "Keeper of the lamp.", 2)
    assert {(one["type"], one["target"]) for one in told["relations"]} == {
        ("located_at", "Homeward Tower"),
        ("ally", "Shen Chao"),
    }
    part = agent.call("get_entity", entity="A-Li", limit=1)
    rest = agent.call("get_entity", entity="A-Li", limit=1, offset=part["nextOffset"])
    assert part["relations"] + rest["relations"] == told["relations"]
    assert rest["nextOffset"] is None


def test_states_hold_from_their_moment_on(agent: Agent, harbour: StoryMemory) -> None:
    li = agent.call("get_entity", entity="Jiang Li")["id"]
    harbour.state.create(entity_id=li, description="She is blind.", since={"chapter": 3})
    assert "blind" not in agent.call("get_entity", entity="Jiang Li", chapter=2)["text"]
    assert "She is blind." in agent.call("get_entity", entity="Jiang Li", chapter=3)["text"]


def test_the_graph_around_somebody_and_the_way_between_two(agent: Agent, harbour: StoryMemory) -> None:
    around = agent.call("get_subgraph", entity="Shen Chao", depth=2)
    assert {one["name"] for one in around["nodes"]} == {"Shen Chao", "Jiang Li", "Homeward Tower"}
    assert len(around["relations"]) == 2
    way = agent.call("find_path", source="Shen Chao", target="Homeward Tower")
    assert [(one["source"]["name"], one["target"]["name"]) for one in way["steps"]] == [
        ("Shen Chao", "Jiang Li"),
        ("Jiang Li", "Homeward Tower"),
    ]
    assert [one["relations"][0]["type"] for one in way["steps"]] == ["ally", "located_at"]
    assert agent.refusal("get_subgraph", entity="Shen Chao", depth=9)["code"] == "KG_SUBGRAPH_K_EXCEEDED"


def test_search_and_lists_find_people_and_passages(agent: Agent, harbour: StoryMemory) -> None:
    hits = agent.call("search", query="lamp", limit=1)
    following = agent.call("search", query="lamp", limit=1, offset=hits["nextOffset"])
    assert hits["items"] != following["items"]
    passages = agent.call("search", query="lamp", kinds=["passage"])
    assert [(one["chapter"], one["scene"]) for one in passages["items"]] == [(0, 0)]
    people = agent.call("list_entities", type="character")
    assert [one["name"] for one in people["items"]] == ["Jiang Li", "Shen Chao"]


def test_a_context_has_messages_reasons_and_what_had_no_room(agent: Agent, harbour: StoryMemory) -> None:
    told = agent.call("get_context", chapter=1, scene=0, text="A-Li waited.", pinned=["Shen Chao"])
    assert any("Keeper of the lamp." in message["content"] for message in told["messages"])
    reasons = {one["label"]: one["reason"] for one in told["included"]}
    assert (reasons["Jiang Li"], reasons["Shen Chao"]) == ("detected", "pinned")
    assert told["estimatedTokens"] <= told["totalBudget"] == 4000
    tight = agent.call("get_context", chapter=1, scene=0, text="A-Li waited.", tokenBudget=1)
    assert [one["label"] for one in tight["noRoom"]][:1] == ["Jiang Li"]
    assert tight["noRoom"][0]["missingTokens"] > 0
    assert agent.refusal("get_context", chapter=1, scene=0, pinned=["Nobody"])["code"] == "NOT_FOUND"


def test_the_last_scenes_are_read_backwards_in_pages_and_cut_to_their_end(
    agent: Agent, harbour: StoryMemory
) -> None:
    last = agent.call("get_recent_scenes", limit=1)
    (scene,) = last["scenes"]
    assert (scene["scene"], last["earlier"]) == (1, True)
    before = agent.call("get_recent_scenes", chapter=0, scene=1)
    assert [one["text"] for one in before["scenes"]] == ["Jiang Li lit the lamp."]
    assert before["earlier"] is False
    (cut,) = agent.call("get_recent_scenes", limit=1, maxCharacters=6)["scenes"]
    assert (cut["text"], cut["cut"]) == ("Tower.", True)


def test_a_scene_is_saved_and_never_over_one_that_was_not_read(agent: Agent, harbour: StoryMemory) -> None:
    new = agent.call("save_scene", chapter=1, scene=0, text="Morning.", title="Day")
    assert (new["created"], new["version"], new["wordCount"]) == (True, 1, 1)
    for wrong in ({}, {"expectedVersion": 7}):
        refused = agent.refusal("save_scene", chapter=1, scene=0, text="Gone.", **wrong)
        assert (refused["code"], refused["details"]["latestVersion"]) == ("CONFLICT", 1)
        assert "expectedVersion" in refused["suggestion"]
    over = agent.call("save_scene", chapter=1, scene=0, text="Noon.", expectedVersion=1)
    assert (over["created"], over["version"], over["title"]) == (False, 2, "Day")


def test_proposals_wait_for_review_with_the_place_of_their_quotation(
    agent: Agent, harbour: StoryMemory
) -> None:
    made = agent.call(
        "propose_extractions",
        text="Egret beat the drum.",
        chapter=1,
        scene=0,
        proposals=[
            {"entityName": "Egret", "entityType": "character", "sourceText": "Egret beat the drum."},
            {"kind": "alias", "entityName": "the keeper", "attributes": {"aliasOf": "Jiang Li"}},
        ],
    )
    assert [(one["entityName"], one["sourceStart"]) for one in made["proposals"]] == [
        ("Egret", 0),
        ("the keeper", None),
    ]
    assert {one.entity_name for one in harbour.proposals()} == {"Egret", "the keeper"}


def test_a_passage_is_held_against_the_story(agent: Agent, harbour: StoryMemory) -> None:
    harbour.entity.create(type="character", name="Old Salt", until={"chapter": 1})
    text = "Old Salt nodded. A-Li greeted Captain Robert Hawthorne."
    checked = agent.call("check_passage", text=text, chapter=2, scene=0)
    (gone,) = checked["findings"]
    assert (gone["kind"], gone["name"], gone["quotation"]) == ("no_longer", "Old Salt", "Old Salt nodded.")
    assert text[gone["start"] : gone["end"]] == "Old Salt"
    assert [(one["name"], one["text"]) for one in checked["known"]] == [("Jiang Li", "Keeper of the lamp.")]
    assert any("Hawthorne" in one["name"] for one in checked["unknown"])


def test_arguments_come_as_agents_send_them(agent: Agent, harbour: StoryMemory) -> None:
    plain = agent.call("get_context", chapter=1, scene=0, text="x", pinned=["Jiang Li"], tokenBudget=900)
    for pinned in ('["Jiang Li"]', "Jiang Li"):
        sent = agent.call(
            "get_context", chapter="1", scene="0", text="x", pinned=pinned, tokenBudget="900", story=None
        )
        assert sent == plain
    assert agent.call("search", query="lamp", kinds=None, chapter=None, limit=None)["items"]
    made = agent.call(
        "propose_extractions", proposals=json.dumps([{"entityName": "X", "entityType": "item"}])
    )
    assert made["totalProposed"] == 1


@pytest.mark.parametrize(
    ("tool", "arguments", "named"),
    [
        ("get_entity", {"entty": "Jiang Li"}, "entity (required)"),
        ("get_entity", {"entity": ""}, "entity"),
        ("get_entity", {"entity": "Jiang Li", "scene": 1}, "chapter"),
        ("search", {"query": "x" * 5000}, "query"),
        ("get_recent_scenes", {"limit": 10**9}, "limit"),
        ("check_passage", {"text": "x" * 100_001}, "text"),
        ("save_scene", {"chapter": -1, "scene": 0, "text": ""}, "chapter"),
        ("save_scene", {"chapter": 0, "scene": 0, "text": "x\x00"}, "text"),
        ("propose_extractions", {"proposals": "not json"}, "proposals"),
        ("get_context", {"chapter": 0, "scene": 0, "pinned": [["x"]]}, "pinned"),
        ("open_story", {"story": 3}, "story"),
    ],
)
def test_wrong_arguments_are_refused_with_those_that_are_right(
    agent: Agent, harbour: StoryMemory, tool: str, arguments: dict[str, Any], named: str
) -> None:
    refused = agent.refusal(tool, **arguments)
    assert refused["code"] == "VALIDATION_ERROR"
    assert named in refused["suggestion"]
    assert tool in refused["suggestion"]


def test_a_refusal_says_only_what_is_wrong(agent: Agent, harbour: StoryMemory) -> None:
    refused = agent.refusal("propose_extractions", proposals=[{"entityName": "X", "entityTyp": "item"}])
    assert {one["path"] for one in refused["details"]["errors"]} == {"proposals[0].entityTyp"}
    assert refused["details"]["errorCount"] == 1
    empty = agent.refusal("propose_extractions", proposals=[])
    assert [one["path"] for one in empty["details"]["errors"]] == ["proposals"]


def test_a_story_is_meant_by_title_by_id_by_default_or_alone(
    agent: Agent, memory: Memory, harbour: StoryMemory
) -> None:
    assert agent.call("open_story")["id"] == "fog"
    other = memory.story("Elsewhere", language="en", id="else")
    several = agent.refusal("open_story")
    assert several["code"] == "VALIDATION_ERROR"
    assert {one["id"] for one in several["details"]["stories"]} == {"fog", "else"}
    assert "Elsewhere (else)" in several["suggestion"]
    assert [agent.call("open_story", story=one)["id"] for one in ("else", "ELSEWHERE", "Fogharbour")] == [
        other.id,
        other.id,
        "fog",
    ]
    usual = Agent(in_process(memory, usual_story="else"))
    assert usual.call("open_story")["id"] == "else"
    assert usual.call("open_story", story="fog")["id"] == "fog"
    assert usual.call("open_story", story="")["id"] == "else"


def test_an_unknown_story_is_refused_with_those_there_are(agent: Agent, memory: Memory) -> None:
    assert "fabula story new" in agent.refusal("open_story")["suggestion"]
    memory.story("Fogharbour", id="fog")
    unknown = agent.refusal("open_story", story="nowhere")
    assert (unknown["code"], "Fogharbour (fog)" in unknown["suggestion"]) == ("NOT_FOUND", True)
    memory.story("Fogharbour", id="fog-2")
    twice = agent.refusal("open_story", story="Fogharbour")
    assert (twice["code"], len(twice["details"]["stories"])) == ("VALIDATION_ERROR", 2)


@pytest.mark.sqlite_only(reason="breaks the file under a running server")
def test_a_fault_of_ours_is_told_without_its_inside(
    agent: Agent, memory: Memory, harbour: StoryMemory
) -> None:
    with closing(sqlite3.connect(memory.place)) as connection:
        connection.execute("ALTER TABLE scenes RENAME TO zqscenes")
    refused = agent.refusal("get_recent_scenes")
    assert refused["code"] == "INTERNAL_ERROR"
    assert "scenes" not in str(refused)
    assert agent.call("list_stories")["totalCount"] == 1
