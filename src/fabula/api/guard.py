"""Who may knock: hosts, pages and sizes are checked before anything is read."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fabula.api.envelope import refusal
from fabula.api.origins import Origins
from fabula.errors import FabulaError, Forbidden, PayloadTooLarge, Unauthenticated

LOCAL_NAMES = ("localhost", "127.0.0.1", "::1")


def is_loopback(host: str) -> bool:
    """Whether a server on this host can only be reached from this machine."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


class Guard:
    """Refuses foreign hosts and pages (a web page must not reach a local server) and huge bodies.

    Without a list of hosts any name is the server's own.
    """

    def __init__(
        self, app: ASGIApp, *, hosts: Iterable[str] | None, origins: Origins, max_body_bytes: int
    ) -> None:
        self._app, self._origins = app, origins
        self._hosts = None if hosts is None else frozenset(hosts)
        self._max_body_bytes = max_body_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer it here."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await refuse(scope, receive, send, refusal)
            return
        if scope["type"] == "websocket":
            await self._app(scope, receive, send)
            return
        await self._bounded(scope, receive, send)

    def _refusal(self, scope: Scope, headers: dict[bytes, str]) -> FabulaError | None:
        if self._hosts is not None and _host_name(headers.get(b"host", "")) not in self._hosts:
            return Forbidden(
                "This server does not answer to that host name.",
                suggestion="Use the address the server printed when it started.",
            )
        refused = self._origins.refusal(scope, headers)
        if refused is not None:
            return refused
        length = headers.get(b"content-length", "0")
        if not length.isdigit() or int(length) > self._max_body_bytes:
            return self._too_large()
        return None

    def _too_large(self) -> PayloadTooLarge:
        return PayloadTooLarge(
            f"A request body may have {self._max_body_bytes:,} bytes.",
            details={"limit": self._max_body_bytes},
        )

    async def _bounded(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A body without a declared length is counted while it comes in."""
        received = 0
        answered = False

        async def counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > self._max_body_bytes:
                raise self._too_large()
            return message

        async def corrected(message: Message) -> None:
            """Whatever the application makes of a body that was cut off, the caller hears the reason."""
            nonlocal answered
            if received <= self._max_body_bytes:
                await send(message)
            elif not answered:
                answered = True
                await refuse(scope, receive, send, self._too_large())

        await self._app(scope, counted, corrected)


def _host_name(host: str) -> str:
    try:
        return (urlsplit(f"//{host}").hostname or "") if host else ""
    except ValueError:
        return ""


async def refuse(scope: Scope, receive: Receive, send: Send, error: FabulaError) -> None:
    """Answer a request with an error before any door has seen it."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008, "reason": error.code})
        return
    body = refusal(scope["path"], error)
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if error.status == Unauthenticated.status:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": error.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
