"""Every address leads where the framework would lead it, and what leaves this machine is compressed."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from fastapi.routing import iter_route_contexts

from fabula.api import compression
from fabula.api.app import create_app
from fabula.memory import Memory
from postgres import place_at

API = "/api/v2"
FAR, NEAR = ("10.0.0.7", 1), ("127.0.0.1", 1)
LONG = "一盏灯。" * 1_000


@pytest.fixture
def app(memory: Memory) -> Any:
    return create_app(memory, version="0")


def ask(app: Any, method: str, path: str, *, client: tuple[str, int] = NEAR, **more: Any) -> httpx.Response:
    async def asked() -> httpx.Response:
        door = httpx.ASGITransport(app, client=client)
        async with httpx.AsyncClient(transport=door, base_url="http://localhost") as caller:
            return await caller.request(method, path, **more)

    return asyncio.run(asked())


def routes_of(app: Any) -> Iterator[tuple[str, str, re.Pattern[str]]]:
    """Methods, whole patterns and expressions of everything below the API, in the order of the framework."""
    for route in iter_route_contexts(app.routes):
        methods, pattern = getattr(route, "methods", None), getattr(route, "path", "")
        if methods and pattern.startswith(API):
            for method in sorted(methods):
                yield method, pattern, re.compile("^" + re.sub(r"{\w+}", "[^/]+", pattern) + "$")


def test_every_address_leads_to_the_route_that_the_framework_would_choose(app: Any) -> None:
    known = list(routes_of(app))
    assert len(known) > 90
    assert {"/api/v2/health", "/api/v2/ipc/{channel}"} < {pattern for _, pattern, _ in known}
    for method, pattern, _ in known:
        for filler in ("x", "import", "graph", "0"):
            path = re.sub(r"{\w+}", filler, pattern)
            first = next(p for m, p, expression in known if m == method and expression.match(path))
            # What is also the beginning of another route may be left to the framework.
            chosen = app.dispatch.pattern_of(method, path)
            assert chosen == first or (chosen is None and filler != "x"), path


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nowhere", 404),
        ("GET", "/nowhere/at/all", 404),
        ("GET", f"{API}/nowhere", 404),
        ("GET", f"{API}/stories//graph", 404),
        ("GET", f"{API}/stories/x/nowhere", 404),
        ("POST", f"{API}/health", 405),
        ("PUT", f"{API}/ipc/knowledge:entity:read", 405),
        ("GET", f"{API}/health/", 307),
        ("GET", "/v1/nowhere", 404),
        ("GET", f"{API}/openapi.json", 200),
        ("GET", "/docs", 200),
    ],
)
def test_what_no_row_answers_is_answered_as_before(app: Any, method: str, path: str, status: int) -> None:
    assert ask(app, method, path).status_code == status


def test_a_fault_of_ours_is_told_without_details_and_raised_for_the_log(memory: Memory) -> None:
    async def broken(_: object) -> None:
        raise RuntimeError("绝密")

    app: Any = create_app(memory, version="0")
    app.dispatch.add_handler("GET", f"{API}/broken", broken)
    said: list[dict[str, Any]] = []

    async def asked() -> None:
        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: dict[str, Any]) -> None:
            said.append(message)

        path = f"{API}/broken"
        headers = [(b"host", b"localhost"), (b"x-request-id", b"mine")]
        scope = {"type": "http", "method": "GET", "path": path, "query_string": b"", "headers": headers}
        await app(scope, receive, send)

    with pytest.raises(RuntimeError):
        asyncio.run(asked())
    assert said[0]["status"] == 500
    assert (b"x-request-id", b"mine") in said[0]["headers"]
    assert b"INTERNAL_ERROR" in said[1]["body"]
    assert "绝密".encode() not in said[1]["body"]


def test_answers_are_compressed_for_those_who_are_elsewhere_and_take_it(tmp_path: Any) -> None:
    with Memory(place_at(tmp_path / "far.db")) as memory:
        app = create_app(memory, version="0", auth_required=False)
        story = memory.story("灯")
        story.scene(0, 0, LONG)
        path = f"{API}/stories/{story.id}/chapters/0/scenes/0"
        plain = ask(app, "GET", path)
        far = ask(app, "GET", path, client=FAR)
        refusing = ask(app, "GET", path, client=FAR, headers={"accept-encoding": "gzip;q=0, br"})
        small = ask(app, "GET", f"{API}/stories/{story.id}", client=FAR)
    assert far.headers["content-encoding"] == "gzip"
    assert far.headers["vary"] == refusing.headers["vary"] == "accept-encoding"
    assert int(far.headers["content-length"]) < len(plain.content) / 2
    assert far.json() == plain.json() == refusing.json()
    for answer in (plain, refusing, small):
        assert "content-encoding" not in answer.headers
    assert len(plain.content) > compression.LEAST_BYTES
