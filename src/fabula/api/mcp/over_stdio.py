"""The MCP server on stdin and stdout, as desktop clients start it."""

from __future__ import annotations

import anyio
from mcp.server.stdio import stdio_server

from fabula.api.mcp.server import agent_server
from fabula.memory import Memory
from fabula.model.account import local

AGENT = local("mcp")


def serve_stdio(memory: Memory, *, version: str, usual_story: str | None, pov: str | None = None) -> None:
    """Serve until stdin ends; everything else that is printed goes to stderr."""
    server = agent_server(memory, version=version, identify=lambda _: AGENT, usual_story=usual_story, pov=pov)

    async def serve() -> None:
        async with stdio_server() as (read_stream, write_stream):
            await server.run(read_stream, write_stream, server.create_initialization_options())

    anyio.run(serve)
