"""Nobody else waits for an embedder at another place, and nothing is held open for it."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from endpoints import Connected, connected
from fabula.story_memory import StoryMemory
from remote_embedder import answering, embed, opened, person, tell
from waiting import PATIENCE


@pytest.fixture
def house() -> Iterator[Connected]:
    with connected() as running:
        running.played.plays(answering(running))
        yield running


class Held:
    """An endpoint that is silent from its next request until it is let go."""

    def __init__(self, house: Connected) -> None:
        self.begun, self._is_free = threading.Event(), threading.Event()
        house.played.plays(answering(house, self._wait))

    def _wait(self, texts: list[str]) -> None:
        self.begun.set()
        assert self._is_free.wait(PATIENCE)

    def others_work_during(self, work: Callable[[], object], story: StoryMemory) -> None:
        """Others write to the story and ask it while this work waits for the endpoint."""

        def others() -> None:
            person(story, "快人", "走得很快。")
            story.query.subgraph(center_entity_id=story.entity.list().items[0].id, k=1)

        waiting, working = Job(work), Job(others)
        try:
            waiting.start()
            assert self.begun.wait(PATIENCE)
            working.start()
            working.join(PATIENCE / 4)
            assert not working.is_alive(), "others wait for the endpoint, too"
            assert waiting.is_alive()
        finally:
            self._is_free.set()
            waiting.join(PATIENCE)
        assert working.failed is None
        assert waiting.failed is None


class Job(threading.Thread):
    """Work in a thread, and what it failed with."""

    def __init__(self, work: Callable[[], object]) -> None:
        super().__init__(daemon=True)
        self._work = work
        self.failed: BaseException | None = None

    def run(self) -> None:
        try:
            self._work()
        except BaseException as error:
            self.failed = error


every_question = pytest.mark.parametrize(
    "ask",
    [
        lambda story: story.search("慢"),
        lambda story: story.query.retrieve(query="慢"),
        lambda story: story.query.relevant(excerpt="慢"),
        lambda story: story.context(0, 1, "她走得很慢。"),
    ],
    ids=["search", "retrieve", "relevant", "context"],
)


@every_question
@pytest.mark.sqlite_only(reason="a checkpoint shows whether a read transaction is open")
def test_no_transaction_is_open_while_the_endpoint_is_asked(
    tmp_path: Path, house: Connected, ask: Callable[[StoryMemory], object]
) -> None:
    with opened(tmp_path, house) as (memory, story):
        tell(story)
        embed(memory, story)
        checkpoints: list[tuple[int, ...]] = []

        def checkpoint(_: list[str]) -> None:
            person(story, f"快人{len(checkpoints)}", "走得很快。")
            with closing(sqlite3.connect(memory.place, timeout=0.1)) as database:
                checkpoints.append(database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone())

        house.played.plays(answering(house, checkpoint))
        ask(story)
    assert [is_busy for is_busy, *_ in checkpoints] == [0] * len(checkpoints) != []


@every_question
def test_nobody_waits_for_the_vector_of_somebody_elses_question(
    tmp_path: Path, house: Connected, ask: Callable[[StoryMemory], object]
) -> None:
    with opened(tmp_path, house) as (memory, story):
        tell(story)
        embed(memory, story)
        Held(house).others_work_during(lambda: ask(story), story)


def test_nobody_waits_while_texts_are_sent(tmp_path: Path, house: Connected) -> None:
    """Also while it is asked how long its vectors are."""
    with opened(tmp_path, house) as (memory, story):
        tell(story)
        Held(house).others_work_during(lambda: embed(memory, story), story)
