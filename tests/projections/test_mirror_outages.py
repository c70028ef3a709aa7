"""The mirror while its server is away, falls silent or is killed, and while stories go."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from fabula.errors import GraphUnavailable
from fabula.memory import Memory
from fabula.operations.stories import delete_story
from fabula.projections.mirror_server import Neo4jServer, Run
from graph_server import (
    KINDS,
    USER,
    GraphProcess,
    crowd,
    mirror_of,
    own_server,
    server_at,
    wire_to,
)
from postgres import place_at
from waiting import SLACK_S, eventually

pytestmark = pytest.mark.slow


@pytest.mark.scenario("MEMORY-GRAPH-DELETE")
@pytest.mark.every_engine
def test_a_follower_mirrors_writes_outlasts_an_outage_and_removes_what_was_deleted(
    tmp_path: Path, graph_uri: str
) -> None:
    with wire_to(graph_uri) as wire, Memory(place_at(tmp_path / "f.db"), graph=server_at(wire.uri)) as memory:
        memory.work(after_saving=False)
        with closing(server_at(graph_uri)) as direct:

            def revision(story_id: str) -> int:
                records = direct.read(lambda run: run(POSITION_OF, {"s": story_id}))
                return int(records[0]["revision"]) if records else 0

            story = memory.story("跟", language="zh")
            crowd(story, 3)
            eventually(lambda: revision(story.id) == story.history.list().items[0].revision)
            wire.cut()
            began = time.monotonic()
            story.entity.create(type="item", name="灯")
            assert time.monotonic() - began < 2 + SLACK_S
            with pytest.raises(GraphUnavailable):
                mirror_of(memory).check()
            wire.mend()
            eventually(lambda: revision(story.id) == story.history.list().items[0].revision)
            assert mirror_of(memory).verify(story.id).equal
            wire.cut()
            delete_story(memory.call(), project_id=story.id)
            wire.mend()
            eventually(lambda: direct.read(lambda run: run(COUNT_OF, {"s": story.id})) == [{"count": 0}])
            eventually(lambda: gone(memory) == {})


def gone(memory: Memory) -> dict[str, str]:
    with memory.call().store.read() as reader:
        return reader.gone_stories()


POSITION_OF = "MATCH (s:Story {storyId: $s}) RETURN s.revision AS revision"
COUNT_OF = "MATCH (n {storyId: $s}) RETURN count(n) AS count"


@pytest.mark.every_engine
def test_what_was_deleted_while_nobody_followed_is_removed_later(tmp_path: Path, graph_uri: str) -> None:
    place = place_at(tmp_path / "f.db")
    with Memory(place, graph=server_at(graph_uri)) as memory:
        story = memory.story("去", language="zh")
        crowd(story, 3)
        mirror_of(memory).bring_up_to_date(story.id)
    with Memory(place) as memory:
        delete_story(memory.call(), project_id=story.id)
    with (
        Memory(place, graph=server_at(graph_uri)) as memory,
        closing(server_at(graph_uri)) as direct,
    ):
        memory.work(after_saving=False)
        eventually(lambda: direct.read(lambda run: run(COUNT_OF, {"s": story.id})) == [{"count": 0}])


@pytest.mark.every_engine
def test_another_houses_stories_are_left_alone(tmp_path: Path, graph_uri: str) -> None:
    with (
        Memory(place_at(tmp_path / "a.db"), graph=server_at(graph_uri)) as one,
        Memory(place_at(tmp_path / "b.db"), graph=server_at(graph_uri)) as other,
    ):
        theirs = other.story("别家", language="zh")
        crowd(theirs, 3)
        mirror_of(other).bring_up_to_date(theirs.id)
        mine = one.story("自家", language="zh")
        crowd(mine, 3)
        one.work(after_saving=False)
        eventually(lambda: mine.id in mirror_of(one).positions())
        delete_story(one.call(), project_id=mine.id)
        eventually(lambda: mine.id not in mirror_of(one).positions())
        assert mirror_of(other).verify(theirs.id).equal


@pytest.fixture(scope="module", params=KINDS)
def own(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphProcess]:
    """A server of the tests that kill and freeze it."""
    with own_server(tmp_path_factory.mktemp("own"), request.param) as process:
        yield process


@pytest.mark.usefixtures("in_small_parts")
def test_a_killed_server_comes_back_and_is_caught_up_with(tmp_path: Path, own: GraphProcess) -> None:
    with Memory(place_at(tmp_path / "f.db"), graph=server_at(own.uri)) as memory:
        story = memory.story("断电", language="zh")
        crowd(story, 120)
        mirror, killed = mirror_of(memory), threading.Event()

        def kill(done: int, total: int) -> bool:
            if done > 60 and not killed.is_set():
                own.kill()
                killed.set()
            return True

        with pytest.raises(GraphUnavailable):
            mirror.bring_up_to_date(story.id, kill)
        story.entity.create(type="item", name="灯")
        asked = time.monotonic()
        with pytest.raises(GraphUnavailable):
            mirror.check()
        assert time.monotonic() - asked < 3 + SLACK_S
        own.start()
        mirror.bring_up_to_date(story.id)
        assert mirror.verify(story.id).equal


@contextmanager
def refused_soon() -> Iterator[None]:
    """What is done here is refused, because nobody answers, within three seconds where nothing else runs."""
    began = time.monotonic()
    with pytest.raises(GraphUnavailable) as refused:
        yield
    assert time.monotonic() - began < 3 + SLACK_S
    assert (refused.value.details or {})["reason"] == "down"


def waiting() -> set[threading.Thread]:
    """The threads that wait for a graph server."""
    names = ("graph-question", "sign-of-life")
    return {thread for thread in threading.enumerate() if thread.name in names}


@pytest.mark.usefixtures("in_small_parts")
def test_a_server_that_freezes_in_the_middle_keeps_nobody_waiting_and_is_caught_up_with(
    tmp_path: Path, own: GraphProcess
) -> None:
    of_others = waiting()
    with Memory(place_at(tmp_path / "f.db"), graph=server_at(own.uri)) as memory:
        story, mirror = memory.story("冻", language="zh"), mirror_of(memory)
        crowd(story, 120)
        mirror.bring_up_to_date(story.id)

        def question(run: Run) -> None:
            run(COUNT_OF, {"s": story.id})
            own.freeze()
            run(COUNT_OF, {"s": story.id})

        def freeze(done: int, total: int) -> bool:
            own.freeze()
            return True

        try:
            with refused_soon():
                mirror.answer(story.id, question)
            began = time.monotonic()
            story.entity.create(type="item", name="灯")
            assert time.monotonic() - began < 2 + SLACK_S
            with ThreadPoolExecutor(50) as many, refused_soon():
                asked = [many.submit(mirror.answer, story.id, lambda run: None) for _ in range(50)]
                faults = [one.exception() for one in asked]
                assert {type(fault) for fault in faults} == {GraphUnavailable}
                raise faults[0] or AssertionError
            # The server is still silent, and nobody waits for it any more.
            eventually(lambda: waiting() <= of_others)
        finally:
            own.thaw()
        assert mirror.verify(story.id).equal
        try:
            with refused_soon():
                mirror.bring_up_to_date(story.id, freeze, anew=True)
        finally:
            own.thaw()
        assert mirror.verify(story.id).equal


def test_a_wire_that_went_dead_is_noticed_within_three_seconds(tmp_path: Path, graph_uri: str) -> None:
    with wire_to(graph_uri) as wire, Memory(place_at(tmp_path / "f.db"), graph=server_at(wire.uri)) as memory:
        story = memory.story("哑", language="zh")
        crowd(story, 3)
        mirror_of(memory).bring_up_to_date(story.id)
        wire.deaden()
        for _ in range(2):
            with refused_soon():
                mirror_of(memory).answer(story.id, lambda run: None)
        story.entity.create(type="item", name="灯")
        wire.mend()
        assert mirror_of(memory).verify(story.id).equal


def test_who_closes_leaves_neither_a_thread_nor_a_connection_behind(graph_uri: str) -> None:
    with wire_to(graph_uri) as wire:
        server = server_at(wire.uri)
        server.check()
        wire.deaden()
        of_others = waiting()
        with ThreadPoolExecutor(1) as other:
            asked = other.submit(server.check)
            # On a busy machine the check may have given up before anybody looks.
            eventually(lambda check=asked: bool(waiting() - of_others) or check.done())
            server.close()
            assert isinstance(asked.exception(), GraphUnavailable)
        eventually(lambda: waiting() <= of_others)
        del server, asked
        # Warnings are errors: a driver or a socket that nobody closed would say so here.
        gc.collect()


def test_a_wrong_password_is_refused_and_repeated_nowhere(tmp_path: Path, graph_uri: str) -> None:
    server = Neo4jServer(graph_uri, USER, "secret-of-mine", "")
    with closing(server), pytest.raises(GraphUnavailable) as refused:
        server.check()
    assert (refused.value.details or {})["reason"] == "refused"
    assert "secret-of-mine" not in str(refused.value.as_dict())
