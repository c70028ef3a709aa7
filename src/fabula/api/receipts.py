"""Tell in every answer to a write which revision of the story it made."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fabula.store.receipt import receipted

HEADER = b"x-fabula-revision"


class Receipted:
    """Adds the revision that a request made to its response; one that wrote nothing has none."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and add the revision to the response."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        with receipted() as receipt:

            async def noted(message: Message) -> None:
                if message["type"] == "http.response.start" and receipt.revision is not None:
                    revision = (HEADER, str(receipt.revision).encode())
                    message = {**message, "headers": [*message.get("headers", ()), revision]}
                await send(message)

            await self._app(scope, receive, noted)
