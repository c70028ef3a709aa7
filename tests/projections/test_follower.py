"""One follower for all projections of a process: who wakes it, what it asks, and who waits for whom."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine, event

from fabula.errors import GraphUnavailable
from fabula.memory import Memory
from fabula.operations.stories import delete_story
from fabula.projections import follower as following
from fabula.projections.follower import Follower, Way
from fabula.projections.projection import NOWHERE, ProjectionProgress, unheeded
from fabula.store.changes import ALL_KINDS, Changes
from fabula.store.reader import Edition
from fabula.store.rowkind import RowKind
from fabula.store.store import Store
from fabula.story_memory import StoryMemory
from postgres import place_at
from waiting import PATIENCE, eventually

NEVER = 600.0


class Counting:
    """A projection that knows how far stories are, and refuses those it is told to."""

    kinds = ALL_KINDS
    waived: frozenset[RowKind] = frozenset()
    most_changes = 1_000

    def __init__(self, store: Store, name: str = "counting") -> None:
        self._store, self.name = store, name
        self.at: dict[str, Edition] = {}
        self.refused: dict[str, Exception] = {}
        self.attempts = 0
        self.gate: threading.Event | None = None

    def position(self, story: str) -> Edition:
        return self.at.get(story, NOWHERE)

    def apply(self, story: str, changes: Changes, report: ProjectionProgress = unheeded) -> bool:
        return self._move(story, changes.until)

    def rebuild(self, story: str, report: ProjectionProgress = unheeded) -> bool:
        with self._store.read() as reader:
            return self._move(story, reader.edition(story))

    def _move(self, story: str, edition: Edition) -> bool:
        self.attempts += 1
        if self.gate is not None:
            assert self.gate.wait(PATIENCE)
        if story in self.refused:
            raise self.refused[story]
        self.at[story] = edition
        return True


@pytest.fixture
def store(memory: Memory) -> Store:
    return memory.call().store


@pytest.fixture
def follower(memory: Memory) -> Iterator[Follower]:
    yield memory.follower
    memory.follower.close()
    assert threads() == []


def threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("follower")]


def newest(memory: Memory, story: StoryMemory) -> Edition:
    with memory.call().store.read() as reader:
        return reader.edition(story.id)


def has_caught_up(memory: Memory, story: StoryMemory, *projections: Counting) -> bool:
    edition = newest(memory, story)
    return all(one.at.get(story.id) == edition for one in projections)


def write(memory: Memory, story: StoryMemory, name: str) -> None:
    StoryMemory(memory, story.id).entity.create(type="character", name=name)


def test_what_is_written_here_wakes_the_follower(
    memory: Memory, story: StoryMemory, store: Store, follower: Follower, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "LOOK_EVERY_SECONDS", NEVER)
    one = Counting(store)
    follower.follow(Way(one))
    eventually(lambda: has_caught_up(memory, story, one))
    for number in range(3):
        write(memory, story, f"人{number}")
        eventually(lambda: has_caught_up(memory, story, one))


def test_what_another_process_writes_is_found(
    memory: Memory, story: StoryMemory, store: Store, follower: Follower
) -> None:
    one = Counting(store)
    follower.follow(Way(one))
    with Memory(memory.place) as other:
        write(other, story, "甲")
        eventually(lambda: has_caught_up(memory, story, one))


def test_all_projections_together_cost_one_question_a_look(
    memory: Memory, story: StoryMemory, store: Store, follower: Follower
) -> None:
    projections = [Counting(store, f"one{number}") for number in range(4)]
    for one in projections:
        follower.follow(Way(one))
    eventually(lambda: has_caught_up(memory, story, *projections))
    looks: list[str] = []
    enough = threading.Event()

    def hear(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if not statement.startswith("BEGIN"):
            looks.append(" ".join(statement.split()))
            if len(looks) == 3:
                enough.set()

    event.listen(Engine, "before_cursor_execute", hear)
    try:
        assert enough.wait(PATIENCE)
    finally:
        event.remove(Engine, "before_cursor_execute", hear)
    assert len(set(looks)) == 1
    assert "FROM stories" in looks[0]


def test_a_projection_that_is_stuck_or_broken_keeps_no_other_waiting(
    memory: Memory, story: StoryMemory, store: Store, follower: Follower, caplog: pytest.LogCaptureFixture
) -> None:
    stuck, away, well = (Counting(store, name) for name in ("stuck", "away", "well"))
    stuck.gate = threading.Event()
    away.refused[story.id] = GraphUnavailable("The graph server does not answer.")
    with caplog.at_level(logging.WARNING, "fabula.follower"):
        for one in (stuck, away, well):
            follower.follow(Way(one))
        for number in range(3):
            write(memory, story, f"人{number}")
            eventually(lambda: has_caught_up(memory, story, well))
        eventually(lambda: away.attempts >= 3)
        assert stuck.at == away.at == {}
        # It is said once, however often it is tried.
        told = [getattr(record, "projection", None) for record in caplog.records]
        assert told == ["away"]
        away.refused.clear()
        stuck.gate.set()
        eventually(lambda: has_caught_up(memory, story, stuck, away, well))


def test_a_story_that_fails_is_tried_again_and_keeps_no_other_waiting(
    memory: Memory, story: StoryMemory, store: Store, follower: Follower, caplog: pytest.LogCaptureFixture
) -> None:
    other = memory.story("另一个")
    one = Counting(store)
    one.refused[story.id] = ValueError("a secret of the story")
    with caplog.at_level(logging.WARNING, "fabula.follower"):
        follower.follow(Way(one))
        eventually(lambda: has_caught_up(memory, other, one))
        eventually(lambda: one.attempts >= 4)
        write(memory, other, "乙")
        eventually(lambda: has_caught_up(memory, other, one))
    assert story.id not in one.at
    assert [getattr(record, "projectId", None) for record in caplog.records] == [story.id]
    assert getattr(caplog.records[0], "reason", "") is None
    one.refused.clear()
    eventually(lambda: has_caught_up(memory, story, one))


def test_a_story_that_is_deleted_troubles_nobody(
    memory: Memory, story: StoryMemory, store: Store, follower: Follower, caplog: pytest.LogCaptureFixture
) -> None:
    one = Counting(store)
    follower.follow(Way(one))
    eventually(lambda: has_caught_up(memory, story, one))
    with caplog.at_level(logging.WARNING, "fabula.follower"):
        delete_story(memory.call(), project_id=story.id)
        again = memory.story("测试", id=story.id)
        eventually(lambda: has_caught_up(memory, again, one))
    assert caplog.records == []


def test_nobody_is_left_behind_when_it_ends_and_what_is_to_be_finished_is(tmp_path: Path) -> None:
    place = place_at(tmp_path / "fabula.db")
    with Memory(place) as memory:
        story = memory.story("旧")
    with Memory(place) as memory:
        finished, left = (Counting(memory.call().store, name) for name in ("finished", "left"))
        left.gate = threading.Event()
        memory.follower.follow(Way(finished, quiet=NEVER, longest=NEVER, finishes=True))
        unfollow = memory.follower.follow(Way(left))
        eventually(lambda: has_caught_up(memory, story, finished))
        write(memory, story, "甲")
        edition = newest(memory, story)
        assert finished.at[story.id] != edition
        unfollow()
        left.gate.set()
        store = memory.call().store
    assert threads() == []
    assert store._listeners == []
    assert finished.at[story.id] == edition


def test_who_follows_again_is_followed_for_again(
    memory: Memory, story: StoryMemory, store: Store, follower: Follower
) -> None:
    for _ in range(3):
        one = Counting(store)
        unfollow = follower.follow(Way(one))
        write(memory, story, f"人{newest(memory, story).revision}")
        eventually(lambda one=one: has_caught_up(memory, story, one))
        unfollow()
        eventually(lambda: threads() == [])
        assert store._listeners == []
