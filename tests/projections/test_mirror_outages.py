"""The mirror while its server is away, falls silent or is killed, and while stories go."""

from __future__ import annotations

import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

from fabula.errors import GraphUnavailable
from fabula.memory import Memory
from fabula.operations.stories import delete_story
from fabula.projections.mirror_following import MirrorFollower
from fabula.projections.mirror_server import Neo4jServer
from graph_server import USER, crowd, mirror_of, own_server, server_at, wait_for, wire_to
from postgres import place_at

pytestmark = pytest.mark.slow


def test_a_follower_mirrors_writes_outlasts_an_outage_and_removes_what_was_deleted(
    tmp_path: Path, neo4j_uri: str
) -> None:
    with wire_to(neo4j_uri) as wire, Memory(place_at(tmp_path / "f.db"), graph=server_at(wire.uri)) as memory:
        memory.work(after_saving=False)
        with closing(server_at(neo4j_uri)) as direct:

            def revision(story_id: str) -> int:
                records = direct.read(lambda run: run(POSITION_OF, {"s": story_id}))
                return int(records[0]["revision"]) if records else 0

            story = memory.story("跟", language="zh")
            crowd(story, 3)
            wait_for(lambda: revision(story.id) == story.history.list().items[0].revision)
            wire.cut()
            began = time.monotonic()
            story.entity.create(type="item", name="灯")
            assert time.monotonic() - began < 2
            with pytest.raises(GraphUnavailable):
                mirror_of(memory).check()
            wire.mend()
            wait_for(lambda: revision(story.id) == story.history.list().items[0].revision)
            assert mirror_of(memory).verify(story.id).equal
            wire.cut()
            delete_story(memory.call(), story.id)
            wire.mend()
            wait_for(lambda: direct.read(lambda run: run(COUNT_OF, {"s": story.id})) == [{"count": 0}])
            wait_for(lambda: gone(memory) == {})


def gone(memory: Memory) -> dict[str, str]:
    with memory.call().store.read() as reader:
        return reader.gone_stories()


POSITION_OF = "MATCH (s:Story {storyId: $s}) RETURN s.revision AS revision"
COUNT_OF = "MATCH (n {storyId: $s}) RETURN count(n) AS count"


def test_what_was_deleted_while_nobody_followed_is_removed_later(tmp_path: Path, neo4j_uri: str) -> None:
    place = place_at(tmp_path / "f.db")
    with Memory(place, graph=server_at(neo4j_uri)) as memory:
        story = memory.story("去", language="zh")
        crowd(story, 3)
        mirror_of(memory).bring_up_to_date(story.id)
    with Memory(place) as memory:
        delete_story(memory.call(), story.id)
    with (
        Memory(place, graph=server_at(neo4j_uri)) as memory,
        closing(server_at(neo4j_uri)) as direct,
        closing(MirrorFollower(memory.call().store, mirror_of(memory))),
    ):
        wait_for(lambda: direct.read(lambda run: run(COUNT_OF, {"s": story.id})) == [{"count": 0}])


def test_another_houses_stories_are_left_alone(tmp_path: Path, neo4j_uri: str) -> None:
    with (
        Memory(place_at(tmp_path / "a.db"), graph=server_at(neo4j_uri)) as one,
        Memory(place_at(tmp_path / "b.db"), graph=server_at(neo4j_uri)) as other,
    ):
        theirs = other.story("别家", language="zh")
        crowd(theirs, 3)
        mirror_of(other).bring_up_to_date(theirs.id)
        mine = one.story("自家", language="zh")
        crowd(mine, 3)
        one.work(after_saving=False)
        wait_for(lambda: mine.id in mirror_of(one).positions())
        delete_story(one.call(), mine.id)
        wait_for(lambda: mine.id not in mirror_of(one).positions())
        assert mirror_of(other).verify(theirs.id).equal


@pytest.mark.usefixtures("in_small_parts")
def test_a_killed_server_comes_back_and_is_caught_up_with(tmp_path: Path) -> None:
    with (
        own_server(tmp_path) as process,
        Memory(place_at(tmp_path / "f.db"), graph=server_at(process.uri)) as memory,
    ):
        story = memory.story("断电", language="zh")
        crowd(story, 120)
        mirror, killed = mirror_of(memory), threading.Event()

        def kill(done: int, total: int) -> bool:
            if done > 60 and not killed.is_set():
                process.kill()
                killed.set()
            return True

        with pytest.raises(GraphUnavailable):
            mirror.bring_up_to_date(story.id, kill)
        story.entity.create(type="item", name="灯")
        asked = time.monotonic()
        with pytest.raises(GraphUnavailable):
            mirror.check()
        assert time.monotonic() - asked < 3
        process.start()
        mirror.bring_up_to_date(story.id)
        assert mirror.verify(story.id).equal


def test_a_wire_that_went_dead_is_noticed_within_three_seconds(tmp_path: Path, neo4j_uri: str) -> None:
    with wire_to(neo4j_uri) as wire, Memory(place_at(tmp_path / "f.db"), graph=server_at(wire.uri)) as memory:
        story = memory.story("哑", language="zh")
        crowd(story, 3)
        mirror_of(memory).bring_up_to_date(story.id)
        wire.deaden()
        for _ in range(2):
            asked = time.monotonic()
            with pytest.raises(GraphUnavailable) as refused:
                mirror_of(memory).answer(story.id, lambda run: None)
            assert time.monotonic() - asked < 3
            assert (refused.value.details or {})["reason"] == "down"
        story.entity.create(type="item", name="灯")
        wire.mend()
        assert mirror_of(memory).verify(story.id).equal


def test_a_wrong_password_is_refused_and_repeated_nowhere(tmp_path: Path, neo4j_uri: str) -> None:
    server = Neo4jServer(neo4j_uri, USER, "secret-of-mine", "")
    with closing(server), pytest.raises(GraphUnavailable) as refused:
        server.check()
    assert (refused.value.details or {})["reason"] == "refused"
    assert "secret-of-mine" not in str(refused.value.as_dict())
