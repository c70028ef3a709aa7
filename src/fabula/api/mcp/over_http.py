"""The MCP server at `/mcp`: stateless streamable HTTP."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio
from anyio import to_thread
from anyio.abc import TaskGroup, TaskStatus
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from fabula.api.authentication import identity_of
from fabula.errors import InternalError
from fabula.memory import Memory
from fabula.model.account import Identity

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

    from fabula.api.mcp.server import Context


class AgentDoor:
    """An ASGI application for MCP; requests are independent, so any process may answer any of them.

    The MCP library takes half a second to import, so it is loaded on the first request.
    """

    def __init__(self, memory: Memory, *, version: str, max_body_bytes: int) -> None:
        self._memory, self._version, self._max_body_bytes = memory, version, max_body_bytes
        self._tasks: TaskGroup | None = None
        self._sessions: StreamableHTTPSessionManager | None = None
        self._opening = anyio.Lock()

    @asynccontextmanager
    async def lifespan(self, _: object = None) -> AsyncIterator[None]:
        """Run the session manager's tasks while the application runs."""
        async with anyio.create_task_group() as tasks:
            self._tasks = tasks
            try:
                yield
            finally:
                tasks.cancel_scope.cancel()
                self._tasks = self._sessions = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        sessions = await self._opened()
        await sessions.handle_request(scope, receive, send)

    async def _opened(self) -> StreamableHTTPSessionManager:
        async with self._opening:
            if self._sessions is None:
                if self._tasks is None:
                    raise InternalError("The door for agents is not open while the server starts or stops.")
                prepared = await to_thread.run_sync(self._prepared)
                self._sessions = await self._tasks.start(_kept, prepared)
            return self._sessions

    def _prepared(self) -> StreamableHTTPSessionManager:
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

        from fabula.api.mcp.server import agent_server

        server = agent_server(self._memory, version=self._version, identify=_sender)
        # Hosts and origins are checked by the guard, which precedes every interface.
        return StreamableHTTPSessionManager(
            server, json_response=True, stateless=True, max_request_body_size=self._max_body_bytes
        )


def mount(app: Starlette, agents: AgentDoor) -> None:
    """Mount the application; it offers no event stream, so no client needs to hold a connection open."""
    app.router.routes.append(Route("/mcp", agents, methods=["POST"], include_in_schema=False))


async def _kept(
    sessions: StreamableHTTPSessionManager,
    *,
    task_status: TaskStatus[StreamableHTTPSessionManager] = anyio.TASK_STATUS_IGNORED,
) -> None:
    async with sessions.run():
        task_status.started(sessions)
        await anyio.sleep_forever()


def _sender(context: Context) -> Identity:
    """Return the caller identified by the middleware; raises Unauthenticated if there is none."""
    return identity_of({} if context.request is None else context.request.scope)
