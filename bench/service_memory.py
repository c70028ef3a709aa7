"""What one more story costs: `python -m bench.service_memory make|open|bounded FOLDER SIZE COUNT`.

`make` writes the stories and tells their bytes and rows; `open` asks each of them for a context, and tells by
how much the process grew and how long the first question took; `bounded` does so where only some may stay.
"""

from __future__ import annotations

import gc
import json
import sqlite3
import sys
import time
from pathlib import Path
from typing import Any

import psutil

from bench.asking import LIMITS
from bench.measure import figure, percentile
from bench.world import World
from fabula.memory import Memory
from fabula.operations.context import assemble_context

SCENES = 4
STEP = 5_000
PLENTY_MB, ROOM_MB = 100_000, 20


def text_of(world: World) -> str:
    """A scene of some hundred characters that names a few people of a world."""
    names = "，".join(entity["name"] for entity in world.entities[:8])
    return f"{names}都在渡口。" + "雾从江面上漫过来，没有人说话。" * 40


def fill(memory: Memory, story: str, world: World) -> None:
    """Write a world, and some scenes of it."""
    told = memory.story(story, id=story)
    for start in range(0, world.size, STEP):
        told.batch.upsert(entities=world.entities[start : start + STEP])
    for start in range(0, len(world.relations), STEP):
        told.batch.upsert(relations=world.relations[start : start + STEP])
    for number in range(SCENES):
        told.scene(number, 0, text_of(world))


def make(folder: Path, size: int, count: int) -> dict[str, Any]:
    """The stories, and what each of them takes on the disk."""
    db, world = folder / "fabula.db", World(size)
    with Memory(db, limits=LIMITS) as memory:
        fill(memory, "first", world)
    before = _on_disk(db)
    with Memory(db, limits=LIMITS) as memory:
        for number in range(count):
            fill(memory, f"s{number}", world)
    after = _on_disk(db)
    return {key: figure((after[key] - before[key]) / count) for key in before}


def _on_disk(db: Path) -> dict[str, int]:
    with sqlite3.connect(db) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        rows = sum(connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for (name,) in names)
    return {"bytes": db.stat().st_size, "rows": rows}


def grown(folder: Path, size: int, count: int, room_mb: int) -> dict[str, Any]:
    """By how much a process grows with stories which may fill so much memory."""
    text, times = text_of(World(size)), []
    with Memory(folder / "fabula.db", limits=LIMITS, story_memory_mb=room_mb) as memory:
        ask = {"chapter": SCENES, "scene": 0, "text": text}
        assemble_context(memory.call(), project_id="first", **ask)
        before = _resident()
        for number in range(count):
            began = time.perf_counter()
            assemble_context(memory.call(), project_id=f"s{number}", **ask)
            times.append((time.perf_counter() - began) * 1000)
        held = memory.call().indexes.held()
        return {
            "mb_each": figure((_resident() - before) / count / 1e6),
            "mb_all": figure((_resident() - before) / 1e6),
            "held": held.stories,
            "weighed_mb_each": figure(held.bytes / held.stories / 1e6),
            "first_ms": figure(percentile(times, 50)),
        }


def _resident() -> int:
    gc.collect()
    return int(psutil.Process().memory_info().rss)


if __name__ == "__main__":
    what, place, entities, stories = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    if what == "make":
        print(json.dumps(make(place, entities, stories)))
    else:
        print(json.dumps(grown(place, entities, stories, PLENTY_MB if what == "open" else ROOM_MB)))
