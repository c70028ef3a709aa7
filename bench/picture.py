"""The picture of a graph of 50,000 nodes and 120,000 edges: on the server, and in a browser.

`python -m bench.picture [folder]` loads such a story into the folder, lets it be laid out, asks for its
picture, and has `web/scripts/graph-bench.mjs` look at it in Chromium.
"""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from bench.measure import once
from bench.plan import STORY
from bench.world import World
from fabula.memory import Memory
from fabula.model.account import LOCAL
from fabula.model.moment import Moment
from fabula.operations.graph import graph_layout, graph_picture

NODES, EDGES = 50_000, 120_000
SCRIPT = Path(__file__).parents[1] / "web" / "scripts" / "graph-bench.mjs"


def on_server(db: Path) -> dict[str, Any]:
    """Load, lay out, ask."""
    world = World(NODES)
    relations = random.Random(1).sample(world.relations, EDGES)
    payload = {"projectId": STORY, "entities": world.entities, "relations": relations}
    with Memory(db) as memory:
        memory.answer("knowledge:batch:upsert", payload)
        call = memory.call(LOCAL)
        begun = graph_layout.lay_out(call, project_id=STORY)
        start, cpu = time.perf_counter(), time.process_time()
        while call.jobs.job(begun.task_id or "").status in ("queued", "processing"):
            time.sleep(0.05)
        layout = {"seconds": time.perf_counter() - start, "cpu_seconds": time.process_time() - cpu}
        picture, asked = once(lambda: graph_picture.graph_picture(call, project_id=STORY, as_of=None))
        text, written = once(lambda: picture.model_dump_json(by_alias=True, warnings=False))
        _, moment = once(
            lambda: graph_picture.graph_picture(call, project_id=STORY, as_of=Moment(chapter=100))
        )
    assert picture.unplaced == 0
    return {
        "layout": layout,
        "picture": asked,
        "as JSON": {**written, "mb": len(text) / 1e6},
        "picture as of chapter 100": moment,
    }


def in_browser(db: Path) -> dict[str, Any]:
    """What the page does with it."""
    command = [str(Path(sys.executable).with_name("fabula")), "serve", "--db", str(db), "--port", "0"]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        assert server.stderr is not None
        found = next(filter(None, (re.search(r"http://[\w.:]+", line) for line in server.stderr)))
        environment = {**os.environ, "FABULA_URL": found[0], "FABULA_STORY": STORY}
        done = subprocess.run(
            ["node", str(SCRIPT)], env=environment, capture_output=True, text=True, check=True, timeout=600
        )
        figures: dict[str, Any] = json.loads(done.stdout)
        return figures
    finally:
        server.terminate()
        server.communicate()


if __name__ == "__main__":
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "/tmp/fabula-picture")
    folder.mkdir(parents=True, exist_ok=True)
    stories = folder / "picture.db"
    told: dict[str, Any] = {}
    if not stories.exists():
        told["server"] = on_server(stories)
    told["browser"] = in_browser(stories)
    print(json.dumps(told, indent=2))
