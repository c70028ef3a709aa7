"""An agent goes the whole way: discover, generate, import, read the errors, repair, and write on."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from mcp import Client

from agents import Agent, Target, called, in_process, over_stdio
from doors import serving
from fabula.memory import Memory
from postgres import place_at

FIRST_TRY = [
    {"type": "Character", "description": "Keeper of the lamp."},
    {"type": "Charakter", "name": "Shen Chao", "description": "Captain of the Egret."},
    {"type": "Location", "name": "Homeward Tower"},
    {"type": "located_at", "source": {"name": "Jiang Li"}, "target": {"name": "Homeward Tower"}},
]

KINDS = {"Jiang Li": "Character", "Homeward Tower": "Location"}


class ScriptedAgent:
    """Knows what it wants to say, and nothing of Fabula but what the tools tell it."""

    def __init__(self, client: Client, folder: Path) -> None:
        self._client, self._file = client, folder / "bundle.yaml"
        self.tries: list[list[str]] = []

    async def discover(self) -> dict[str, Any]:
        answer = await called(self._client, "get_knowledge_schema", {})
        assert json.loads(answer.content[0].text) == answer.structured_content
        assert yaml.safe_load(answer.structured_content["example_yaml"])
        return answer.structured_content["full_bundle_schema"]

    async def work(self) -> dict[str, Any]:
        """Write the bundle, and write it again as the errors say, until it is taken."""
        schema = await self.discover()
        assert (schema["type"], "oneOf" in schema["items"]) == ("array", True)
        items = [dict(item) for item in FIRST_TRY]
        while len(self.tries) < 4:
            self._file.write_text(yaml.safe_dump(items, allow_unicode=True), "utf-8")
            answer = await called(
                self._client, "import_knowledge_bundle", {"temp_file_path": str(self._file)}
            )
            if not answer.is_error:
                return answer.structured_content
            error = json.loads(answer.content[0].text)
            assert error["code"] == "BUNDLE_INVALID"
            assert self._file.exists(), "a file that was refused stays for repair"
            self.tries.append([one["message"] for one in error["details"]["errors"]])
            for one in error["details"]["errors"]:
                repair(items, one)
        raise AssertionError(self.tries)

    async def context(self) -> dict[str, Any]:
        asked = {"chapter": 0, "scene": 0, "text": "Jiang Li looked out."}
        return (await called(self._client, "get_context", asked)).structured_content

    @property
    def file_is_gone(self) -> bool:
        return not self._file.exists()


def repair(items: list[dict[str, Any]], error: dict[str, Any]) -> None:
    """Do what a message says, as anybody would who reads it."""
    number, *way = re.findall(r"\w+", error["path"])
    place: dict[str, Any] = items[int(number)]
    for step in way[:-1]:
        place = place[step]
    meant = re.search(r"Did you mean '(\w+)'", error["message"])
    missing = re.search(r'"(\w+)" is required', error["message"])
    if meant:
        place["type"] = meant[1]
    elif missing:
        place[missing[1]] = "Jiang Li" if missing[1] == "name" else KINDS[place["name"]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "import"
    made.mkdir()
    return made


@pytest.fixture
def memory(tmp_path: Path, folder: Path) -> Iterator[Memory]:
    with Memory(place_at(tmp_path / "fabula.db"), import_dir=folder) as opened:
        opened.story("Fogharbour", language="en", id="fog")
        yield opened


def go(target: Target, folder: Path, mode: str = "auto") -> None:
    async def whole_way(client: Client) -> None:
        agent = ScriptedAgent(client, folder)
        done = await agent.work()
        assert any('"name" is required' in message for message in agent.tries[0])
        assert any("Charakter" in message for message in agent.tries[0])
        assert (done["status"], done["fileDeleted"], agent.file_is_gone) == ("success", True, True)
        assert sum(done["nodes"]["created"].values()) == 3
        assert sum(done["edges"]["created"].values()) == 1
        context = await agent.context()
        told = "\n".join(message["content"] for message in context["messages"])
        assert "Keeper of the lamp." in told
        assert "Homeward Tower" in told

    Agent(target, mode).ask(whole_way)


@pytest.mark.scenario("BUNDLE-LOOP")
@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_loop_in_this_process(memory: Memory, folder: Path, mode: str) -> None:
    go(in_process(memory), folder, mode)


@pytest.mark.scenario("BUNDLE-LOOP")
@pytest.mark.slow
def test_the_loop_over_stdio(memory: Memory, folder: Path) -> None:
    go(over_stdio(memory, "--story", "Fogharbour", FABULA_IMPORT_DIR=str(folder)), folder)


@pytest.mark.scenario("BUNDLE-LOOP")
@pytest.mark.slow
@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_loop_over_http(memory: Memory, folder: Path, mode: str) -> None:
    with serving(memory.place.parent, FABULA_IMPORT_DIR=str(folder)) as server:
        go(f"{server.url}/mcp", folder, mode)


def test_a_bundle_may_come_as_text_and_be_only_looked_at(memory: Memory) -> None:
    agent = Agent(in_process(memory))
    text = yaml.safe_dump([{"type": "Character", "name": "Jiang Li"}])
    looked = agent.call("import_knowledge_bundle", text=text, dryRun=True)
    assert (looked["dryRun"], agent.call("list_entities")["totalCount"]) == (True, 0)
    assert agent.call("import_knowledge_bundle", text=text)["status"] == "success"
    assert agent.call("list_entities")["totalCount"] == 1
    both = agent.refusal("import_knowledge_bundle", text=text, temp_file_path="x")
    assert (both["code"], "temp_file_path" in both["suggestion"]) == ("VALIDATION_ERROR", True)


def test_a_file_elsewhere_is_not_touched(memory: Memory, tmp_path: Path) -> None:
    outside = tmp_path / "secret.yaml"
    outside.write_text("- type: Character\n  name: X\n", "utf-8")
    refused = Agent(in_process(memory)).refusal("import_knowledge_bundle", temp_file_path=str(outside))
    assert refused["code"] in ("VALIDATION_ERROR", "FORBIDDEN", "NOT_FOUND")
    assert refused["suggestion"]
    assert outside.exists()


@pytest.mark.parametrize("key", ["aiContextLevel", '"\\u0061iContextLevel"'])
def test_a_bundle_does_not_open_what_the_author_keeps_from_models(memory: Memory, key: str) -> None:
    story = memory.story("Fogharbour", id="fog")
    story.entity.create(type="character", name="Mr Salt", description="zqtwist", ai_context_level="never")
    agent = Agent(in_process(memory))
    refused = agent.refusal(
        "import_knowledge_bundle", text=f"- type: Character\n  name: Mr Salt\n  {key}: always\n"
    )
    assert (refused["code"], refused["details"]["path"]) == ("FORBIDDEN", "[0].aiContextLevel")
    agent.call("import_knowledge_bundle", text=f"- type: Character\n  name: New\n  {key}: never\n")
    assert agent.refusal("get_entity", entity="New")["code"] == "NOT_FOUND"
