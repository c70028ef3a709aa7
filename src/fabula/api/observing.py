"""Every request has a number, a line in the log and a place in the figures; none of them tells of a story."""

from __future__ import annotations

import logging
import re
import time
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uuid_utils import uuid7

from fabula.api.figures import Figures
from fabula.api.request_id import request_id

HEADER = b"x-request-id"
# What others send is taken over only if it can be nothing but a number of theirs.
_SANE = re.compile(rb"[A-Za-z0-9._:-]{1,64}")
_NOTE = "fabula.note"
UNROUTED = "none"
API = "/api/v2"
# Asked for all the time, by machines and by the page: told only to those who want to know everything.
_QUIET = ("/api/v2/health", "/api/v2/ready", "/metrics", "/static")

log = logging.getLogger("fabula.requests")


class _Note:
    """What is known of a request when it is over."""

    route = UNROUTED


class Observed:
    """The outermost door: gives the request its number, and notes how it was answered."""

    def __init__(self, app: ASGIApp, *, figures: Figures) -> None:
        self._app, self._figures = app, figures

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and note what came of it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        number = _number(scope)
        # Not taken back: whoever explains a fault of ours further out is still in this request.
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

        with self._figures.under_way():
            try:
                await self._app({**scope, _NOTE: note}, receive, noted)
            finally:
                taken = time.perf_counter() - began if seconds is None else seconds
                self._figures.answered(scope["method"], note.route, status, taken)
                _tell(scope["method"], note.route, status, taken)


class Routed:
    """The innermost door: notes which address the request was for, once that is known."""

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
    """The address with names in the place of ids, so that there are only so many."""
    path = getattr(scope.get("route"), "path", None)
    if not isinstance(path, str):
        # These two are applications of their own, and leave no route behind.
        first = "/" + scope["path"].split("/", 2)[1]
        return first if first in ("/mcp", "/static") else UNROUTED
    # A router that was included names its addresses without the prefix it was given.
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
