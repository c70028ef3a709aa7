"""Decide which web pages may use the server: its own, and those of configured origins."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Mapping, Sequence

from starlette.types import Scope

from fabula.errors import FabulaError, Forbidden, InvalidInput

# How our own page sends its token if there are no accounts: in a header, or as first subprotocol.
PAGE_HEADER = "x-fabula-page"
PAGE_PROTOCOL = "page."

# No link leads here, so browsers must not fetch any of it for pages of other origins.
_DATA = ("/api/", "/v1/", "/mcp", "/metrics")
# Requests to these must declare JSON, which a page of another origin cannot do without a preflight.
_JSON_DOORS = ("/api/v2/ipc/", "/v1/", "/mcp")
_READING = ("GET", "HEAD")
_ELSEWHERE = ("cross-site", "same-site")
_DEFAULT_PORTS = {"http": ":80", "https": ":443"}
_AS_PAGES_SAY = {"ws": "http", "wss": "https"}
_ORIGIN = re.compile(r"([a-z][a-z0-9+.-]*)://([\w.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?", re.ASCII)

Headers = Mapping[bytes, str]


def new_page_token() -> str:
    """Create the page token of a starting server."""
    return secrets.token_urlsafe(32)


def page_token_among(protocols: Sequence[str]) -> str | None:
    """Return the page token from the first subprotocol of a WebSocket."""
    first = protocols[0] if protocols else ""
    return first.removeprefix(PAGE_PROTOCOL) if first.startswith(PAGE_PROTOCOL) else None


class Origins:
    """Distinguishes the server's own pages from those of others.

    A page has an origin (scheme, host and port), and the server's own is the one it is reached at. Without
    accounts its pages must also send the page token created at startup, except with plain reads: browsers
    also send an origin when loading some of a page's files, and no header can be added to those. Requests
    from programs have no origin and are not checked.
    """

    def __init__(self, *, page_token: str | None, allowed: Iterable[str] = ()) -> None:
        self._page_token = page_token
        self._allowed = frozenset(filter(None, map(normal_origin, allowed)))

    def refusal(self, scope: Scope, headers: Headers) -> FabulaError | None:
        """Return why the page that sent a request is refused; None if it is not, or if no page sent it."""
        origin = headers.get(b"origin")
        if origin is None:
            return _foreign() if _is_from_elsewhere(scope, headers) else None
        asked_by = normal_origin(origin)
        if asked_by is None or (asked_by != _own(scope, headers) and asked_by not in self._allowed):
            return _foreign()
        if _is_disguised(scope, headers):
            return InvalidInput(
                "What a page sends to this address must be JSON and say so.",
                details={"header": "content-type"},
                suggestion="Send the header Content-Type: application/json.",
            )
        if asked_by not in self._allowed and not self._shows_token(scope, headers):
            return Forbidden(
                "This page does not show the token that this server gives to its own pages.",
                details={"reason": "page_token"},
                suggestion="Load the page again; or GET /api/v2/page-token, and send it as X-Fabula-Page.",
            )
        return None

    def _shows_token(self, scope: Scope, headers: Headers) -> bool:
        if self._page_token is None or (scope["type"] == "http" and scope["method"] in _READING):
            return True
        shown = headers.get(PAGE_HEADER.encode()) or page_token_among(scope.get("subprotocols") or ())
        return secrets.compare_digest((shown or "").encode("utf-8", "replace"), self._page_token.encode())


def normal_origin(text: str) -> str | None:
    """Normalize an origin for comparison; None if it is not one, such as `null`."""
    found = _ORIGIN.fullmatch(text.strip().lower())
    if found is None:
        return None
    scheme, host, port = found.groups()
    return f"{scheme}://{host}" + ("" if port is None or port == _DEFAULT_PORTS.get(scheme) else port)


def _own(scope: Scope, headers: Headers) -> str | None:
    """Return the origin at which the server was reached.

    A proxy says whether it was reached over TLS. No page of another origin can forge that: a header of this
    name is only sent after a preflight request that the server has approved.
    """
    forwarded = headers.get(b"x-forwarded-proto", "").partition(",")[0].strip().lower()
    scheme = forwarded if forwarded in ("http", "https") else scope["scheme"]
    return normal_origin(f"{_AS_PAGES_SAY.get(scheme, scheme)}://{headers.get(b'host', '')}")


def _is_from_elsewhere(scope: Scope, headers: Headers) -> bool:
    """Whether a page of another origin makes the browser fetch something, rather than navigate here."""
    if headers.get(b"sec-fetch-site") not in _ELSEWHERE:
        return False
    leads_here = (headers.get(b"sec-fetch-mode"), headers.get(b"sec-fetch-dest")) == ("navigate", "document")
    return not leads_here or scope["path"].startswith(_DATA)


def _is_disguised(scope: Scope, headers: Headers) -> bool:
    if scope["type"] != "http" or scope["method"] != "POST" or not scope["path"].startswith(_JSON_DOORS):
        return False
    media_type = headers.get(b"content-type", "").partition(";")[0].strip().lower()
    return media_type != "application/json"


def _foreign() -> Forbidden:
    return Forbidden(
        "Pages from elsewhere may not use this server.",
        details={"reason": "origin"},
        suggestion="Open the page that this server itself offers, or name the origin of yours in "
        "FABULA_ALLOWED_ORIGINS.",
    )
