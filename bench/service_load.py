"""The clients of the service, a process of their own: `python -m bench.service_load PORT KIND SECONDS FILE`.

Their own use of the processor is told with what they found, so that nobody takes it for the server's.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.http import Request, converse, posted
from bench.measure import Figures, Series, figure, percentile
from bench.plan import STORY

CLIENTS = 16


def _ask(channel: str, story: str, payload: dict[str, Any]) -> Request:
    body = json.dumps({"projectId": story, **payload}).encode()
    return posted(f"/api/v2/ipc/knowledge:{channel}", body, b'{"ok":true')


def _assemble(story: str, chapter: int, text: str) -> Request:
    body = json.dumps({"chapter": chapter, "scene": 0, "text": text}).encode()
    return posted(f"/api/v2/stories/{story}/context/assemble", body, b'{"systemPrompt')


def _save(story: str, client: int, text: str) -> Request:
    path = f"/api/v2/stories/{story}/chapters/{10 + client}/scenes/0"
    asked = posted(path, json.dumps({"text": text}, ensure_ascii=False).encode(), b'{"')
    return Request(asked.sent.replace(b"POST", b"PUT", 1), asked.expected)


def requests(kind: str, known: dict[str, Any], client: int) -> Iterator[Request]:
    """What a client asks, again and again; each begins elsewhere."""
    big, small = known["starts"], known["stories"]
    run = time.time_ns()
    for number in itertools.count(client):
        story = small[number % len(small)]
        if kind == "assemble, large story":
            yield _assemble(STORY, known["chapter"], known["texts"][number % len(known["texts"])])
        elif kind == "assemble, small stories":
            yield _assemble(story, 3, known["scene"])
        elif kind == "entity read":
            yield _ask("entity:read", STORY, {"id": big[number % len(big)]})
        elif kind == "scene save":
            yield _save(story, client, f"{number}. {known['scene']}")
        elif kind == "entity create":
            fresh = {
                "type": "character",
                "name": f"{run}-{client}-{number}",
                "description": known["scene"][:80],
            }
            yield _ask("entity:create", story, fresh)
        else:
            yield _ask("query:subgraph", STORY, {"centerEntityId": big[number % len(big)], "k": 2})


async def load(port: int, kind: str, seconds: float, known: dict[str, Any]) -> Figures:
    """What the clients found in so many seconds."""
    series, busy = Series(), time.process_time()
    began = time.perf_counter()
    clients = (
        converse(port, requests(kind, known, 7 * number), began + seconds, series)
        for number in range(CLIENTS)
    )
    await asyncio.gather(*clients)
    took = time.perf_counter() - began
    return {
        "n": len(series.wall),
        "per_second": figure(len(series.wall) / took),
        "p50": figure(percentile(series.wall, 50)),
        "p95": figure(percentile(series.wall, 95)),
        "seconds": figure(took),
        "clients_cpu": figure((time.process_time() - busy) / took),
    }


if __name__ == "__main__":
    given = json.loads(Path(sys.argv[4]).read_text("utf-8"))
    print(json.dumps(asyncio.run(load(int(sys.argv[1]), sys.argv[2], float(sys.argv[3]), given))))
