"""One and four server processes, on SQLite and on PostgreSQL: requests in a second, and what a story costs.

The clients are a process of their own on the same machine and keep their connections open. The story of 2,000
entities is the one that contexts are measured on; beside it there are small ones of 50.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import httpx
import psutil
from prometheus_client.parser import text_string_to_metric_families

from bench.http import free_port, until_listening
from bench.measure import Figures, figure
from bench.processes import found_by
from bench.scenes import CHAPTER, scenes
from bench.service_engines import postgresql_copy, programs, sqlite_copy
from bench.service_memory import fill, text_of
from bench.world import World
from fabula.memory import Memory
from fabula.store.place import DatabasePlace

NAME = "service"
LARGE, SMALL = 2_000, 50
STORIES, QUICK_STORIES = 200, 40
SECONDS, QUICK_SECONDS = 6.0, 2.0
PROCESSES = (1, 4)
KINDS = (
    "assemble, large story",
    "assemble, small stories",
    "entity read",
    "entity create",
    "scene save",
    "subgraph k=2",
)
COMPILED = ("fabula_index_lookups_total", {"how": "compiled"})
# Entities of a story, and how many such stories are opened.
COSTS = {50: 100, 2_000: 8, 50_000: 2}
QUICK_COSTS = {50: 40, 2_000: 3}

Engine = Callable[[Path], AbstractContextManager[tuple[DatabasePlace, psutil.Process | None]]]
Load = dict[str, dict[str, Figures]]


def measure(*, quick: bool) -> dict[str, Any]:
    """Everything: the load by engine and number of processes, then the costs of stories."""
    engines: dict[str, Engine] = {"SQLite": sqlite_copy}
    if programs() is None:
        _say("there is no PostgreSQL here: measured without it")
    else:
        engines["PostgreSQL"] = postgresql_copy
    load: Load = {}
    with tempfile.TemporaryDirectory(prefix="fabula-bench-") as folder:
        made, known = _made(Path(folder), QUICK_STORIES if quick else STORIES)
        for name, engine in engines.items():
            with engine(made) as (place, database):
                for count in PROCESSES:
                    _say(f"{name}, {count} processes")
                    load[f"{name}, {count}"] = _loaded(place, database, count, known, quick=quick)
    costs = {size: _cost(size, count) for size, count in (QUICK_COSTS if quick else COSTS).items()}
    return {"load": load, "costs": costs}


def _made(folder: Path, stories: int) -> tuple[Path, Path]:
    """The database, and a file with what will be asked of it."""
    large = scenes(LARGE)
    db = Path(shutil.copy(large.db, folder / "fabula.db"))
    world, names = World(SMALL), [f"small{number}" for number in range(stories)]
    with Memory(db) as memory:
        for name in names:
            fill(memory, name, world)
    known = folder / "known.json"
    told = {
        "texts": [text.text for text in large.texts],
        "chapter": CHAPTER,
        "starts": [f"e{number:06d}" for number in range(0, LARGE, 7)],
        "stories": names,
        "scene": text_of(world),
    }
    known.write_text(json.dumps(told, ensure_ascii=False), "utf-8")
    return db, known


@contextmanager
def _serving(place: DatabasePlace, count: int) -> Iterator[tuple[int, psutil.Process]]:
    port = free_port()
    command = [sys.executable, "-m", "fabula", "serve", "--port", str(port), "--processes", str(count)]
    # Every story stays compiled in every process: what one that is not costs is told by itself.
    settings = {
        "FABULA_DB": str(place),
        "FABULA_STORY_MEMORY_MB": "10000",
        "FABULA_WORK_AFTER_SAVING": "off",
        "FABULA_QUERY_TIMEOUT_MS": "60000",
    }
    server = subprocess.Popen(command, env={**os.environ, **settings}, stderr=subprocess.DEVNULL)
    try:
        asyncio.run(until_listening(port))
        yield port, psutil.Process(server.pid)
    finally:
        server.terminate()
        server.wait(timeout=60)


def _loaded(
    place: DatabasePlace, database: psutil.Process | None, count: int, known: Path, *, quick: bool
) -> dict[str, Figures]:
    found: dict[str, Figures] = {}
    seconds = QUICK_SECONDS if quick else SECONDS
    with _serving(place, count) as (port, server):
        for kind in KINDS:
            if kind.startswith("assemble"):
                _warm_up(port, kind, seconds, known)
            busy, base = _busy(server), _busy(database)
            figures = _clients(port, kind, seconds, known)
            figures["server_cpu_ms"] = figure((_busy(server) - busy) * 1000 / figures["n"])
            figures["server_cpu"] = figure((_busy(server) - busy) / figures["seconds"])
            if database is not None:
                figures["database_cpu_ms"] = figure((_busy(database) - base) * 1000 / figures["n"])
            found[kind] = figures
        figures["server_mb"] = figure(sum(p.memory_info().rss for p in _family(server)) / 1e6)
    return found


def _warm_up(port: int, kind: str, seconds: float, known: Path) -> None:
    """Ask until every story is compiled in every process: whoever asks first waits for that."""
    before, now = -1, 0
    while now > before:
        _clients(port, kind, seconds, known)
        before, now = now, _compiled(port)


def _compiled(port: int) -> int:
    """How many stories were compiled so far, in all processes."""
    figures = httpx.get(f"http://127.0.0.1:{port}/metrics", timeout=60, trust_env=False).text
    families = (family.samples for family in text_string_to_metric_families(figures))
    return sum(int(one.value) for samples in families for one in samples if one[:2] == COMPILED)


def _clients(port: int, kind: str, seconds: float, known: Path) -> Figures:
    found: Figures = found_by("bench.service_load", str(port), kind, str(seconds), str(known))
    return found


def _family(process: psutil.Process) -> list[psutil.Process]:
    return [process, *process.children(recursive=True)]


def _busy(process: psutil.Process | None) -> float:
    """Seconds of the processor that a process and those it started have used, gone ones included."""
    if process is None:
        return 0.0
    total = 0.0
    for one in _family(process):
        times = one.cpu_times()
        total += times.user + times.system + times.children_user + times.children_system
    return total


def _cost(size: int, count: int) -> Figures:
    """What a story of this size costs on the disk and in memory."""
    _say(f"{size:,} entities: {count} stories")
    with tempfile.TemporaryDirectory(prefix="fabula-bench-") as folder:
        given = (folder, str(size), str(count))
        found: Figures = found_by("bench.service_memory", "make", *given)
        found |= found_by("bench.service_memory", "open", *given)
        bounded = found_by("bench.service_memory", "bounded", *given)
        found |= {"bounded_mb": bounded["mb_all"], "bounded_held": bounded["held"]}
    return {**found, "count": count}


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
