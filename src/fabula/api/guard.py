"""Check the host, the origin and the size of every request before it is read."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from functools import lru_cache
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.types import Message, Receive, Scope, Send

from fabula.api.envelope import refusal
from fabula.api.origins import Origins
from fabula.errors import (
    FabulaError,
    Forbidden,
    PayloadTooLarge,
    RequestTooSlow,
    Unauthenticated,
)

LOCAL_NAMES = ("localhost", "127.0.0.1", "::1")
# A body may take this long, and longer only while it arrives at this rate.
BODY_SECONDS = 30.0
LEAST_BYTES_PER_SECOND = 1_000


def is_loopback(host: str) -> bool:
    """Whether a server on this host can only be reached from this machine."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


class Guard:
    """Refuses unknown hosts, pages from other origins (which must not reach a local server) and huge bodies.

    Without a list of hosts, any host name is accepted.
    """

    def __init__(self, *, hosts: Iterable[str] | None, origins: Origins, max_body_bytes: int) -> None:
        self._origins = origins
        self._hosts = None if hosts is None else frozenset(hosts)
        self.max_body_bytes = max_body_bytes

    def refusal(self, scope: Scope, headers: Mapping[bytes, str]) -> FabulaError | None:
        """Return why a request is refused before it is read; None if it is not."""
        if self._hosts is not None and _host_name(headers.get(b"host", "")) not in self._hosts:
            return Forbidden(
                "This server does not answer to that host name.",
                suggestion="Use the address the server printed when it started.",
            )
        refused = self._origins.refusal(scope, headers)
        if refused is not None:
            return refused
        length = headers.get(b"content-length", "0")
        if not length.isdigit() or int(length) > self.max_body_bytes:
            return too_large(self.max_body_bytes)
        return None


class BoundedBody:
    """A body being received, until it is too large or too slow."""

    def __init__(self, receive: Receive, most_bytes: int) -> None:
        self._receive, self._most_bytes = receive, most_bytes
        self._loop = asyncio.get_running_loop()
        self._began = self._loop.time()
        self._received = 0
        self._is_whole = False
        self.refused: FabulaError | None = None

    async def receive(self) -> Message:
        """Return the next message; raises the error if the body is too large or too slow."""
        if self._is_whole:
            return await self._receive()
        try:
            patience = BODY_SECONDS + self._received / LEAST_BYTES_PER_SECOND
            async with asyncio.timeout_at(self._began + patience):
                message = await self._receive()
        except TimeoutError:
            self.refused = RequestTooSlow(
                "The body of the request came too slowly.",
                details={"received": self._received},
                suggestion="Send it again over a better line, or in smaller parts.",
            )
            raise self.refused from None
        self._received += len(message.get("body", b""))
        self._is_whole = not message.get("more_body", False)
        if self._received > self._most_bytes:
            self.refused = too_large(self._most_bytes)
            raise self.refused
        return message


def too_large(most_bytes: int) -> PayloadTooLarge:
    """Return the error for a body that is too large for this server."""
    return PayloadTooLarge(f"A request body may have {most_bytes:,} bytes.", details={"limit": most_bytes})


@lru_cache(maxsize=256)
def _host_name(host: str) -> str:
    try:
        return (urlsplit(f"//{host}").hostname or "") if host else ""
    except ValueError:
        return ""


async def refuse(scope: Scope, receive: Receive, send: Send, error: FabulaError) -> None:
    """Answer a request with an error before it reaches the application."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008, "reason": error.code})
        return
    body = refusal(scope["path"], error)
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if error.status == Unauthenticated.status:
        headers.append((b"www-authenticate", b"Bearer"))
    if isinstance(error, RequestTooSlow):
        headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": error.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
