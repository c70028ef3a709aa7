"""A real `fabula serve` process and 8 clients that keep their connections open.

The clients speak HTTP over bare sockets in one process, so that they take as little as possible of the
processors they share with the server; every answer is read whole and must say `"ok":true`.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import psutil

from bench.measure import Figures, Results, Series, figure
from bench.plan import STORY, Plan

CLIENTS = 8
_EMPTY = b"GET /api/v2/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


class Request(NamedTuple):
    """A request as it goes over the wire, and how the body of its answer must begin."""

    sent: bytes
    expected: bytes = b""


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def serving(db: Path) -> Iterator[tuple[int, psutil.Process]]:
    """A server of a database, on a free port."""
    port = free_port()
    command = [sys.executable, "-m", "fabula", "serve", "--db", str(db), "--port", str(port)]
    limits = {
        "FABULA_MAX_ENTITIES": "60000",
        "FABULA_MAX_RELATIONS": "240000",
        "FABULA_QUERY_TIMEOUT_MS": "60000",
    }
    server = subprocess.Popen(command, env={**os.environ, **limits}, stderr=subprocess.DEVNULL)
    try:
        yield port, psutil.Process(server.pid)
    finally:
        server.terminate()
        server.wait(timeout=20)


def measure(plan: Plan) -> Results:
    """Each kind of request for some seconds, after the index stands."""
    with serving(plan.db) as (port, server):
        return asyncio.run(_all(plan, port, server))


async def _all(plan: Plan, port: int, server: psutil.Process) -> Results:
    await until_listening(port)
    await loaded(port, server, lambda client: iter([_subgraph(plan.hubs[0]), _relevant(plan, client)]), 60)
    kinds: dict[str, Callable[[int], Iterator[Request]]] = {
        "http: empty request": lambda client: itertools.repeat(Request(_EMPTY)),
        "http: entity read": lambda client: _reads(plan, client),
        "http: entity update": lambda client: _updates(plan, client),
        "http: subgraph k=2": lambda client: _subgraphs(plan, client),
        "http: relevant": lambda client: _relevants(plan, client),
    }
    results = {name: await loaded(port, server, calls, plan.seconds) for name, calls in kinds.items()}
    for figures in results.values():
        figures["server_rss_mb"] = figure(server.memory_info().rss / 1e6)
    return results


async def until_listening(port: int) -> None:
    """Wait until the server answers."""
    for _ in range(300):
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.1)
        else:
            writer.close()
            return
    raise TimeoutError("the server does not answer")


async def loaded(
    port: int, server: psutil.Process, calls: Callable[[int], Iterator[Request]], seconds: float
) -> Figures:
    """What 8 clients found that send one request after the other, for so long or until they have none."""
    series = Series()
    busy = sum(server.cpu_times()[:2])
    began = time.perf_counter()
    await asyncio.gather(
        *(converse(port, calls(number), began + seconds, series) for number in range(CLIENTS))
    )
    took = time.perf_counter() - began
    told = series.figures()
    told["per_second"] = figure(len(series.wall) / took)
    told["server_cpu_ms"] = figure((sum(server.cpu_times()[:2]) - busy) * 1000 / len(series.wall))
    del told["cpu_p50"], told["cpu_p95"], told["bytes_p50"], told["bytes_p95"]
    return told


async def converse(port: int, requests: Iterator[Request], until: float, series: Series) -> None:
    """One client: its requests one after the other over one connection, until the time is over."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 24)
    for request in requests:
        began = time.perf_counter()
        writer.write(request.sent)
        head = await reader.readuntil(b"\r\n\r\n")
        body = await reader.readexactly(_length(head))
        series.wall.append((time.perf_counter() - began) * 1000)
        series.cpu.append(0.0)
        series.note(bytes=len(body))
        if not body.startswith(request.expected):
            raise AssertionError(f"{request.sent[:80]!r}: {body[:300]!r}")
        if time.perf_counter() > until:
            break
    writer.close()


def posted(path: str, body: bytes, expected: bytes) -> Request:
    """A POST of JSON."""
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    return Request(head.encode() + body, expected)


def _ask(channel: str, payload: dict[str, object]) -> Request:
    body = json.dumps({"projectId": STORY, **payload}).encode()
    return posted(f"/api/v2/ipc/knowledge:{channel}", body, b'{"ok":true')


def _length(head: bytes) -> int:
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            return int(line.split(b":")[1])
    raise AssertionError(f"no length: {head!r}")


def _subgraph(key: str) -> Request:
    return _ask("query:subgraph", {"centerEntityId": key, "k": 2})


def _relevant(plan: Plan, number: int) -> Request:
    text = plan.texts[number % len(plan.texts)]["text"]
    return _ask("query:relevant", {"excerpt": text, "maxEntities": 50})


def _reads(plan: Plan, client: int) -> Iterator[Request]:
    for key in itertools.cycle(plan.read[client::CLIENTS]):
        yield _ask("entity:read", {"id": key})


def _updates(plan: Plan, client: int) -> Iterator[Request]:
    """Each client changes its own entities, always knowing their version."""
    keys = plan.updated[client::CLIENTS]
    for version in itertools.count(1):
        for key in keys:
            patch = {"description": f"version {version} of {key}, 第{version}版"}
            yield _ask("entity:update", {"id": key, "expectedVersion": version, "patch": patch})


def _subgraphs(plan: Plan, client: int) -> Iterator[Request]:
    for key in itertools.cycle(plan.starts["2"][client::CLIENTS]):
        yield _subgraph(key)


def _relevants(plan: Plan, client: int) -> Iterator[Request]:
    for number in itertools.count(client):
        yield _relevant(plan, number)
