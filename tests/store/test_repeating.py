"""Whoever loses against another writer writes a moment later, once, and whoever asked hears nothing of it."""

from __future__ import annotations

import ast
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import fabula
from doors import rows
from fabula.canon.entry_values import LorebookEntryCreate
from fabula.errors import Conflict, Contended, DatabaseUnreachable
from fabula.memory import Memory
from fabula.operations.lorebook.entries import create_entry
from fabula.operations.search.embedding import JOB
from fabula.store.failures import TRIES, repeatable, retries
from fabula.story_memory import StoryMemory
from plain_embedder import PlainEmbedder
from postgres import ON_POSTGRESQL, ask, place_at

SOURCE = Path(fabula.__file__).parent
TRANSACTIONS = {"write", "write_jobs", "write_vectors", "write_accounts", "_transaction"}
HOLD_STORY = "SELECT 1 FROM stories WHERE project_id = %s FOR UPDATE"
WAITING = """SELECT count(*) FROM pg_stat_activity
             WHERE wait_event_type = 'Lock' AND datname = current_database()"""

on_postgresql = pytest.mark.skipif(not ON_POSTGRESQL, reason="needs FABULA_TEST_ENGINE=postgresql")


# Every transaction is inside a function that can be repeated

# Writes into a throw-away copy of a story, which nobody else has.
COPY = "canon/past.py"


def opens_a_transaction(function: ast.FunctionDef) -> bool:
    entered = (
        item.context_expr for node in ast.walk(function) if isinstance(node, ast.With) for item in node.items
    )
    return any(
        isinstance(one, ast.Call)
        and isinstance(one.func, ast.Attribute)
        and one.func.attr in TRANSACTIONS
        and ast.unparse(one.func.value).split(".")[-1] in ("store", "_store", "self")
        for one in entered
    )


@pytest.mark.long
def test_whoever_opens_a_transaction_can_be_repeated() -> None:
    marks: dict[str, set[str]] = {}
    for file in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and opens_a_transaction(node):
                name = f"{file.relative_to(SOURCE)}: {node.name}"
                marks[name] = {ast.unparse(mark) for mark in node.decorator_list}
    assert len(marks) > 25
    # What gives a transaction to its caller is a part of the caller's; a copy has no other writers.
    given = [name for name, named in marks.items() if "contextmanager" in named]
    assert {name.split(": ")[0] for name in given} == {"store/store.py", COPY}
    assert [name for name in marks if name not in given and "repeatable" not in marks[name]] == []


@pytest.mark.long
def test_stories_are_written_in_one_place() -> None:
    writing = [
        file.relative_to(SOURCE).as_posix()
        for file in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Attribute)
        and node.attr == "write"
        and ast.unparse(node.value).split(".")[-1] in ("store", "_store")
    ]
    assert sorted(writing) == [COPY, "canon/step.py"]


# How often


def tries_of(work: Callable[[], object]) -> int:
    tried: list[None] = []

    @repeatable
    def counted() -> None:
        tried.append(None)
        work()

    with pytest.raises(Conflict):
        counted()
    return len(tried)


def lose() -> None:
    raise Contended("Another was quicker.")


def test_work_is_repeated_so_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fabula.store.failures.FIRST_PAUSE_S", 0.0)
    before = retries.counts()
    assert tries_of(lose) == TRIES
    assert retries.counts() == {"again": before["again"] + TRIES - 1, "in vain": before["in vain"] + 1}


def test_work_inside_of_work_is_not_repeated_twice_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fabula.store.failures.FIRST_PAUSE_S", 0.0)
    inner: list[None] = []

    @repeatable
    def within() -> None:
        inner.append(None)
        lose()

    assert tries_of(within) == 1
    assert len(inner) == TRIES


def test_work_is_repeated_only_while_nothing_of_it_is_written(memory: Memory, story: StoryMemory) -> None:
    names = iter(("铜铃", "灯"))

    def write() -> None:
        story.entity.create(type="item", name=next(names))
        lose()

    assert tries_of(write) == 1
    assert [entity.name for entity in story.entity.list().items] == ["铜铃"]


def test_who_waited_long_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fabula.store.failures.PATIENCE_S", -1.0)
    assert tries_of(lose) == 1


# On an engine where two write at once


@contextmanager
def losing(memory: Memory, story_id: str, held: str) -> Iterator[threading.Event]:
    """Somebody who holds a row that the next writer of the story wants, and then wants the story."""
    import psycopg

    met = threading.Event()

    def hold(connection: Any) -> None:
        connection.execute("SET deadlock_timeout = '60s'")  # so that ours finds it first and loses
        connection.execute(held, [story_id])
        ready.set()
        while rows(memory.place, WAITING) == [0]:
            pass
        connection.execute(HOLD_STORY, [story_id])
        met.set()
        connection.rollback()

    ready = threading.Event()
    with psycopg.connect(memory.place.url) as other:  # type: ignore[union-attr]
        holder = threading.Thread(target=hold, args=[other])
        holder.start()
        assert ready.wait(30)
        yield met
        holder.join(30)


@pytest.fixture
def quick(tmp_path: Path) -> Iterator[Memory]:
    """A memory on a database where deadlocks are found soon."""
    place = place_at(tmp_path / "fabula.db")
    url = place.url  # type: ignore[union-attr]
    name = url.rsplit("/", 1)[1]
    ask(url, f"ALTER DATABASE {name} SET deadlock_timeout = '400ms'")
    try:
        with Memory(place, vectors_by=PlainEmbedder()) as memory:
            yield memory
    finally:
        ask(url, f"ALTER DATABASE {name} RESET deadlock_timeout")


@on_postgresql
def test_a_direct_call_that_loses_a_deadlock_is_done(quick: Memory) -> None:
    story = quick.story("测试")
    lin = story.entity.create(type="character", name="林远")
    again = retries.counts()["again"]
    before = rows(quick.place, "SELECT revision FROM stories")
    with losing(quick, story.id, "SELECT 1 FROM kg_entities WHERE project_id = %s FOR UPDATE") as met:
        entry = LorebookEntryCreate(entry_key="林远", category="character", content="船长。")
        create_entry(quick.call(), project_id=story.id, entry=entry)
        assert met.wait(30)
    assert story.entity.read(id=lin.id).description == "船长。"
    assert rows(quick.place, "SELECT revision FROM stories") == [before[0] + 1]
    assert retries.counts()["again"] > again
    assert quick.audit()[0].differing == ()


@on_postgresql
def test_a_job_that_loses_a_deadlock_is_done(quick: Memory) -> None:
    story = quick.story("测试")
    story.entity.create(type="character", name="林远", description="船长。")
    jobs = quick.call().jobs

    def embed() -> str:
        return jobs.do(quick.call(), JOB, story.id, "", "", lambda progress, message: None).status

    assert embed() == "done"
    story.entity.create(type="character", name="苏晴", description="大夫。")
    again = retries.counts()["again"]
    with losing(quick, story.id, "SELECT 1 FROM embedding_sets WHERE project_id = %s FOR UPDATE") as met:
        assert embed() == "done"
        assert met.wait(30)
    assert retries.counts()["again"] > again
    assert rows(quick.place, "SELECT count(*) FROM embeddings") == [2]


@on_postgresql
def test_a_refusal_at_the_very_end_of_a_step_is_no_end(quick: Memory) -> None:
    """As engines of many machines do: the first commit is refused with a serialisation failure."""
    story = quick.story("测试")
    place: Any = quick.place
    ask(
        place.url,
        "CREATE SEQUENCE refusals",
        """CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
             IF nextval('refusals') <= 2 THEN
               RAISE EXCEPTION 'try again' USING ERRCODE = '40001';
             END IF;
             RETURN NULL;
           END $$""",
        "CREATE CONSTRAINT TRIGGER refusing AFTER INSERT ON story_steps DEFERRABLE INITIALLY DEFERRED "
        "FOR EACH ROW EXECUTE FUNCTION refuse()",
    )
    try:
        story.scene(0, 0, text="林远走进雾里。")
    finally:
        ask(
            place.url,
            "DROP TRIGGER refusing ON story_steps",
            "DROP FUNCTION refuse",
            "DROP SEQUENCE refusals",
        )
    assert rows(place, "SELECT count(*) FROM scenes") == [1]
    assert rows(place, "SELECT count(*) FROM story_steps WHERE action = 'scene:put'") == [1]
    assert quick.audit()[0].differing == ()


@pytest.mark.parametrize("error", [Contended("Quicker."), DatabaseUnreachable("It does not answer.")])
def test_a_job_that_meets_only_trouble_is_tried_another_time(
    memory: Memory, story: StoryMemory, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def work(call: Any, task: Any) -> None:
        raise error

    jobs = memory.call().jobs
    monkeypatch.setitem(jobs.crew._works, JOB, work)  # type: ignore[arg-type]
    ended = jobs.do(memory.call(), JOB, story.id, "", "", lambda progress, message: None)
    assert (ended.status, ended.attempts) == ("queued", 1)
    assert ended.run_after > ended.created_at
