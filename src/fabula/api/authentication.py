"""Identify the caller of every request, before anything else is read."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fabula.api.guard import refuse
from fabula.api.origins import page_token_among
from fabula.api.revocation import Revocations
from fabula.api.threads import threads
from fabula.errors import FabulaError, Unauthenticated
from fabula.memory import Memory
from fabula.model.account import LOCAL, Identity

# Paths that need no token; every other path does.
OPEN_PATHS = frozenset(
    ("/", "/docs", "/api/v2/openapi.json", "/api/v2/health", "/api/v2/ready", "/api/v2/page-token")
)
# The static files of the page, and the page itself at the addresses of its stories.
OPEN_FOLDERS = ("/static/", "/stories/")

POLICY_VIOLATION = 1008

_IDENTITY = "fabula.identity"
_PROTOCOL = "bearer."


def identity_of(scope: Scope) -> Identity:
    """Return the caller of this request; raises Unauthenticated if it was never identified."""
    identity = scope.get(_IDENTITY)
    if not isinstance(identity, Identity):
        raise _nobody()
    return identity


class Authentication:
    """Identifies the caller of every request; where tokens are required, refuses requests without one."""

    def __init__(self, app: ASGIApp, *, memory: Memory, required: bool) -> None:
        self._app = app
        self._memory = memory
        self._required = required
        self._revocations = Revocations(memory)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on with its caller, or refuse it."""
        if scope["type"] not in ("http", "websocket") or _is_open(scope):
            await self._app(scope, receive, send)
            return
        if not self._required:
            scope[_IDENTITY] = LOCAL
            is_socket = scope["type"] == "websocket"
            await self._app(scope, receive, _agreeing(scope, send) if is_socket else send)
            return
        try:
            identity = await self._identify(_token(scope))
        except FabulaError as error:
            await (_hang_up if scope["type"] == "websocket" else refuse)(scope, receive, send, error)
            return
        scope[_IDENTITY] = identity
        if scope["type"] == "websocket":
            await self._converse(scope, receive, send)
        else:
            await self._answer(scope, receive, send)

    async def _converse(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a WebSocket, checking the token for every message and closing when it is revoked."""
        revoked = asyncio.Event()

        async def checked() -> Message:
            message = await _unless(revoked, receive)
            if message is not None and message["type"] != "websocket.receive":
                return message
            try:
                if message is None:
                    raise _nobody()
                await self._identify(_token(scope))
            except FabulaError as error:
                await send(_closing(error))
                return {"type": "websocket.disconnect", "code": POLICY_VIOLATION}
            return message

        with self._revocations.ending(_token_id(scope), revoked.set):
            await self._app(scope, checked, _agreeing(scope, send))

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve an HTTP request; a stream of events ends when its token is revoked."""
        with ExitStack() as lasting:
            is_revoked = is_whole = False
            answering = asyncio.current_task()
            assert answering is not None

            def revoke() -> None:
                nonlocal is_revoked
                is_revoked = True
                answering.cancel()

            async def noted(message: Message) -> None:
                nonlocal is_whole
                if message["type"] == "http.response.start" and _is_events(message):
                    lasting.enter_context(self._revocations.ending(_token_id(scope), revoke))
                is_whole = message["type"] == "http.response.body" and not message.get("more_body", False)
                await send(message)

            try:
                await self._app(scope, receive, noted)
            except asyncio.CancelledError:
                if not is_revoked:
                    raise
                answering.uncancel()
                if not is_whole:
                    await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _identify(self, token: str | None) -> Identity:
        if token is None:
            raise _nobody()
        return await threads.run(self._memory.identify, token)


async def _unless(revoked: asyncio.Event, receive: Receive) -> Message | None:
    """Return the next message, or None as soon as the token is revoked."""
    message, ending = asyncio.ensure_future(receive()), asyncio.ensure_future(revoked.wait())
    try:
        await asyncio.wait((message, ending), return_when=asyncio.FIRST_COMPLETED)
        return message.result() if message.done() else None
    finally:
        message.cancel()
        ending.cancel()


def _token_id(scope: Scope) -> str:
    token_id = identity_of(scope).token_id
    assert token_id is not None
    return token_id


def _is_events(message: Message) -> bool:
    return any(
        name.lower() == b"content-type" and value.startswith(b"text/event-stream")
        for name, value in message["headers"]
    )


def _is_open(scope: Scope) -> bool:
    if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
        return False
    path: str = scope["path"]
    return path in OPEN_PATHS or path.startswith(OPEN_FOLDERS)


def _token(scope: Scope) -> str | None:
    """Return the token from the Authorization header or, for a browser's WebSocket, from its subprotocols."""
    for name, value in scope["headers"]:
        if name.lower() == b"authorization":
            scheme, _, token = value.decode("latin-1").partition(" ")
            return token.strip() if scheme.lower() == "bearer" else None
    return _token_among(scope.get("subprotocols") or [])


def _token_among(protocols: list[str]) -> str | None:
    first = protocols[0] if protocols else ""
    return first.removeprefix(_PROTOCOL) if first.startswith(_PROTOCOL) else None


def _agreeing(scope: Scope, send: Send) -> Send:
    """Wrap `send` so that an accepted WebSocket agrees on a subprotocol."""

    async def agreed(message: Message) -> None:
        if message["type"] == "websocket.accept":
            message = {**message, "subprotocol": _agreed_protocol(scope)}
        await send(message)

    return agreed


def _agreed_protocol(scope: Scope) -> str | None:
    """Return the subprotocol that the browser expects back, preferring one that is not a token."""
    offered = scope.get("subprotocols") or []
    if _token_among(offered) is None and page_token_among(offered) is None:
        return None
    return str(offered[1] if len(offered) > 1 else offered[0])


def _nobody() -> Unauthenticated:
    return Unauthenticated("This server answers only to those who show a token.")


def _closing(error: FabulaError) -> Message:
    return {"type": "websocket.close", "code": POLICY_VIOLATION, "reason": error.code}


async def _hang_up(scope: Scope, receive: Receive, send: Send, error: FabulaError) -> None:
    """Accept and close with a code: a page cannot see the status of a WebSocket that never opened."""
    await receive()
    await send({"type": "websocket.accept", "subprotocol": _agreed_protocol(scope)})
    await send(_closing(error))
