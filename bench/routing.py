"""What it is worth to send a story always to the same process: four servers behind `deploy/nginx.conf`.

The same requests go through the configuration as it is, and through the same without its `hash` line, where
each goes to the next process in turn.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import psutil
from prometheus_client.parser import text_string_to_metric_families

from bench.http import free_port, until_listening
from bench.report import RESULTS, Row, TableOf, markdown, number
from bench.retrieval_report import show
from fabula.memory import Memory
from fabula.operations.samples import fill, told_of
from fabula.samples import SAMPLES

NAME = "routing"
PROCESSES = 4
STORIES, QUICK_STORIES = 24, 8
ROUNDS = 8
SEED = 7
CONFIGURATION = Path(__file__).parents[1] / "deploy" / "nginx.conf"
TEXT = {"en": "Jiang Li climbed the stairs and lit the lamp.", "zh": "江离走上台阶，点亮了灯。"}

NOTES = f"""\
{PROCESSES} processes of `fabula serve` on one SQLite file, each at a port of its own, behind nginx. Every
story is a copy of the sample story of its language; each is asked for a context {ROUNDS} times, in a random
order that is the same for both. *compiled* counts stories over all processes: one that two processes hold
counts twice. Milliseconds are of the processor, all servers together, starting them not included.
"""


def measure(*, quick: bool) -> dict[str, dict[str, float]]:
    """Ask the same of both configurations."""
    nginx = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if nginx is None:
        print("There is no nginx here: make nginx")
        return {}
    with tempfile.TemporaryDirectory(prefix="fabula-bench-") as there:
        db = Path(there) / "fabula.db"
        stories = _made(db, QUICK_STORIES if quick else STORIES)
        said = CONFIGURATION.read_text("utf-8")
        upstream = said[: said.index("\nserver {")]
        in_turn, count = re.subn(r"^ *hash .*;\n", "", upstream, flags=re.M)
        assert count == 1
        found = {}
        for name, blocks in (("a story at one process", upstream), ("in turn", in_turn)):
            folder = Path(there) / f"nginx-{len(found)}"
            folder.mkdir()
            found[name] = _asked(nginx, folder, db, blocks, stories)
    return found


def _made(db: Path, count: int) -> list[tuple[str, str]]:
    made = []
    with Memory(db) as memory:
        for number in range(count):
            told = told_of(SAMPLES[number % len(SAMPLES)])
            story = memory.story(f"{told['title']} {number}", language=told["language"])
            fill(memory.call(), story.id, told)
            made.append((story.id, told["language"]))
    return made


def _asked(
    nginx: str, folder: Path, db: Path, blocks: str, stories: list[tuple[str, str]]
) -> dict[str, float]:
    order = stories * ROUNDS
    random.Random(SEED).shuffle(order)
    with ExitStack() as opened:
        servers = [opened.enter_context(_serving(db)) for _ in range(PROCESSES)]
        port = opened.enter_context(_proxied(nginx, folder, blocks, [port for port, _ in servers]))
        client = opened.enter_context(
            httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60, trust_env=False)
        )
        busy = sum(_busy(process) for _, process in servers)
        for story, language in order:
            body = {"chapter": 0, "scene": 1, "text": TEXT[language]}
            client.post(f"/api/v2/stories/{story}/context/assemble", json=body).raise_for_status()
        busy = sum(_busy(process) for _, process in servers) - busy
        held = [_held(port) for port, _ in servers]
    return {
        "stories": len(stories),
        "requests": len(order),
        "compiled": sum(one["fabula_index_stories"] for one in held),
        "MB of stories": sum(one["fabula_index_bytes"] for one in held) / 1e6,
        "server ms a request": busy * 1000 / len(order),
    }


@contextmanager
def _serving(db: Path) -> Iterator[tuple[int, psutil.Process]]:
    port = free_port()
    settings = {"FABULA_DB": str(db), "FABULA_WORK_AFTER_SAVING": "off"}
    command = [sys.executable, "-m", "fabula", "serve", "--port", str(port)]
    server = subprocess.Popen(command, env={**os.environ, **settings}, stderr=subprocess.DEVNULL)
    try:
        asyncio.run(until_listening(port))
        yield port, psutil.Process(server.pid)
    finally:
        server.terminate()
        server.wait(timeout=60)


@contextmanager
def _proxied(nginx: str, folder: Path, blocks: str, ports: list[int]) -> Iterator[int]:
    """Run nginx with the maps and the upstream of the configuration, without certificates."""
    port = free_port()
    listed = "\n".join(f"    server 127.0.0.1:{one};" for one in ports)
    blocks = re.sub(r"^ *# server 127.*\n", "", blocks, flags=re.M).replace(
        "    server 127.0.0.1:8765;", listed
    )
    temporary = "\n".join(
        f"{kind}_temp_path {folder / kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    user = "user root;" if os.geteuid() == 0 else ""
    whole = folder / "nginx.conf"
    whole.write_text(
        f"daemon off; {user} pid {folder / 'pid'}; error_log {folder / 'error.log'};\nevents {{}}\nhttp {{\n"
        f"access_log off;\n{temporary}\n{blocks}\nserver {{\nlisten 127.0.0.1:{port};\n"
        "proxy_http_version 1.1;\n"
        'proxy_set_header Host $http_host;\nproxy_set_header Connection "";\n'
        "location / { proxy_pass http://fabula; }\n}\n}\n",
        "utf-8",
    )
    process = subprocess.Popen([nginx, "-p", str(folder), "-c", str(whole)], stderr=subprocess.DEVNULL)
    try:
        asyncio.run(until_listening(port))
        yield port
    finally:
        process.terminate()
        process.wait(timeout=60)


def _busy(process: psutil.Process) -> float:
    used = process.cpu_times()
    return float(used.user + used.system)


def _held(port: int) -> dict[str, float]:
    figures = httpx.get(f"http://127.0.0.1:{port}/metrics", timeout=60, trust_env=False).text
    families = text_string_to_metric_families(figures)
    return {one.name: one.value for family in families for one in family.samples if "index_" in one.name}


def report(found: dict[str, dict[str, float]], name: str | None, note: str) -> None:
    """Show the figures, and keep them under a name."""
    if not found:
        return
    table = _table(found)
    show([table])
    if name:
        title, columns, rows = table
        page = ["# Sticky routing, measured", *([f"**{note}**"] if note else []), NOTES.strip()]
        page += [f"## {title}", markdown(columns, rows)]
        (RESULTS / f"{name}.md").write_text("\n\n".join(page) + "\n", "utf-8")


def _table(found: dict[str, Any]) -> TableOf:
    columns = ["requests go", *next(iter(found.values()))]
    rows: list[Row] = [[name, *map(number, one.values())] for name, one in found.items()]
    return "Contexts of small stories", columns, rows
