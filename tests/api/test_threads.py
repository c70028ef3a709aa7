"""Work beside the event loop: in its caller's context, in as many threads as may be, never cut short."""

from __future__ import annotations

import asyncio
import threading
from contextvars import ContextVar

import pytest

from fabula.api.threads import Threads
from waiting import PATIENCE

word: ContextVar[str] = ContextVar("word", default="")


def test_a_function_runs_in_a_thread_with_the_context_of_its_caller() -> None:
    async def asked() -> tuple[str, str]:
        word.set("雾港")
        return await Threads().run(lambda: (word.get(), threading.current_thread().name))

    said, where = asyncio.run(asked())
    assert said == "雾港"
    assert where != threading.current_thread().name


def test_an_error_reaches_the_caller() -> None:
    with pytest.raises(ZeroDivisionError):
        asyncio.run(Threads().run(lambda: 1 / 0))


def test_there_are_never_more_at_once_than_threads_and_all_are_done() -> None:
    most, busy, highest, lock = 3, 0, 0, threading.Lock()
    full = threading.Barrier(most, timeout=PATIENCE)

    def work() -> int:
        nonlocal busy, highest
        with lock:
            busy += 1
            highest = max(highest, busy)
        full.wait()
        with lock:
            busy -= 1
        return 1

    async def asked() -> list[int]:
        threads = Threads(most)
        return await asyncio.gather(*(threads.run(work) for _ in range(4 * most)))

    assert sum(asyncio.run(asked())) == 4 * most
    assert highest == most


def test_threads_are_used_again() -> None:
    async def asked() -> set[int]:
        threads = Threads()
        return {await threads.run(threading.get_ident) for _ in range(50)}

    # A thread that is about to wait may not be counted as free yet.
    assert len(asyncio.run(asked())) <= 3


def test_a_caller_who_is_cancelled_waits_until_the_work_is_done() -> None:
    began, may_end, is_done = threading.Event(), threading.Event(), threading.Event()

    def work() -> None:
        began.set()
        may_end.wait(PATIENCE)
        is_done.set()

    async def asked() -> None:
        task = asyncio.ensure_future(Threads().run(work))
        while not began.is_set():
            await asyncio.sleep(0)
        task.cancel()
        for _ in range(3):
            await asyncio.sleep(0)
        assert not task.done()
        may_end.set()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert is_done.is_set()

    asyncio.run(asked())
