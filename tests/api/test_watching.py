"""One watch for everybody who listens: what it asks of the database, and whom it tells what."""

from __future__ import annotations

import asyncio
import gc
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import Engine, event
from sqlalchemy.exc import OperationalError

from fabula.api.rest.live import _events
from fabula.api.watching import Watch
from fabula.errors import FabulaError, RateLimited
from fabula.memory import Memory
from fabula.model.account import Role
from fabula.operations.accounts import add_user, create_token
from fabula.operations.members import put_member, remove_member
from fabula.operations.stories import delete_story
from fabula.projections import follower
from fabula.projections.live import ChangeEvent
from fabula.story_memory import StoryMemory
from listening import served
from postgres import place_at
from waiting import PATIENCE

NEVER = 600.0


@pytest.fixture
def other(memory: Memory) -> Iterator[Memory]:
    """The same database, open at another process as far as the first can know."""
    with Memory(memory.place) as other:
        yield other


@contextmanager
def statements(failing: Callable[[], bool] = lambda: False) -> Iterator[list[str]]:
    """What is asked of databases meanwhile; they do not answer as long as they are failing."""
    said: list[str] = []

    def hear(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        said.append(" ".join(statement.split()))
        if failing():
            gone = sqlite3.OperationalError("disk I/O error")
            gone.sqlite_errorcode = sqlite3.SQLITE_IOERR
            raise OperationalError(statement, {}, gone)

    event.listen(Engine, "before_cursor_execute", hear)
    try:
        yield said
    finally:
        event.remove(Engine, "before_cursor_execute", hear)


def watch_of(memory: Memory, room: int = 100, is_leaving: Callable[[], bool] = lambda: False) -> Watch:
    return Watch(memory, room, is_leaving)


async def ended(watch: Watch) -> None:
    """Nobody looks any more."""
    async with asyncio.timeout(PATIENCE):
        while watch.is_watching:
            await asyncio.sleep(0)


def write(memory: Memory, story: StoryMemory, name: str) -> None:
    StoryMemory(memory, story.id).entity.create(type="character", name=name)


def test_what_is_written_here_is_heard_without_waiting_for_the_next_look(
    memory: Memory, story: StoryMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follower, "LOOK_EVERY_SECONDS", NEVER)

    async def listen() -> None:
        ear = await watch_of(memory).listen(memory.call(), story.id)
        before = ear.heard.revision
        for number in (1, 2):
            await asyncio.to_thread(write, memory, story, f"人{number}")
            news = await ear.news(PATIENCE)
            assert isinstance(news, ChangeEvent)
            assert news.edition.revision == before + number

    asyncio.run(listen())


def test_what_is_written_elsewhere_is_heard_by_everybody_also_who_came_meanwhile(
    memory: Memory, other: Memory, story: StoryMemory
) -> None:
    async def listen() -> None:
        watch = watch_of(memory)
        first = await watch.listen(memory.call(), story.id)
        await asyncio.to_thread(write, other, story, "甲")
        second = await watch.listen(memory.call(), story.id)
        assert second.heard.revision == first.heard.revision + 1
        assert await first.news(PATIENCE) is not None
        assert first.heard == second.heard
        await asyncio.to_thread(write, other, story, "乙")
        assert await first.news(PATIENCE) == await second.news(PATIENCE)
        assert first.heard.revision == second.heard.revision

    asyncio.run(listen())


@pytest.mark.long
def test_nothing_is_asked_when_nobody_listens(
    memory: Memory, story: StoryMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follower, "LOOK_EVERY_SECONDS", 0.06)

    async def listen() -> None:
        watch = watch_of(memory)
        ears = [await watch.listen(memory.call(), story.id) for _ in range(3)]
        stream = _events(ears.pop(), memory.call().clock)
        assert "revision" in await anext(stream)
        del ears, stream
        gc.collect()
        await ended(watch)
        with statements() as said:
            await asyncio.sleep(0.2)
        assert said == []
        assert memory.call().store._listeners == []

    asyncio.run(listen())


def test_who_is_slow_hears_the_newest_only(memory: Memory, story: StoryMemory) -> None:
    async def listen() -> None:
        watch = watch_of(memory)
        slow, quick = [await watch.listen(memory.call(), story.id) for _ in range(2)]
        for number in range(3):
            await asyncio.to_thread(write, memory, story, f"人{number}")
            assert await quick.news(PATIENCE) is not None
        assert await slow.news(PATIENCE) is not None
        assert slow.heard == quick.heard
        assert await slow.news(0.01) is None

    asyncio.run(listen())


def test_who_loses_the_right_or_the_story_is_told_so(memory: Memory, story: StoryMemory) -> None:
    add_user(memory.call(), name="lin")
    lin = memory.call(memory.identify(create_token(memory.call(), user_name="lin").secret))
    put_member(memory.call(), project_id=story.id, user_name="lin", role=Role.READER)

    async def listen() -> tuple[Any, Any]:
        watch = watch_of(memory)
        theirs, ours = await watch.listen(lin, story.id), await watch.listen(memory.call(), story.id)
        await asyncio.to_thread(remove_member, memory.call(), project_id=story.id, user_name="lin")
        refused = await theirs.news(PATIENCE)
        with pytest.raises(FabulaError, match="somebody else"):
            await watch.listen(lin, story.id)
        assert await ours.news(0.01) is None
        await asyncio.to_thread(delete_story, memory.call(), project_id=story.id)
        return refused, await ours.news(PATIENCE)

    refused, gone = asyncio.run(listen())
    assert (refused.code, gone.code) == ("FORBIDDEN", "NOT_FOUND")


@pytest.mark.long
def test_there_is_room_for_so_many_and_who_leaves_makes_room(memory: Memory, story: StoryMemory) -> None:
    async def listen() -> None:
        watch = watch_of(memory, room=1)
        first = await watch.listen(memory.call(), story.id)
        with pytest.raises(RateLimited) as refused:
            await watch.listen(memory.call(), story.id)
        assert refused.value.details == {"limit": 1, "retryAfterSeconds": 30}
        del first, refused
        gc.collect()
        assert await watch.listen(memory.call(), story.id) is not None

    asyncio.run(listen())


def test_everybody_hears_that_the_server_ends(memory: Memory, story: StoryMemory) -> None:
    async def listen() -> None:
        leaving = False
        watch = watch_of(memory, is_leaving=lambda: leaving)
        ears = [await watch.listen(memory.call(), story.id) for _ in range(3)]
        leaving = True
        assert [await ear.news(PATIENCE) for ear in ears] == ["leaving"] * 3

    asyncio.run(listen())


def test_who_listens_stays_while_the_database_is_away(
    memory: Memory, other: Memory, story: StoryMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follower, "LOOK_EVERY_SECONDS", 0.06)
    monkeypatch.setattr(follower, "LONGEST_PAUSE_SECONDS", 0.1)

    async def listen() -> None:
        ear = await watch_of(memory).listen(memory.call(), story.id)
        away = True
        with statements(lambda: away) as said:
            async with asyncio.timeout(PATIENCE):
                while len(said) < 3:
                    await asyncio.sleep(0)
            assert await ear.news(0.01) is None
            away = False
            await asyncio.to_thread(write, other, story, "甲")
            assert isinstance(await ear.news(PATIENCE), ChangeEvent)

    asyncio.run(listen())


async def _heard(stream: httpx.Response) -> AsyncIterator[str]:
    async for line in stream.aiter_lines():
        if line.startswith("data: "):
            yield line.removeprefix("data: ")


@pytest.mark.slow
def test_fifty_pages_cost_two_questions_in_a_second_and_all_hear_of_another_process(tmp_path: Path) -> None:
    async def listen(url: str, stories: list[str], change: Callable[[str], object]) -> list[str]:
        async with AsyncExitStack() as opened:
            limits = httpx.Limits(max_connections=60)
            client = await opened.enter_async_context(
                httpx.AsyncClient(base_url=url, timeout=PATIENCE, trust_env=False, limits=limits)
            )
            pages = []
            for number in range(50):
                asked = client.stream("GET", f"/api/v2/stories/{stories[number % 5]}/live")
                pages.append(_heard(await opened.enter_async_context(asked)))
            assert [await anext(page) for page in pages] == ["1"] * 50
            with statements() as said:
                await asyncio.sleep(2)
            looks = [one for one in said if not one.startswith("BEGIN")]
            assert 2 <= len(looks) <= 5, looks
            for story in stories:
                await asyncio.to_thread(change, story)
            return [await anext(page) for page in pages]

    place = place_at(tmp_path / "fabula.db")
    with Memory(place) as memory, Memory(place) as other, served(memory) as url:
        stories = [memory.story(f"卷{number}").id for number in range(5)]

        def change(story: str) -> None:
            StoryMemory(other, story).entity.create(type="character", name="甲")

        assert asyncio.run(listen(url, stories, change)) == ["2"] * 50
