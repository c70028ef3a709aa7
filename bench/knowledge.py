"""A context from a point of view beside one without, in a story where much is private.

`python -m bench.knowledge [entities] [knowings]` prints both and their ratio, in CPU time. At full size,
without numbers, it also keeps them as a page of results.
"""

from __future__ import annotations

import json
import os
import platform
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from bench.report import RESULTS, markdown, number
from fabula.canon.step import Step, write
from fabula.memory import Memory
from fabula.model.fact import FactKind, FactRef
from fabula.model.knowing import HowKnown, Knowing
from fabula.model.story import Limits

ENTITIES, KNOWINGS = 50_000, 200_000
PRIVATE_SHARE = 0.2
KNOWERS = 1_000
RELATIONS_EACH = 2
ROUNDS = 60
AT_A_TIME = 2_000
MOST = 1.3
ASKING = 4
_SOUNDS = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u")]


def _name(number: int) -> str:
    """Return a name that shares no part with another."""
    first, second = divmod(number, len(_SOUNDS) ** 2)
    sounds = (first, *divmod(second, len(_SOUNDS)), number % 7)
    return "".join(_SOUNDS[sound % len(_SOUNDS)] for sound in sounds).capitalize()


def _told(memory: Memory, entities: int, knowings: int) -> tuple[str, list[str], list[str]]:
    """Write the story; return its id, the names of its people, and the ids of those who know something."""
    story, pick = memory.story("Knowledge", language="en"), random.Random(7)
    names = [_name(number) for number in range(entities)]
    for start in range(0, entities, AT_A_TIME):
        part = names[start : start + AT_A_TIME]
        story.batch.upsert(
            entities=[
                {
                    "type": "character",
                    "name": name,
                    "description": f"{name} lives by the sea and fears {pick.choice(names)}.",
                    "secrecy": "private" if pick.random() < PRIVATE_SHARE else "public",
                }
                for name in part
            ],
            relations=[
                {"sourceName": name, "targetName": other, "relationType": "knows"}
                for name in part
                for other in pick.sample(part, RELATIONS_EACH)
                if other != name
            ],
        )
    with memory.call().store.read() as reader:
        found = list(reader.connection.exec_driver_sql("SELECT id, secrecy FROM kg_entities").fetchall())
    private = [key for key, secrecy in found if secrecy == "private"]
    knowers = pick.sample([key for key, secrecy in found if secrecy == "public"], KNOWERS)

    def know(step: Step) -> None:
        step.add(
            [
                Knowing.trusted(
                    id=step.new_id(),
                    project_id=story.id,
                    fact=FactRef.trusted(kind=FactKind.ENTITY, id=pick.choice(private)),
                    knower_id=pick.choice(knowers),
                    knows=True,
                    since=None,
                    until=None,
                    how=HowKnown.TOLD,
                    belief="",
                    source=None,
                    version=1,
                    created_at=step.now,
                    updated_at=step.now,
                )
                for _ in range(AT_A_TIME)
            ]
        )

    for _ in range(0, knowings, AT_A_TIME):
        write(memory.call(), story.id, "knowledge:knowing:create", know)
    return story.id, names, knowers


def measure(entities: int = ENTITIES, knowings: int = KNOWINGS) -> dict[str, float]:
    """Return the median CPU time of a context without and with a point of view, in ms, and their ratio."""
    limits = Limits(max_entities=10**6, max_relations=10**6, query_timeout_ms=60_000)
    with (
        tempfile.TemporaryDirectory() as folder,
        Memory(Path(folder) / "knowledge.db", limits=limits) as memory,
    ):
        story_id, names, knowers = _told(memory, entities, knowings)
        story, pick = memory.story("", id=story_id), random.Random(11)
        took: dict[str | None, list[float]] = {"without": [], "with": []}

        def ask(way: str, pov: str | None, text: str) -> None:
            began = time.process_time()
            story.context(3, 0, text, pov=pov)
            took[way].append((time.process_time() - began) * 1000)

        for number in range(ROUNDS + 5):
            text = f"{' and '.join(pick.sample(names, 4))} meet by the sea."
            asked: list[tuple[str, str | None]] = [("without", None), ("with", knowers[number % ASKING])]
            for way, pov in asked if number % 2 else reversed(asked):
                ask(way, pov, text)
    medians: dict[str, Any] = {str(way): statistics.median(times[5:]) for way, times in took.items()}
    return {**medians, "ratio": medians["with"] / medians["without"]}


def keep(found: dict[str, float]) -> None:
    """Keep the figures of a story of full size in bench/results/."""
    about = {"python": platform.python_version(), "processors": os.cpu_count()}
    kept = json.dumps({"about": about, "found": found}, indent=1)
    (RESULTS / "knowledge.json").write_text(kept + "\n", "utf-8")
    columns = ["context", "without", "from a point of view", "times", ""]
    row = [
        f"{ENTITIES:,} entities, {KNOWINGS:,} knowings",
        *(f"{number(found[way])} ms" for way in ("without", "with")),
        f"{found['ratio']:.2f} ×",
        "met" if found["ratio"] <= MOST else "not met",
    ]
    page = [
        "# A context from a point of view, measured",
        f"Python {about['python']}, {about['processors']} processors, which others used as well. By"
        " `python -m bench.knowledge`.",
        f"A fifth of the people are private, {KNOWERS:,} know something, and {ASKING} of them ask in turn"
        f" with a new text each time: the median of {ROUNDS} contexts in CPU time, beside the same"
        f" texts without a point of view. The aim is at most {MOST} times as much.",
        markdown(columns, [row]),
    ]
    (RESULTS / "knowledge.md").write_text("\n\n".join(page) + "\n", "utf-8")


if __name__ == "__main__":
    figures = measure(*map(int, sys.argv[1:]))
    print({name: round(value, 3) for name, value in figures.items()})
    if len(sys.argv) == 1:
        keep(figures)
    sys.exit(figures["ratio"] > MOST)
