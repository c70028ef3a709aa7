"""Which doors lead to which operation: read from the doors themselves, and written as docs/operations.md."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from fastapi import FastAPI
from fastapi.routing import iter_route_contexts

from fabula.api.app import create_app
from fabula.api.mcp.prompts import PROMPTS
from fabula.api.mcp.tools import TOOLS
from fabula.api.rest.route import Route
from fabula.memory import Memory
from fabula.operations.catalogue import OPERATIONS
from fabula.story_memory import StoryMemory
from fabula.story_operations import PYTHON

PAGE = Path(__file__).parents[1] / "docs" / "operations.md"

# Commands do more than one thing each, so they are named here; a test runs `--help` of every one.
COMMANDS = {
    "story.create": "story new",
    "story.list": "story list",
    "story.delete": "story delete",
    "member.put": "story share",
    "context.assemble": "context",
    "search.story": "search",
    "thread.list": "threads",
    "lorebook.try": "try",
    "embedding.status": "embed",
    "import.file": "import",
    "novel.import": "import",
    "bundle.import": "import",
    "bundle.schema": "schema",
    "export.file": "export",
    "export.folder": "export",
    "ontology.read": "ontology show",
    "ontology.write": "ontology set",
    "graph.mirror.verify": "mirror verify",
    "graph.mirror.delete": "mirror drop",
    "account.user.create": "user add",
    "account.user.list": "user list",
    "account.token.create": "user token",
    "account.token.revoke": "user revoke",
}
# What an agent reads by an address of its own, and what clients of OpenAI send.
OTHERS = {
    "agent.story.list": ["MCP resources"],
    "agent.story.open": ["MCP resource `fabula://stories/{story}`"],
    "agent.entity.read": ["MCP resource `…/entities/{entity}`"],
    "agent.scene.read": ["MCP resource `…/chapters/{chapter}/scenes/{scene}`"],
    "proxy.forward": ["`POST /v1/chat/completions`", "`POST /v1/completions`"],
    "story.list": ["`GET /v1/models`"],
}
# What StoryMemory has methods of its own for.
METHODS = {
    "manuscript.scene.put": "story.scene",
    "manuscript.scene.move": "story.move_scene",
    "manuscript.chapter.move": "story.move_chapter",
    "manuscript.snapshot.put": "story.snapshot",
    "lorebook.entry.create": "story.entry",
    "context.assemble": "story.context",
    "context.chat": "story.chat_context",
    "search.story": "story.search",
    "check.passage": "story.check",
    "extraction.extract": "story.extract",
    "extraction.propose": "story.propose",
    "extraction.list": "story.proposals",
    "extraction.review": "story.review",
    "bundle.import": "story.import_bundle",
    "export.folder": "story.export",
    "story.create": "memory.story",
    "story.list": "memory.stories",
}


def rest_rows(app: FastAPI) -> list[Route]:
    """Every row of REST, at its whole address."""
    found = []
    for route in iter_route_contexts(app.routes):
        endpoint = getattr(route.original_route, "endpoint", None)
        if hasattr(endpoint, "row"):
            found.append(endpoint.row)
    return found


def python_name(name: str) -> str | None:
    """How Python calls an operation, if it does."""
    if name in METHODS:
        return METHODS[name]
    if name not in PYTHON:
        return None
    is_shadowed = hasattr(StoryMemory, name.split(".")[0]) or "import" in name.split(".")
    return f'story.ask("{name}")' if is_shadowed else f"story.{name}"


def doors() -> dict[str, dict[str, list[str]]]:
    """The doors of each operation: REST, channel, MCP, Python, CLI, and others."""
    found: dict[str, dict[str, list[str]]] = {name: defaultdict(list) for name in OPERATIONS}
    with Memory.throwaway() as memory:
        for row in rest_rows(create_app(memory, version="doors")):
            found[row.operation.name]["REST"].append(f"`{row.method} {row.path}`")
    for tool in TOOLS.values():
        found[tool.operation.name]["MCP"].append(f"`{tool.name}`")
    for prompt in PROMPTS.values():
        found[prompt.operation.name]["MCP"].append(f"prompt `{prompt.name}`")
    for name, operation in OPERATIONS.items():
        if operation.channel is not None:
            found[name]["channel"].append(f"`{operation.channel}`")
        if (python := python_name(name)) is not None:
            found[name]["Python"].append(f"`{python}`")
        if name in COMMANDS:
            found[name]["CLI"].append(f"`fabula {COMMANDS[name]}`")
        found[name]["other"] += OTHERS.get(name, [])
    return found


def operations_page() -> str:
    """The page of the documentation."""
    lines = [
        "# Operations and their doors",
        "",
        "Everything that can be asked of Fabula, and how. `make schemas` writes this page from",
        "`operations/catalogue.py` and the rows of the doors; a test compares the two.",
        "",
        "REST addresses are below `/api/v2`. A caller needs the role in the story that the request names; an",
        "operation without one is about no story, or looks at its callers itself. Models hear no secrets.",
        "",
        "| operation | what it does | role | audience | REST | channel | MCP | Python | CLI |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for name, led in doors().items():
        operation = OPERATIONS[name]
        mcp = [*led["MCP"], *(other for other in led["other"] if other.startswith("MCP"))]
        rest = [*led["REST"], *(other for other in led["other"] if not other.startswith("MCP"))]
        cells = [
            f"`{name}`",
            operation.summary.replace("|", "\\|"),
            "" if operation.role is None else operation.role.value,
            operation.audience,
            *("<br>".join(cell) for cell in (rest, led["channel"], mcp, led["Python"], led["CLI"])),
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(operations_page(), "utf-8")
