"""`POST …/context/assemble` to a real `fabula serve` process, by 8 clients with open connections."""

from __future__ import annotations

import asyncio
import itertools
import json
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psutil

from bench.http import Request, loaded, posted, serving, until_listening
from bench.measure import Figures, Results
from bench.plan import STORY
from bench.scenes import CHAPTER, SCENE, Scenes, scenes

SIZE = 5_000
NAME = "http: assemble"
SECONDS = 6.0
QUICK_SECONDS = 2.0


def measure(*, quick: bool) -> Results:
    """The texts of the world in turn, each client beginning with another one."""
    known = scenes(SIZE)
    with tempfile.TemporaryDirectory(prefix="fabula-bench-") as folder:
        # The server gets a copy: another process may have the world open.
        copy = replace(known, db=Path(shutil.copy(known.db, folder)))
        with serving(copy.db) as (port, server):
            return {NAME: asyncio.run(_asked(copy, port, server, QUICK_SECONDS if quick else SECONDS))}


async def _asked(known: Scenes, port: int, server: psutil.Process, seconds: float) -> Figures:
    await until_listening(port)
    await loaded(port, server, lambda client: _requests(known, client, len(known.texts)), 60)
    return await loaded(port, server, lambda client: _requests(known, client, None), seconds)


def _requests(known: Scenes, client: int, count: int | None) -> Iterator[Request]:
    for number in itertools.islice(itertools.count(client), count):
        text = known.texts[number % len(known.texts)].text
        body = {"chapter": CHAPTER, "scene": SCENE, "text": text}
        yield posted(
            f"/api/v2/stories/{STORY}/context/assemble", json.dumps(body).encode(), b'{"systemPrompt'
        )
