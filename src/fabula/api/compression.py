"""Compress answers where that pays: large ones that leave this machine."""

from __future__ import annotations

import gzip

from starlette.responses import Response
from starlette.types import Scope

from fabula.api.guard import is_loopback

# Below this size a packet is saved at best.
LEAST_BYTES = 2_000
# A higher level takes half as long again and saves a twentieth.
LEVEL = 1


def json_response(scope: Scope, body: bytes, status: int = 200) -> Response:
    """Return a JSON answer, compressed if its caller is on another machine and can take it.

    Called in the thread that made the body, so that nobody else waits for it.
    """
    headers = {"vary": "accept-encoding"} if _is_far(scope) and len(body) >= LEAST_BYTES else {}
    if headers and _takes_gzip(scope):
        headers["content-encoding"] = "gzip"
        body = gzip.compress(body, LEVEL, mtime=0)
    return Response(body, status, headers, media_type="application/json")


def _is_far(scope: Scope) -> bool:
    client = scope.get("client")
    return client is not None and not is_loopback(client[0])


def _takes_gzip(scope: Scope) -> bool:
    for name, value in scope["headers"]:
        if name == b"accept-encoding":
            codings = (part.partition(b";") for part in value.lower().split(b","))
            return any(
                coding.strip() == b"gzip" and quality.strip() not in (b"q=0", b"q=0.0")
                for coding, _, quality in codings
            )
    return False
