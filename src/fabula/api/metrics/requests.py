"""Give every request an id, a log line and a place in the metrics, without revealing story text."""

from __future__ import annotations

import logging
import re
import time
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uuid_utils import uuid7

from fabula.api.metrics.exposition import ServerMetrics
from fabula.api.request_id import request_id

HEADER = b"x-request-id"
# An id from outside is accepted only if it cannot be anything but an id.
_SANE = re.compile(rb"[A-Za-z0-9._:-]{1,64}")
_NOTE = "fabula.note"
UNROUTED = "none"
API = "/api/v2"
# Polled all the time, by machines and by the page: logged at debug level only.
_QUIET = ("/api/v2/health", "/api/v2/ready", "/metrics", "/static")

log = logging.getLogger("fabula.requests")


class _Note:
    """What is known about a request when it is over."""

    route = UNROUTED


class ObservedRequests:
    """Outermost middleware: gives the request its id, and logs and counts how it was answered."""

    def __init__(self, app: ASGIApp, *, metrics: ServerMetrics) -> None:
        self._app, self._metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, then log and count its outcome."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        number = _number(scope)
        # Not reset: an error handler further out still belongs to this request.
        request_id.set(number)
        note = _Note()
        if scope["type"] == "websocket":
            await self._app({**scope, _NOTE: note}, receive, send)
            return
        began = time.perf_counter()
        status, seconds = 500, None

        async def noted(message: Message) -> None:
            nonlocal status, seconds
            if message["type"] == "http.response.start":
                status, seconds = message["status"], time.perf_counter() - began
                message = {**message, "headers": [*message["headers"], (HEADER, number.encode())]}
            await send(message)

        with self._metrics.in_progress():
            try:
                await self._app({**scope, _NOTE: note}, receive, noted)
            finally:
                taken = time.perf_counter() - began if seconds is None else seconds
                self._metrics.record(scope["method"], note.route, status, taken)
                _tell(scope["method"], note.route, status, taken)


class RoutePatterns:
    """Innermost middleware: notes the route pattern once the router has chosen it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        try:
            await self._app(scope, receive, send)
        finally:
            note = scope.get(_NOTE)
            if note is not None:
                note.route = _template(scope)


def _template(scope: Scope) -> str:
    """The route with names in place of ids, so that the number of series is bounded."""
    path = getattr(scope.get("route"), "path", None)
    if not isinstance(path, str):
        # These two are mounted applications and set no route.
        first = "/" + scope["path"].split("/", 2)[1]
        return first if first in ("/mcp", "/static") else UNROUTED
    # An included router names its routes without its prefix.
    is_bare = scope["path"].startswith(f"{API}/") and not path.startswith(API)
    return API + path if is_bare else path


def _number(scope: Scope) -> str:
    for name, value in scope["headers"]:
        if name.lower() == HEADER and _SANE.fullmatch(value):
            return bytes(value).decode("ascii")
    return str(uuid7())


def _tell(method: str, route: str, status: int, seconds: float) -> None:
    level = logging.DEBUG if route in _QUIET else logging.INFO
    if log.isEnabledFor(level):
        said: dict[str, Any] = {"method": method, "route": route, "status": status}
        log.log(level, "answered", extra={**said, "ms": round(seconds * 1000, 1)})
