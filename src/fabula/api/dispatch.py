"""Choose the route of a request by the segments of its address, and answer it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from contextlib import AsyncExitStack
from typing import NamedTuple

from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from fabula.api.explanations import NOWHERE, explained, fault
from fabula.api.metrics.requests import note_route
from fabula.errors import NotFound

Handler = Callable[[Request], Awaitable[Response]]

# None of our routes opens what must be closed after its answer, so one empty stack serves them all.
_NOTHING_TO_CLOSE = AsyncExitStack()
_STACKS = ("fastapi_middleware_astack", "fastapi_inner_astack", "fastapi_function_astack")


class _Known(NamedTuple):
    """A route: its pattern, the names of the segments that vary, and what answers."""

    pattern: str
    names: tuple[str, ...]
    handle: Handler


class _Segment:
    """A place in the tree of addresses: what follows it, and the routes that end here by method."""

    __slots__ = ("any", "known", "next")

    def __init__(self) -> None:
        self.next: dict[str, _Segment] = {}
        self.any: _Segment | None = None
        self.known: dict[str, _Known] = {}


class Dispatch:
    """Answers the requests whose routes it knows and passes the others on.

    The framework would try every route in turn, which takes longer than most answers. Below the prefix, an
    address that is unknown here does not exist; elsewhere, one that begins unlike all `others`.
    """

    def __init__(self, rest: ASGIApp, *, prefix: str, others: Iterable[str]) -> None:
        self._rest = rest
        self._root = _Segment()
        self._prefix = prefix + "/"
        self._firsts = frozenset(path.split("/")[1] for path in (prefix, *others))

    def add(self, prefix: str, routes: Iterable[BaseRoute]) -> None:
        """Add the routes of a router; those of WebSockets stay with the framework."""
        for route in routes:
            if isinstance(route, Route):
                handle = route.get_route_handler() if isinstance(route, APIRoute) else route.endpoint
                for method in route.methods or ():
                    self.add_handler(method, prefix + route.path, handle)

    def add_handler(self, method: str, pattern: str, handle: Handler) -> None:
        """Add a route by its pattern; the first of two that are the same counts."""
        place, names = self._root, []
        for segment in pattern.split("/")[1:]:
            if segment.startswith("{"):
                names.append(segment[1:-1])
                place.any = place.any or _Segment()
                place = place.any
            else:
                place = place.next.setdefault(segment, _Segment())
        place.known.setdefault(method, _Known(pattern, tuple(names), handle))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on."""
        if scope["type"] != "http" or scope.get("root_path"):
            await self._rest(scope, receive, send)
            return
        path: str = scope["path"]
        place, values = self._place_of(path)
        known = None if place is None else place.known.get(scope["method"])
        if known is not None:
            scope["path_params"] = dict(zip(known.names, values, strict=True))
            note_route(scope, known.pattern)
            await self._answer(known.handle, scope, receive, send)
        elif place is None and self._is_nowhere(path):
            await self._refuse(NotFound(NOWHERE, suggestion="See /docs."), scope, receive, send)
        else:
            await self._rest(scope, receive, send)

    def pattern_of(self, method: str, path: str) -> str | None:
        """Return the pattern of the route that answers a request; None if it is passed on."""
        place, _ = self._place_of(path)
        known = None if place is None else place.known.get(method)
        return None if known is None else known.pattern

    def _place_of(self, path: str) -> tuple[_Segment | None, list[str]]:
        values: list[str] = []
        return _found(self._root, path.split("/")[1:], 0, values), values

    async def _answer(self, handle: Handler, scope: Scope, receive: Receive, send: Send) -> None:
        for stack in _STACKS:
            scope[stack] = _NOTHING_TO_CLOSE
        try:
            response = await handle(Request(scope, receive, send))
        except Exception as error:
            await self._refuse(error, scope, receive, send)
            return
        await response(scope, receive, send)

    async def _refuse(self, error: Exception, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with the error; one that is a fault of ours is raised again, so that the server logs it."""
        response = explained(scope["path"], error)
        await (fault(scope["path"]) if response is None else response)(scope, receive, send)
        if response is None:
            raise error

    def _is_nowhere(self, path: str) -> bool:
        """Whether no router can know an address; one with a slash at its end may be sent elsewhere."""
        if path.endswith("/"):
            return False
        return path.startswith(self._prefix) or path.split("/")[1] not in self._firsts


def _found(place: _Segment, segments: list[str], at: int, values: list[str]) -> _Segment | None:
    """Return the place of an address; fixed segments come before those that vary."""
    if at == len(segments):
        return place if place.known else None
    segment = segments[at]
    fixed = place.next.get(segment)
    if fixed is not None:
        found = _found(fixed, segments, at + 1, values)
        if found is not None:
            return found
    if place.any is None or not segment:
        return None
    values.append(segment)
    found = _found(place.any, segments, at + 1, values)
    if found is None:
        values.pop()
    return found
