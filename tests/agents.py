"""An agent as tests play it: a real MCP client, asked from plain functions."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from mcp import Client, StdioServerParameters
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from doors import FABULA, environment
from fabula.api.mcp.server import agent_server
from fabula.api.mcp.tools import TOOLS
from fabula.memory import Memory
from fabula.model.account import LOCAL, Identity

T = TypeVar("T")
Target = Server[Any] | StdioServerParameters | str


def in_process(memory: Memory, identity: Identity = LOCAL, usual_story: str | None = None) -> Server[Any]:
    """The server object itself, for a client in this process."""
    return agent_server(memory, version="test", identify=lambda _: identity, usual_story=usual_story)


def over_stdio(memory: Memory, *arguments: str, **settings: str) -> StdioServerParameters:
    """`fabula mcp` on the same database."""
    return StdioServerParameters(
        command=FABULA,
        args=["mcp", "--db", str(memory.place), *arguments],
        env=environment(**settings),
        cwd=memory.place.parent,
    )


class Agent:
    """Somebody who calls tools, one connection per question."""

    def __init__(self, target: Target, mode: str = "auto") -> None:
        self._target, self._mode = target, mode

    def ask(self, question: Callable[[Client], Awaitable[T]]) -> T:
        """The answer to whatever is done with an open client."""

        async def asked() -> T | MCPError:
            async with Client(self._target, mode=self._mode) as client:
                try:
                    return await question(client)
                except MCPError as error:
                    return error

        answer = asyncio.run(asked())
        if isinstance(answer, MCPError):
            raise answer
        return answer

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """What a tool gives, in full detail unless brief is asked for."""
        if tool in TOOLS and TOOLS[tool].only_in_full:
            arguments = {"detail": "full", **arguments}
        result = self.ask(lambda client: called(client, tool, arguments))
        assert not result.is_error, result.content[0].text
        assert json.loads(result.content[0].text) == result.structured_content
        return result.structured_content

    def refusal(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The error of a call that must be refused."""
        result = self.ask(lambda client: called(client, tool, arguments))
        assert result.is_error, result.structured_content
        return json.loads(result.content[0].text)


async def called(client: Client, tool: str, arguments: dict[str, Any]) -> Any:
    """A call of a tool whose schemas the client knows."""
    await client.list_tools()
    return await client.call_tool(tool, arguments)
