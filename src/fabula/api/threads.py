"""Run the synchronous core beside the event loop, with as little as possible between the two."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from contextvars import Context, copy_context
from functools import partial
from queue import SimpleQueue
from typing import Any, ParamSpec, TypeVar

Given = ParamSpec("Given")
Result = TypeVar("Result")

MOST_THREADS = 40


class Threads:
    """Threads that are started when all others are busy, up to a limit, and kept.

    Those of the framework take four times as much of the processor for each call.
    """

    def __init__(self, most: int = MOST_THREADS) -> None:
        self._most, self._count, self._idle = most, 0, 0
        self._waiting: SimpleQueue[_Work] = SimpleQueue()
        self._lock = threading.Lock()

    async def run(self, action: Callable[Given, Result], *given: Given.args, **named: Given.kwargs) -> Result:
        """Return what a function returns that runs in a thread, in the context of the caller.

        A caller who is cancelled waits until the function is done, as nothing can interrupt it.
        """
        work = _Work(partial(action, *given, **named), copy_context(), asyncio.get_running_loop())
        with self._lock:
            is_short = self._idle <= 0 and self._count < self._most
            self._count += is_short
            self._idle -= not is_short
        if is_short:
            threading.Thread(target=self._serve, daemon=True, name="request").start()
        self._waiting.put(work)
        try:
            result: Result = await asyncio.shield(work.done)
        except asyncio.CancelledError:
            await asyncio.wait((work.done,))
            raise
        return result

    def _serve(self) -> None:
        while True:
            self._waiting.get().do()
            with self._lock:
                self._idle += 1


class _Work:
    """A function to run, and who waits for it."""

    __slots__ = ("_action", "_context", "_loop", "done")

    def __init__(self, action: Callable[[], Any], context: Context, loop: asyncio.AbstractEventLoop) -> None:
        self._action, self._context, self._loop = action, context, loop
        self.done: asyncio.Future[Any] = loop.create_future()

    def do(self) -> None:
        """Run it, and tell whoever waits."""
        told: Callable[[Any], None]
        outcome: Any
        try:
            told, outcome = self.done.set_result, self._context.run(self._action)
        except BaseException as error:
            told, outcome = self.done.set_exception, error
        with suppress(RuntimeError):  # the event loop has ended
            self._loop.call_soon_threadsafe(told, outcome)


# One for the process, like the processor it shares out.
threads = Threads()
