"""Every tool refuses strangers and lets readers only read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from agents import Agent, in_process
from doors import contents
from fabula.api.mcp.tools import TOOLS
from fabula.memory import Memory
from fabula.model.account import Role
from fabula.operations.accounts import add_user, create_token
from fabula.operations.members import put_member
from postgres import place_at

ARGUMENTS: dict[str, dict[str, Any]] = {
    "search": {"query": "x"},
    "get_entity": {"entity": "x"},
    "get_subgraph": {"entity": "x"},
    "find_path": {"source": "x", "target": "y"},
    "get_context": {"chapter": 0, "scene": 0},
    "get_chat_context": {"messages": [{"role": "user", "content": "x"}]},
    "get_receipt": {"receiptId": "x"},
    "check_passage": {"text": "x"},
    "propose_extractions": {"proposals": [{"entityName": "铜铃", "entityType": "item"}]},
    "note_thread": {"chapter": 0, "scene": 0, "quotation": "x", "title": "y"},
    "save_scene": {"chapter": 0, "scene": 0, "text": "x"},
    "import_knowledge_bundle": {"text": "[]"},
    "import_lorebook": {"text": '{"entries": {"0": {"key": ["x"], "content": "y"}}}'},
}
OF_STORIES = [name for name, tool in TOOLS.items() if tool.of_a_story]


class Tenants(NamedTuple):
    """A story, and an agent for each role in it."""

    memory: Memory
    agents: dict[str, Agent]


@pytest.fixture(scope="module")
def tenants(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tenants]:
    with Memory(place_at(tmp_path_factory.mktemp("tenants") / "fabula.db")) as memory:
        memory.story("海港", id="port")
        agents = {}
        for name in ("stranger", "reader", "editor"):
            add_user(memory.call(), name=name)
            identity = memory.identify(create_token(memory.call(), user_name=name).secret)
            agents[name] = Agent(in_process(memory, identity))
            if name != "stranger":
                put_member(memory.call(), project_id="port", user_name=name, role=Role(name))
        yield Tenants(memory, agents)


@pytest.mark.parametrize("tool", OF_STORIES)
def test_a_tool_refuses_strangers_and_lets_readers_only_read(tenants: Tenants, tool: str) -> None:
    arguments = ARGUMENTS.get(tool, {})
    before = contents(tenants.memory.place)
    assert tenants.agents["stranger"].refusal(tool, story="port", **arguments)["code"] == "FORBIDDEN"
    as_reader = outcome(tenants.agents["reader"], tool, arguments)
    assert (as_reader == "FORBIDDEN") is TOOLS[tool].writes
    assert contents(tenants.memory.place) == before
    assert outcome(tenants.agents["editor"], tool, arguments) in ("ok", "NOT_FOUND")
    assert tenants.agents["editor"].refusal(tool, story="nowhere", **arguments)["code"] == "NOT_FOUND"


def outcome(agent: Agent, tool: str, arguments: dict[str, Any]) -> str:
    """`ok`, or the code of the refusal."""
    try:
        agent.call(tool, story="port", **arguments)
    except AssertionError:
        return str(agent.refusal(tool, story="port", **arguments)["code"])
    return "ok"


def test_the_title_of_a_story_of_others_leads_nowhere(tenants: Tenants) -> None:
    assert tenants.agents["stranger"].call("list_stories")["items"] == []
    assert tenants.agents["stranger"].refusal("open_story", story="海港")["code"] == "NOT_FOUND"
    assert tenants.agents["reader"].call("open_story", story="海港")["id"] == "port"
