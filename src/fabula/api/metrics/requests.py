"""Give every request an id, a log line and a place in the metrics, without revealing story text."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from typing import Any

from starlette.types import Scope
from uuid_utils import uuid7

from fabula.api.metrics.exposition import ServerMetrics

HEADER = b"x-request-id"
# An id from outside is accepted only if it cannot be anything but an id.
_SANE = re.compile(r"[A-Za-z0-9._:-]{1,64}")
_PATTERN = "fabula.route"
UNROUTED = "none"
API = "/api/v2"
# Polled all the time, by machines and by the page: logged at debug level only.
_QUIET = ("/api/v2/health", "/api/v2/ready", "/metrics", "/static")

log = logging.getLogger("fabula.requests")


def number_of(headers: Mapping[bytes, str]) -> str:
    """Return the id of a request: its own if it has a sane one, else a new one."""
    given = headers.get(HEADER)
    return given if given is not None and _SANE.fullmatch(given) else str(uuid7())


def note_route(scope: Scope, pattern: str) -> None:
    """Note the route pattern of a request where no router does."""
    scope[_PATTERN] = pattern


class RequestRecords:
    """Counts the requests of this process, and writes a log line for each."""

    def __init__(self, metrics: ServerMetrics) -> None:
        self._metrics = metrics

    def begin(self) -> None:
        """Count a request as open."""
        self._metrics.open_requests.inc()

    def end(self, scope: Scope, status: int, seconds: float) -> None:
        """Log and count a request that is over, and how long it took until its answer began."""
        self._metrics.open_requests.dec()
        route = scope.get(_PATTERN) or _template(scope)
        self._metrics.record(scope["method"], route, status, seconds)
        _tell(scope["method"], route, status, seconds)


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


def _tell(method: str, route: str, status: int, seconds: float) -> None:
    level = logging.DEBUG if route in _QUIET else logging.INFO
    if log.isEnabledFor(level):
        said: dict[str, Any] = {"method": method, "route": route, "status": status}
        log.log(level, "answered", extra={**said, "ms": round(seconds * 1000, 1)})
