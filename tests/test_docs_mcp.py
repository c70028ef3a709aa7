"""The page on agents names every tool, resource and prompt as the server really offers them."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from agents import Agent, in_process
from fabula.api.mcp.tools import TOOLS
from fabula.memory import Memory
from test_docs import CODE, DOCS, FENCE, READMES, name_of, sections, text_of

PAGE = DOCS / "mcp.md"
BOLD = re.compile(r"\*\*`([^`]+)`\*\*")
ITALIC = re.compile(r"_`([^`]+)`_")


def rows(heading: str) -> dict[str, list[str]]:
    """The rows of the first table of a section, by the code in their first cell."""
    lines = [line for line in sections(PAGE)[heading].splitlines() if line.startswith("| `")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {CODE.findall(first)[0]: rest for first, *rest in cells}


def test_every_tool_has_a_row_with_its_arguments_and_its_answer(memory: Memory) -> None:
    async def listed(client: object) -> object:
        return (await client.list_tools()).tools

    tools = {tool.name: tool for tool in Agent(in_process(memory)).ask(listed)}
    documented = rows("Tools")
    assert list(documented) == list(tools)
    for name, (_, arguments, answer, role) in documented.items():
        taken = set(tools[name].input_schema["properties"]) - {"story", "detail"}
        assert set(CODE.findall(arguments)) == taken, name
        assert set(BOLD.findall(arguments)) == set(tools[name].input_schema.get("required", ())), name
        said = TOOLS[name].operation.response.model_json_schema(by_alias=True, mode="serialization")
        assert CODE.findall(answer) == list(said["properties"]), name
        assert set(ITALIC.findall(answer)) == {one for one in TOOLS[name].only_in_full if "." not in one}
        assert role == ("editor" if TOOLS[name].writes else "reader"), name


def test_every_resource_and_prompt_has_a_row(memory: Memory) -> None:
    async def listed(client: object) -> tuple[object, object]:
        templates = (await client.list_resource_templates()).resource_templates
        return templates, (await client.list_prompts()).prompts

    templates, prompts = Agent(in_process(memory)).ask(listed)
    assert rows("Resources") == {
        one.uri_template: [one.description, f"`{one.mime_type}`"] for one in templates
    }
    documented = rows("Prompts")
    assert list(documented) == [one.name for one in prompts]
    for one in prompts:
        description, arguments = documented[one.name]
        assert description == one.description
        assert CODE.findall(arguments) == [argument.name for argument in one.arguments]
        assert BOLD.findall(arguments) == [argument.name for argument in one.arguments if argument.required]


@pytest.mark.parametrize("page", READMES, ids=name_of)
def test_the_configurations_of_clients_can_be_copied(page: Path) -> None:
    fences = FENCE.findall(text_of(page))
    configs = [json.loads(code) for language, code in fences if language == "json" and '"fabula"' in code]
    assert [next(iter(config)) for config in configs] == ["mcpServers", "servers"]
    for config in configs:
        (servers,) = config.values()
        assert servers["fabula"]["args"][:2] == ["mcp", "--story"]
    (added,) = (code for language, code in fences if language == "sh" and "claude mcp add" in code)
    first, second = map(shlex.split, added.splitlines())
    assert first[first.index("--") + 2 :][:2] == ["mcp", "--story"]
    assert second[-1] == "http://127.0.0.1:8765/mcp"
