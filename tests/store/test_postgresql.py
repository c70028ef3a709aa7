"""What PostgreSQL alone does: rows held by others, deadlocks, a server that goes and comes back."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest

from doors import rows
from fabula.canon.entry_values import LorebookEntryCreate
from fabula.errors import (
    Conflict,
    DatabaseDamaged,
    DatabaseInterrupted,
    DatabaseRefused,
    DatabaseUnreachable,
    NotFound,
)
from fabula.memory import Memory
from fabula.operations.lorebook.entries import create_entry, list_entries
from fabula.operations.stories import delete_story
from fabula.store.place import PostgresPlace
from fabula.story_memory import StoryMemory
from postgres import ON_POSTGRESQL, SERVER, ask, hang_up
from waiting import eventually

pytestmark = pytest.mark.skipif(not ON_POSTGRESQL, reason="needs FABULA_TEST_ENGINE=postgresql")

# As many as are kept when nobody needs them.
CROWD = 4
HOLD_STORY = "SELECT 1 FROM stories WHERE project_id = %s FOR UPDATE"
HOLD_ENTITY = "SELECT 1 FROM kg_entities WHERE id = %s FOR UPDATE"

WAITING = """SELECT count(*) FROM pg_stat_activity
             WHERE wait_event_type = 'Lock' AND datname = current_database()"""


@contextmanager
def plainly(memory: Memory) -> Iterator[Any]:
    """A connection of somebody else."""
    import psycopg

    assert isinstance(memory.place, PostgresPlace)
    with psycopg.connect(memory.place.url) as connection:
        yield connection


def test_who_loses_a_deadlock_writes_a_moment_later_and_once(memory: Memory, story: StoryMemory) -> None:
    lin = story.entity.create(type="character", name="林远")
    before = rows(memory.place, "SELECT revision FROM stories")
    with plainly(memory) as other:
        other.execute("SET deadlock_timeout = '60s'")  # so that ours finds it first and loses
        other.execute(HOLD_ENTITY, [lin.id])
        changed: list[Any] = []
        ours = threading.Thread(
            target=lambda: changed.append(
                story.entity.update(id=lin.id, expected_version=1, patch={"description": "改"})
            )
        )
        ours.start()
        while ours.is_alive() and rows(memory.place, WAITING) == [0]:
            pass
        other.execute(HOLD_STORY, [story.id])
        other.rollback()
        ours.join(30)
    assert [entity.version for entity in changed] == [2]
    assert rows(memory.place, "SELECT revision FROM stories") == [before[0] + 1]
    assert memory.audit()[0].differing == ()


def test_a_story_that_is_held_keeps_nobody_from_another(memory: Memory, story: StoryMemory) -> None:
    another = memory.story("另一个")
    with plainly(memory) as other:
        other.execute(HOLD_STORY, [story.id])
        assert another.entity.create(type="item", name="铜铃").name == "铜铃"
        other.rollback()


def test_a_server_that_is_gone_is_said_and_one_that_is_back_is_used(
    memory: Memory, story: StoryMemory
) -> None:
    assert isinstance(memory.place, PostgresPlace)
    server, name = memory.place.url.rsplit("/", 1)
    story.entity.create(type="item", name="铜铃")
    ask(f"{server}/postgres", f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
    try:
        hang_up_all(server, name)
        for question in (lambda: story.entity.list(), lambda: story.entity.create(type="item", name="灯")):
            with pytest.raises(DatabaseUnreachable) as refused:
                question()
            assert (refused.value.code, refused.value.status) == ("INTERNAL_ERROR", 503)
            assert "Try again" in (refused.value.suggestion or "")
    finally:
        ask(f"{server}/postgres", f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
    assert story.entity.list().total_count == 1
    assert story.entity.create(type="item", name="灯").name == "灯"


def hang_up_all(server: str, name: str) -> None:
    ask(
        f"{server}/postgres",
        f"SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '{name}'",
    )


def test_connections_that_died_unused_are_not_noticed(memory: Memory, story: StoryMemory) -> None:
    assert isinstance(memory.place, PostgresPlace)
    for name in ("铜铃", "灯", "伞"):
        story.entity.list()
        hang_up(memory.place.url)
        assert story.entity.create(type="item", name=name).name == name
        hang_up(memory.place.url)
        assert name in {entity.name for entity in story.entity.list().items}


def test_many_connections_that_died_unused_are_not_noticed(memory: Memory, story: StoryMemory) -> None:
    assert isinstance(memory.place, PostgresPlace)
    together = threading.Barrier(CROWD)

    def ask_at_once() -> None:
        together.wait(30)
        with memory.call().store.read() as reader:
            together.wait(30)
            assert reader.story(story.id)

    with ThreadPoolExecutor(CROWD) as crowd:
        for _ in range(2):
            for asked in [crowd.submit(ask_at_once) for _ in range(CROWD)]:
                asked.result(60)
            hang_up(memory.place.url)


@pytest.mark.parametrize(("deaths", "is_written"), [(1, True), (2, False)])
def test_a_write_whose_connection_dies_is_done_again_once(
    memory: Memory, story: StoryMemory, deaths: int, is_written: bool
) -> None:
    assert isinstance(memory.place, PostgresPlace)
    before = rows(memory.place, "SELECT count(*) FROM story_steps")
    with plainly(memory) as other, ThreadPoolExecutor(1) as thread:
        other.execute(HOLD_STORY, [story.id])
        writing = thread.submit(story.entity.create, type="item", name="铜铃")
        for _ in range(deaths):
            pid = eventually(lambda: who_waits(memory))
            ask(memory.place.url, f"SELECT pg_terminate_backend({pid}, 5000)")
        other.rollback()
        if is_written:
            assert writing.result(60).version == 1
        else:
            with pytest.raises(DatabaseInterrupted, match="does not answer"):
                writing.result(60)
    assert story.entity.list().total_count == is_written
    assert rows(memory.place, "SELECT count(*) FROM story_steps") == [before[0] + is_written]


def who_waits(memory: Memory) -> int | None:
    """Who waits for a lock."""
    waiting = WAITING.replace("count(*)", "pid")
    return next(iter(rows(memory.place, waiting)), None)


def test_who_cannot_be_reached_at_all_is_said_when_opening() -> None:
    with pytest.raises(DatabaseUnreachable) as refused:
        Memory("postgresql://nobody:secret@127.0.0.1:1/nothing")
    assert "refused" in refused.value.message
    assert "secret" not in refused.value.message


def test_a_database_that_was_never_made_is_named_when_opening(memory: Memory) -> None:
    assert isinstance(memory.place, PostgresPlace)
    with pytest.raises(DatabaseUnreachable, match='"never_made" does not exist'):
        Memory(f"{memory.place.url.rsplit('/', 1)[0]}/never_made")


def test_a_database_that_is_only_read_can_be_read(memory: Memory, story: StoryMemory) -> None:
    assert isinstance(memory.place, PostgresPlace)
    url = memory.place.url
    server, name = url.rsplit("/", 1)
    story.entity.create(type="item", name="铜铃")
    ask(f"{server}/postgres", f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    hang_up(url)
    with pytest.raises(DatabaseRefused) as refused:
        story.entity.create(type="item", name="灯")
    assert refused.value.status == 503
    assert [entity.name for entity in story.entity.list().items] == ["铜铃"]
    ask(f"{server}/postgres", f"ALTER DATABASE {name} RESET default_transaction_read_only")
    hang_up(url)
    assert story.entity.create(type="item", name="灯").name == "灯"


@pytest.mark.parametrize(
    ("break_it", "mend_it"),
    [
        ("ALTER TABLE kg_event_roles RENAME TO lost", "ALTER TABLE lost RENAME TO kg_event_roles"),
        (
            "ALTER TABLE kg_entities RENAME COLUMN name TO lost",
            "ALTER TABLE kg_entities RENAME COLUMN lost TO name",
        ),
    ],
)
def test_what_somebody_took_out_of_the_database_is_damage(
    memory: Memory, story: StoryMemory, break_it: str, mend_it: str
) -> None:
    assert isinstance(memory.place, PostgresPlace)
    ask(memory.place.url, break_it)
    with pytest.raises(DatabaseDamaged):
        story.entity.create(type="item", name="铜铃")
    ask(memory.place.url, mend_it)
    assert story.entity.create(type="item", name="铜铃").version == 1


def test_texts_are_in_the_order_of_their_bytes_as_in_sqlite(memory: Memory, story: StoryMemory) -> None:
    keys = ["b", "é", "a-c", "ab", "_", "中", "z", "a c", "𠀀", "龥"]
    for key in keys:
        entry = LorebookEntryCreate(entry_key=key, category="custom", content=key)
        create_entry(memory.call(), project_id=story.id, entry=entry)
    listed = list_entries(memory.call(), project_id=story.id, size=50).items
    assert [entry.entry_key for entry in listed] == sorted(keys, key=lambda key: key.encode())
    unfit = """SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'
               AND (data_type = 'integer' OR data_type = 'text' AND collation_name IS DISTINCT FROM 'C')"""
    assert rows(memory.place, unfit) == []


def test_numbers_have_64_bits(memory: Memory, story: StoryMemory) -> None:
    late = {"chapter": 2**31 - 1, "scene": 5}
    event = story.event.create(summary="终局。", moment=late)
    assert [found.id for found in story.event.list(filter={"since": late}).items] == [event.id]
    with pytest.raises(NotFound):
        story.history.undo(revision=2**53 - 1)


def test_a_story_that_is_deleted_while_others_write_to_it_is_gone_whole(memory: Memory) -> None:
    for number in range(5):
        story = memory.story(f"弃稿{number}", id=f"s{number}")
        said: list[str] = []

        def write(story: StoryMemory = story, said: list[str] = said) -> None:
            try:
                for count in range(20):
                    story.entity.create(type="item", name=f"物{count}")
            except NotFound as refused:
                said.append(refused.code)

        # An entity of a story that is not there begins it anew, so another channel is asked.
        def change(story: StoryMemory = story, said: list[str] = said) -> None:
            try:
                while True:
                    story.history.undo()
            except (NotFound, Conflict) as refused:
                said.append(refused.code)

        writers = [threading.Thread(target=work) for work in (change, change)]
        write()
        for writer in writers:
            writer.start()
        delete_story(memory.call(), project_id=story.id)
        for writer in writers:
            writer.join(30)
        assert said
        assert rows(memory.place, "SELECT count(*) FROM kg_entities WHERE project_id = ?", story.id) == [0]
        assert rows(memory.place, "SELECT count(*) FROM story_changes WHERE project_id = ?", story.id) == [0]


def test_the_server_listens_on_loopback_only() -> None:
    import os

    assert "@127.0.0.1:" in os.environ[SERVER]
