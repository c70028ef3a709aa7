"""What a loop of an agent costs in tokens: the list of tools, and every call with its answer.

A real MCP client writes the next scene of the sample story the way the instructions say: it opens the story,
looks around, gets the context, checks its passage, saves it, and proposes what it found.
"""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Any

from mcp import Client

from bench.report import RESULTS, Row, TableOf, markdown
from bench.retrieval_report import show
from fabula.api.mcp.server import INSTRUCTIONS, agent_server
from fabula.api.mcp.tools import TOOLS
from fabula.memory import Memory
from fabula.model.account import LOCAL
from fabula.samples import SAMPLES, load_sample
from fabula.tokens import counter

NAME = "agents"
MOST_LISTED = 14_000
VOCABULARY = "gpt-4o"

NOTES = """\
Tokens of OpenAI's o200k vocabulary. *brief* is what a tool answers by itself, *full* with `detail: full`.
An agent pays for the list of tools in every conversation, whether it calls one or not.
"""

PASSAGE = {
    "harbor.en": "Jiang Li climbed the stairs and lit the lamp. Old Marrow was waiting for her.",
    "harbor.zh": "江离走上台阶，点亮了灯。老穆在等她。",
}


def _steps(sample: str, chapter: int, scene: int, who: str) -> list[tuple[str, dict[str, Any]]]:
    place = {"chapter": chapter, "scene": scene}
    text = PASSAGE[sample]
    find = {"entityName": "Old Marrow" if sample.endswith("en") else "老穆", "entityType": "character"}
    return [
        ("list_stories", {}),
        ("open_story", {}),
        ("search", {"query": who, **place}),
        ("get_entity", {"entity": who, **place}),
        ("get_subgraph", {"entity": who, **place}),
        ("get_recent_scenes", {**place, "limit": 1}),
        ("get_context", {**place, "text": text, "tokenBudget": 4_000}),
        ("check_passage", {**place, "text": text}),
        ("save_scene", {**place, "text": text}),
        ("propose_extractions", {**place, "text": text, "proposals": [find]}),
    ]


async def _cost(client: Client, sample: str) -> dict[str, dict[str, int]]:
    count = counter(VOCABULARY).count
    listed = (await client.list_tools()).model_dump_json(by_alias=True, exclude_none=True)
    found = {
        "instructions": {"characters": len(INSTRUCTIONS), "brief": count(INSTRUCTIONS)},
        "tools/list": {"characters": len(listed), "brief": count(listed)},
    }
    outline = (await client.call_tool("open_story", {})).structured_content
    people = (await client.call_tool("list_entities", {"type": "character"})).structured_content
    chapter, scene = outline["lastChapter"], outline["lastScene"] + 1
    for tool, arguments in _steps(sample, chapter, scene, people["items"][0]["name"]):
        costs = {}
        for detail in ("full", "brief"):
            asked = {**arguments, **({"detail": detail} if TOOLS[tool].only_in_full else {})}
            if tool == "save_scene" and detail == "brief":
                asked["expectedVersion"] = 1
            answer = await client.call_tool(tool, asked)
            said = answer.content[0].text
            if answer.is_error:
                raise AssertionError(said)
            costs[detail] = count(str(asked)) + count(said)
            costs["characters"] = len(said)
        found[tool] = costs
    return found


def measure(*, quick: bool) -> dict[str, dict[str, dict[str, int]]]:
    """The costs of a loop, for every sample story."""
    found = {}
    for sample in SAMPLES[-1:] if quick else SAMPLES:
        with (
            tempfile.TemporaryDirectory(prefix="fabula-bench-") as there,
            Memory(Path(there) / "fabula.db") as memory,
        ):
            load_sample(memory, sample)
            server = agent_server(memory, version="bench", identify=lambda _: LOCAL)

            async def asked(sample: str = sample, server: Any = server) -> dict[str, dict[str, int]]:
                async with Client(server) as client:
                    return await _cost(client, sample)

            found[sample] = asyncio.run(asked())
    return found


def report(found: dict[str, dict[str, dict[str, int]]], name: str | None, note: str) -> None:
    """Show the costs, and keep them under a name."""
    tables = [_table(sample, costs) for sample, costs in found.items()]
    show(tables)
    if name:
        page = ["# What an agent pays, measured", *([f"**{note}**"] if note else []), NOTES.strip()]
        for title, columns, rows in tables:
            page += [f"## {title}", markdown(columns, rows)]
        (RESULTS / f"{name}.md").write_text("\n\n".join(page) + "\n", "utf-8")


def _table(sample: str, costs: dict[str, dict[str, int]]) -> TableOf:
    columns = ["step", "characters", "tokens, brief", "tokens, full"]
    rows: list[Row] = [
        [step, f"{one['characters']:,}", f"{one['brief']:,}", f"{one.get('full', one['brief']):,}"]
        for step, one in costs.items()
    ]
    brief = sum(one["brief"] for one in costs.values())
    full = sum(one.get("full", one["brief"]) for one in costs.values())
    rows.append(["**a whole loop**", "", f"**{brief:,}**", f"**{full:,}**"])
    listed = costs["tools/list"]["characters"]
    rows.append(
        [
            f"aim: tools/list at most {MOST_LISTED:,} characters",
            "met" if listed <= MOST_LISTED else "missed",
            "",
            "",
        ]
    )
    return sample, columns, rows
