"""Which web pages may use the server: its own, and those whose origins the settings name."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Mapping, Sequence

from starlette.types import Scope

from fabula.errors import FabulaError, Forbidden, InvalidInput

# What our own page shows where there are no accounts: a header, or the first protocol of a socket.
PAGE_HEADER = "x-fabula-page"
PAGE_PROTOCOL = "page."

# Nobody is led here by a link: no page of another may let a browser fetch any of it.
_DATA = ("/api/", "/v1/", "/mcp", "/metrics")
# Whatever comes here is JSON, and must say so: a page from elsewhere cannot without being asked first.
_JSON_DOORS = ("/api/v2/ipc/", "/v1/", "/mcp")
_READING = ("GET", "HEAD")
_ELSEWHERE = ("cross-site", "same-site")
_DEFAULT_PORTS = {"http": ":80", "https": ":443"}
_AS_PAGES_SAY = {"ws": "http", "wss": "https"}
_ORIGIN = re.compile(r"([a-z][a-z0-9+.-]*)://([\w.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?", re.ASCII)

Headers = Mapping[bytes, str]


def new_page_token() -> str:
    """A token for the pages of a server that starts."""
    return secrets.token_urlsafe(32)


def page_token_among(protocols: Sequence[str]) -> str | None:
    """The token that a page's socket puts first among its protocols."""
    first = protocols[0] if protocols else ""
    return first.removeprefix(PAGE_PROTOCOL) if first.startswith(PAGE_PROTOCOL) else None


class Origins:
    """Tells the server's own pages from those of others.

    A page has an origin (scheme, host and port), and the server's own is the one it is reached at. Without
    accounts its pages also show the token that was made when the server started, with all but plain reading:
    browsers name the origin of some files of a page, too, and nothing can be added to those. Requests of
    programs have no origin and are not looked at.
    """

    def __init__(self, *, page_token: str | None, allowed: Iterable[str] = ()) -> None:
        self._page_token = page_token
        self._allowed = frozenset(filter(None, map(normal_origin, allowed)))

    def refusal(self, scope: Scope, headers: Headers) -> FabulaError | None:
        """Why the page that sent a request may not; None if it may, or if no page did."""
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
    """An origin as it can be compared; None if it is none, such as `null`."""
    found = _ORIGIN.fullmatch(text.strip().lower())
    if found is None:
        return None
    scheme, host, port = found.groups()
    return f"{scheme}://{host}" + ("" if port is None or port == _DEFAULT_PORTS.get(scheme) else port)


def _own(scope: Scope, headers: Headers) -> str | None:
    """The origin at which the server was reached.

    A proxy says whether it was reached over TLS. No page from elsewhere can say so in its place: a header of
    that name is sent only after the server was asked, and agreed.
    """
    forwarded = headers.get(b"x-forwarded-proto", "").partition(",")[0].strip().lower()
    scheme = forwarded if forwarded in ("http", "https") else scope["scheme"]
    return normal_origin(f"{_AS_PAGES_SAY.get(scheme, scheme)}://{headers.get(b'host', '')}")


def _is_from_elsewhere(scope: Scope, headers: Headers) -> bool:
    """Whether another page lets the browser fetch something from here, rather than lead its user here."""
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
