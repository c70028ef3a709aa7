"""Two server processes that follow the same stories into one graph server, one of them killed on the way."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from doors import serving
from fabula.memory import Memory
from fabula.story_memory import StoryMemory
from graph_server import PASSWORD, USER, mirror_of, server_at
from load import STORY, Writers, begin, held
from postgres import place_at
from waiting import eventually

pytestmark = [pytest.mark.slow, pytest.mark.every_engine]

POSITION_OF = "MATCH (s:Story {storyId: $s}) RETURN s.revision AS revision"
COUNT_OF = "MATCH (:Entity {storyId: $s})-[r]->() RETURN count(r) AS edges, count(DISTINCT r.id) AS ids"


@contextmanager
def watched(uri: str) -> Iterator[list[int]]:
    """How far the story was mirrored, over and over."""
    seen: list[int] = []
    over = threading.Event()

    def look() -> None:
        with closing(server_at(uri)) as direct:
            while not over.wait(0.01):
                found = direct.read(lambda run: run(POSITION_OF, {"s": STORY}))
                seen.extend(record["revision"] for record in found)

    watcher = threading.Thread(target=look)
    watcher.start()
    try:
        yield seen
    finally:
        over.set()
        watcher.join()


def test_two_processes_mirror_every_change_once_and_one_goes_on_for_both(
    tmp_path: Path, graph_uri: str
) -> None:
    place = place_at(tmp_path / "fabula.db")
    begin(place)
    settings = {
        "FABULA_GRAPH": "neo4j",
        "FABULA_NEO4J_URI": graph_uri,
        "FABULA_NEO4J_USER": USER,
        "FABULA_NEO4J_PASSWORD": PASSWORD,
    }
    with (
        serving(tmp_path, db=place, **settings) as one,
        serving(tmp_path, db=place, **settings) as other,
        watched(graph_uri) as seen,
    ):
        writers = Writers(lambda: [other.url])
        writers.start()
        eventually(lambda: len(set(seen)) > 4)
        one.process.kill()
        reached = seen[-1]
        writers.grow(20)
        eventually(lambda: seen[-1] > reached + 10)
        writers.stop()
        with Memory(place, graph=server_at(graph_uri)) as memory:
            eventually(lambda: seen[-1] == StoryMemory(memory, STORY).history.list().items[0].revision)
            report = mirror_of(memory).verify(STORY)
            assert report.equal, report
        with closing(server_at(graph_uri)) as direct:
            (count,) = direct.read(lambda run: run(COUNT_OF, {"s": STORY}))
        assert count["edges"] == count["ids"] == report.edges > 0
    # Written anew under a token, a story is nowhere for a while; else it only ever goes on.
    assert all(before <= after for before, after in itertools.pairwise(seen))
    held(place, writers)
