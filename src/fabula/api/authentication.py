"""Who is asking: settled once for every door, before anything else is read."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fabula.api.guard import refuse
from fabula.errors import FabulaError, Unauthenticated
from fabula.memory import Memory
from fabula.model.account import LOCAL, Identity

# All that is answered to nobody in particular; an address that is not named here needs a token.
OPEN_PATHS = frozenset(("/", "/docs", "/api/v2/openapi.json", "/api/v2/health", "/api/v2/ready"))
# The files of the page, and the page itself under the addresses of its stories.
OPEN_FOLDERS = ("/static/", "/stories/")

POLICY_VIOLATION = 1008

_IDENTITY = "fabula.identity"
_PROTOCOL = "bearer."


def identity_of(scope: Scope) -> Identity:
    """Who sent this request; Unauthenticated if nobody has looked, so that no door can forget to."""
    identity = scope.get(_IDENTITY)
    if not isinstance(identity, Identity):
        raise _nobody()
    return identity


class Authentication:
    """Names the caller of every request; where tokens are required, refuses those without one."""

    def __init__(self, app: ASGIApp, *, memory: Memory, required: bool) -> None:
        self._app = app
        self._memory = memory
        self._required = required

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on with its caller, or answer it here."""
        if scope["type"] not in ("http", "websocket") or _is_open(scope):
            await self._app(scope, receive, send)
            return
        if not self._required:
            await self._app({**scope, _IDENTITY: LOCAL}, receive, send)
            return
        try:
            known = {**scope, _IDENTITY: await self._identify(_token(scope))}
        except FabulaError as error:
            await (_hang_up if scope["type"] == "websocket" else refuse)(scope, receive, send, error)
            return
        if scope["type"] == "websocket":
            await self._converse(known, receive, send)
        else:
            await self._app(known, receive, send)

    async def _converse(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A conversation may be long: the token is asked for again with every message."""

        async def checked() -> Message:
            message = await receive()
            if message["type"] != "websocket.receive":
                return message
            try:
                await self._identify(_token(scope))
            except FabulaError as error:
                await send(_closing(error))
                return {"type": "websocket.disconnect", "code": POLICY_VIOLATION}
            return message

        async def agreed(message: Message) -> None:
            if message["type"] == "websocket.accept":
                message = {**message, "subprotocol": _agreed_protocol(scope)}
            await send(message)

        await self._app(scope, checked, agreed)

    async def _identify(self, token: str | None) -> Identity:
        if token is None:
            raise _nobody()
        return await run_in_threadpool(self._memory.identify, token)


def _is_open(scope: Scope) -> bool:
    if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
        return False
    path: str = scope["path"]
    return path in OPEN_PATHS or path.startswith(OPEN_FOLDERS)


def _token(scope: Scope) -> str | None:
    """The token of the Authorization header, or the one a browser's socket puts among its protocols."""
    for name, value in scope["headers"]:
        if name.lower() == b"authorization":
            scheme, _, token = value.decode("latin-1").partition(" ")
            return token.strip() if scheme.lower() == "bearer" else None
    return _token_among(scope.get("subprotocols") or [])


def _token_among(protocols: list[str]) -> str | None:
    first = protocols[0] if protocols else ""
    return first.removeprefix(_PROTOCOL) if first.startswith(_PROTOCOL) else None


def _agreed_protocol(scope: Scope) -> str | None:
    """A browser wants one of its protocols back: one that is no token, if it offers one."""
    offered = scope.get("subprotocols") or []
    if _token_among(offered) is None:
        return None
    return str(offered[1] if len(offered) > 1 else offered[0])


def _nobody() -> Unauthenticated:
    return Unauthenticated("This server answers only to those who show a token.")


def _closing(error: FabulaError) -> Message:
    return {"type": "websocket.close", "code": POLICY_VIOLATION, "reason": error.code}


async def _hang_up(scope: Scope, receive: Receive, send: Send, error: FabulaError) -> None:
    """Close with a code: a page cannot see the status of a socket that was never opened."""
    await receive()
    await send({"type": "websocket.accept", "subprotocol": _agreed_protocol(scope)})
    await send(_closing(error))
