"""Requests over HTTP to one process: what each costs the server, beside a server that does nothing.

One client keeps its connection open and asks without a pause, of a story of 2,000 entities; the figure to
trust is the time of the server's processor. The bare server gets the same requests and answers with as many
bytes. Then sixteen clients ask the same server at once.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from urllib.parse import quote

import psutil

from bench.http import Request, converse, free_port, posted, until_listening
from bench.measure import Figures, Results, Series, figure
from bench.plan import STORY
from bench.scenes import CHAPTER, SCENE, Scenes, scenes
from bench.world import World

NAME = "doors"
BEFORE = "doors_before"
SIZE = 2_000
SECONDS, QUICK_SECONDS = 3.0, 1.0
CLIENTS = 16
WARM_UP = 40
PANEL = "assemble, for the panel"
# What creates entities comes last: their embeddings are made in the background.
CREATING = "entity create"
CROWD = {"entity read": 1_500, "assemble": 200, "entity create": 700}
# Milliseconds of the server's processor for one request, and bytes of the answer.
AIMS = {
    "health": 0.35,
    "unknown address": 0.35,
    "story": 0.5,
    "entity read": 0.6,
    "subgraph k=1": 0.9,
    "assemble": 6.0,
    PANEL: 4.0,
    "search": 2.0,
    "entity create": 1.3,
}
LARGEST_PANEL_BYTES = 40_000

Requests = Callable[[int], Iterator[Request]]
Found = dict[str, Results]


def measure(*, quick: bool) -> Found:
    """Each request by one client at Fabula and at the bare server, then some by sixteen clients."""
    known = scenes(SIZE)
    seconds = QUICK_SECONDS if quick else SECONDS
    kinds = _kinds(known)
    with tempfile.TemporaryDirectory(prefix="fabula-bench-") as folder:
        db = shutil.copy(known.db, folder)
        with _running("fabula", "serve", "--db", str(db), "--port") as (port, server):
            alone: Results = {}
            crowd: Results = {}
            for names in ([name for name in AIMS if name != CREATING], [CREATING]):
                for some, found, clients in ((names, alone, 1), (CROWD, crowd, CLIENTS)):
                    for name in some:
                        if name in names:
                            found[name] = asyncio.run(_asked(port, server, kinds[name], clients, seconds))
    with _running("bench.bare_server") as (port, server):
        bare = {
            name: asyncio.run(_asked(port, server, _bare(kinds[name], alone[name]["bytes"]), 1, seconds))
            for name in AIMS
        }
    return {"alone": alone, "bare": bare, "crowd": crowd}


def ratios(*, quick: bool = True) -> dict[str, float]:
    """What each request costs the server over what it costs the bare one."""
    found = measure(quick=quick)
    return {
        name: figure(found["alone"][name]["server_cpu_ms"] / found["bare"][name]["server_cpu_ms"])
        for name in AIMS
    }


@contextmanager
def _running(module: str, *given: str) -> Iterator[tuple[int, psutil.Process]]:
    port = free_port()
    command = [sys.executable, "-m", module, *given, str(port)]
    settings = {"FABULA_WORK_AFTER_SAVING": "off", "FABULA_QUERY_TIMEOUT_MS": "60000"}
    with open(os.devnull, "wb") as nowhere:
        server = subprocess.Popen(command, env={**os.environ, **settings}, stderr=nowhere)
    try:
        asyncio.run(until_listening(port))
        yield port, psutil.Process(server.pid)
    finally:
        server.terminate()
        server.wait(timeout=60)


async def _asked(port: int, server: psutil.Process, asks: Requests, clients: int, seconds: float) -> Figures:
    """What so many clients found that ask one request after the other."""
    await converse(port, itertools.islice(asks(10**6), WARM_UP), time.perf_counter() + 60, Series())
    series, busy, began = Series(), _busy(server), time.perf_counter()
    await asyncio.gather(
        *(converse(port, asks(number), began + seconds, series) for number in range(clients))
    )
    took, used = time.perf_counter() - began, _busy(server) - busy
    told = series.figures()
    return {
        "n": told["n"],
        "per_second": figure(told["n"] / took),
        "p50": told["p50"],
        "p95": told["p95"],
        "bytes": told["bytes_p50"],
        "server_cpu_ms": figure(used * 1000 / told["n"]),
    }


def _busy(server: psutil.Process) -> float:
    times = server.cpu_times()
    return float(times.user + times.system)


def _kinds(known: Scenes) -> dict[str, Requests]:
    entities = [f"e{number:06d}" for number in range(0, SIZE, 7)]
    names = [entity["name"] for entity in World(SIZE).entities[:50]]
    run = time.time_ns()
    panel = {"leftOutLimit": 20, "withMessages": False}

    def each(make: Callable[[int], Request]) -> Requests:
        return lambda client: (make(number) for number in itertools.count(7 * client))

    def assembled(number: int, **more: object) -> Request:
        text = known.texts[number % len(known.texts)].text
        body = json.dumps({"chapter": CHAPTER, "scene": SCENE, "text": text, **more}).encode()
        return posted(f"/api/v2/stories/{STORY}/context/assemble", body, b'{"systemPrompt')

    def created(number: int) -> Request:
        return _channel("entity:create", type="character", name=f"{run}-{time.perf_counter_ns()}-{number}")

    return {
        "health": each(lambda _: _got("/api/v2/health", b'{"status":"ok"')),
        "unknown address": each(lambda _: _got("/api/v2/nothing", b'{"code"')),
        "story": each(lambda _: _got(f"/api/v2/stories/{STORY}", b'{"id"')),
        "entity read": each(lambda number: _channel("entity:read", id=entities[number % len(entities)])),
        "entity create": each(created),
        "subgraph k=1": each(
            lambda number: _channel("query:subgraph", centerEntityId=entities[number % len(entities)], k=1)
        ),
        "assemble": each(assembled),
        PANEL: each(lambda number: assembled(number, **panel)),
        "search": each(
            lambda number: _got(f"/api/v2/stories/{STORY}/search?q={quote(names[number % len(names)])}", b"{")
        ),
    }


def _bare(asks: Requests, size: float) -> Requests:
    """The same requests, asking for so many bytes of anything."""
    header = b"\r\nx-bytes: %d\r\n" % size

    def asked(client: int) -> Iterator[Request]:
        for request in asks(client):
            yield Request(request.sent.replace(b"\r\n", header, 1))

    return asked


def _got(path: str, expected: bytes) -> Request:
    return Request(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode(), expected)


def _channel(name: str, /, **payload: object) -> Request:
    body = json.dumps({"projectId": STORY, **payload}).encode()
    return posted(f"/api/v2/ipc/knowledge:{name}", body, b'{"ok":true')
