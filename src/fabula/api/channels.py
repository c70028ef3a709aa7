"""The `knowledge:*` channels over HTTP and over a WebSocket."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response, WebSocket, WebSocketDisconnect
from starlette.routing import Route

from fabula.api.authentication import identity_of
from fabula.api.compression import json_response
from fabula.api.envelope import answer_body, answer_message
from fabula.api.threads import threads
from fabula.memory import Memory


def channel_routes(memory: Memory) -> APIRouter:
    """`POST /ipc/{channel}` and the WebSocket `/ipc`."""
    router = APIRouter()

    async def call_channel(request: Request) -> Response:
        body = await request.body()
        channel, identity = request.path_params["channel"], identity_of(request.scope)

        def answered() -> Response:
            return json_response(request.scope, answer_body(memory, channel, body, identity=identity))

        return await threads.run(answered)

    # Without the framework's parameters: an operation checks its request itself.
    router.routes.append(Route("/ipc/{channel}", call_channel, methods=["POST"], include_in_schema=False))

    @router.websocket("/ipc")
    async def converse(socket: WebSocket) -> None:
        identity = identity_of(socket.scope)
        await socket.accept()
        try:
            while True:
                message = await _receive(socket)
                answer = await threads.run(answer_message, memory, message, identity=identity)
                await socket.send_text(answer.decode())
        except WebSocketDisconnect:
            return

    return router


async def _receive(socket: WebSocket) -> bytes | str:
    event = await socket.receive()
    if event["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(event.get("code", 1000))
    text, data = event.get("text"), event.get("bytes")
    return text if text is not None else data or b""
