"""A story in a graph server: written as a whole, followed step by step, asked.

It is that of the settings, or else the Neo4j of the tests, started for it: `make neo4j` fetches it.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from pydantic import SecretStr

from bench.measure import Figures, Results, Series, once
from bench.report import RESULTS, Row, TableOf, markdown, number
from bench.retrieval_report import show
from fabula.config import Config, Neo4jPlace, load
from fabula.memory import Memory
from fabula.operations.graph.graph_sync import delete_story_graph, mirror_of, verify_mirror
from fabula.operations.graph.graph_view import full_graph, graph_around
from fabula.projections.mirror import Mirror
from fabula.story_memory import StoryMemory

NAME = "mirror"
SIZE, DEGREE = 5_000, 3
STEPS = 30
TYPES = ("character", "location", "item", "concept")
WORDS = ("knows", "ally", "owns", "located_at", "师从")

NOTES = """\
A Neo4j on the same machine, with half a gigabyte unless it is that of the settings. Seconds by the wall clock
and of our own process; the server's are not counted. *one step* is a change written by whoever follows; *lag*
is from the end of a write until a server has mirrored it by itself. *query* asks for a subgraph.
"""


def tell(story: StoryMemory) -> None:
    """Fill a story."""
    story.batch.upsert(
        entities=[
            {"id": f"e{n}", "type": TYPES[n % len(TYPES)], "name": f"n{n}", "description": "Some words. " * 8}
            for n in range(SIZE)
        ]
    )
    bonds = [
        {
            "sourceEntityId": f"e{n % SIZE}",
            "targetEntityId": f"e{(n * 7 + 1 + n // SIZE) % SIZE}",
            "relationType": WORDS[n % len(WORDS)],
        }
        for n in range(DEGREE * SIZE)
    ]
    story.batch.upsert(relations=[bond for bond in bonds if len(set(bond.values())) == 3])


def measure(*, quick: bool) -> Results:
    """Everything."""
    steps = STEPS // 3 if quick else STEPS
    found: Results = {}
    with (
        tempfile.TemporaryDirectory(prefix="fabula-bench-") as there,
        _settings(Path(there)) as config,
        Memory.configured(config) as memory,
        Memory.configured(replace(config, neo4j=None)) as index,
    ):
        story = memory.story("bench")
        tell(story)
        call, mirror = memory.call(), mirror_of(memory.call(), story.id)
        _, found["first sync"] = once(lambda: mirror.bring_up_to_date(story.id))
        _, found["sync anew"] = once(lambda: mirror.bring_up_to_date(story.id, anew=True))
        report, found["verify"] = once(lambda: verify_mirror(call, project_id=story.id))
        assert report.equal
        for who, house in (("mirror", memory), ("index", index)):
            _, found[f"whole graph, {who}"] = once(lambda: full_graph(house.call(), project_id=story.id))  # noqa: B023
            for hops in (1, 2, 3):
                series = Series()
                for n in range(steps):
                    series.time(graph_around, house.call(), project_id=story.id, entity=f"n{n}", depth=hops)
                found[f"query, depth {hops}, {who}"] = series.figures()
        found["one step"] = _steps(story, mirror, steps)
        memory.work(after_saving=False)
        found["lag"] = _lag(memory, story, mirror, steps // 2)
        delete_story_graph(call, project_id=story.id)
    return found


@contextmanager
def _settings(folder: Path) -> Iterator[Config]:
    config = replace(load(), db=folder / "fabula.db")
    if config.neo4j is not None:
        yield config
        return
    sys.path.append(str(Path(__file__).parents[1] / "tests"))
    from graph_server import PASSWORD, USER, own_server

    with own_server(folder, "neo4j") as server:
        place = Neo4jPlace(uri=server.uri, user=USER, password=SecretStr(PASSWORD), database="")
        yield replace(config, neo4j=place)


def _steps(story: StoryMemory, mirror: Mirror, count: int) -> Figures:
    series = Series()
    for n in range(count):
        story.entity.create(type="item", name=f"new {n}")
        series.time(mirror.bring_up_to_date, story.id)
    return series.figures()


def _lag(memory: Memory, story: StoryMemory, mirror: Mirror, count: int) -> Figures:
    series = Series()
    for n in range(count):
        story.entity.create(type="item", name=f"late {n}")
        series.time(_seen, memory, story.id, mirror)
    return series.figures()


def _seen(memory: Memory, story_id: str, mirror: Mirror) -> None:
    with memory.call().store.read() as reader:
        wanted = reader.edition(story_id)
    while mirror.positions()[story_id].edition != wanted:
        time.sleep(0.01)


def report(found: Results, name: str | None, note: str) -> None:
    """Show the figures, and keep them under a name."""
    title, columns, rows = told = _table(found)
    show([told])
    if name:
        page = ["# A story in a graph server, measured", *([f"**{note}**"] if note else []), NOTES.strip()]
        page += [f"## {title}", markdown(columns, rows)]
        (RESULTS / f"{name}.md").write_text("\n\n".join(page) + "\n", "utf-8")


def _table(results: Results) -> TableOf:
    columns = ["measurement", "s", "cpu s", "ms p50", "ms p95"]
    keys = ("seconds", "cpu_seconds", "p50", "p95")
    rows: list[Row] = [[name, *(number(one.get(key)) for key in keys)] for name, one in results.items()]
    return f"{SIZE:,} entities, {DEGREE * SIZE:,} relations", columns, rows
