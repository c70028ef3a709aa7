"""One watch for all who listen to stories at this process: it looks for them, and wakes those who have news.

Nobody is looked for when nobody listens. What is written at this process is looked at right away, what is
written elsewhere within half a second. Nothing piles up for those who are slow: they hear the newest only.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Literal
from weakref import WeakSet

from starlette.concurrency import run_in_threadpool

from fabula.call import Call
from fabula.errors import FabulaError, RateLimited
from fabula.memory import Memory
from fabula.operations.live import Watched, editions_for, watch_story
from fabula.operations.table import StoryRequest, run
from fabula.store.reader import Edition

LOOK_EVERY_SECONDS = 0.5
# What is written quickly one after the other is looked at together.
LEAST_PAUSE_SECONDS = 0.05
# A database that does not answer is asked less and less often.
LONGEST_PAUSE_SECONDS = 5.0

log = logging.getLogger("fabula.live")

News = Edition | FabulaError | Literal["leaving"]


class Ear:
    """One who listens to a story: how far they have heard, and what is new to them."""

    def __init__(self, heard: Edition) -> None:
        self.heard = heard
        self._news: News | None = None
        self._rings = asyncio.Event()

    def tell(self, news: News) -> None:
        """Let them hear of it, unless they have; what they did not take yet is no longer of interest."""
        if news != self.heard:
            self._news = news
            self._rings.set()

    async def news(self, patience: float) -> News | None:
        """What is new as soon as there is something; None if there is nothing for so many seconds."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._rings.wait(), patience)
        self._rings.clear()
        news, self._news = self._news, None
        if isinstance(news, Edition):
            self.heard = news
        return news


class Watch:
    """Everybody who listens at this process; there is room for so many."""

    def __init__(self, memory: Memory, room: int, is_leaving: Callable[[], bool]) -> None:
        self._memory, self._room, self._is_leaving = memory, room, is_leaving
        # An ear that nobody holds any more has left, also one that never began to listen.
        self._ears: dict[Watched, WeakSet[Ear]] = {}
        self._stories: frozenset[str] = frozenset()
        self._task: asyncio.Task[None] | None = None
        self._bell = asyncio.Event()

    async def listen(self, call: Call, request: StoryRequest) -> Ear:
        """An ear for a story; RateLimited without room, NotFound or Forbidden if there is nothing to hear."""
        project_id = request.project_id
        watched = Watched(project_id, call.identity.user_id)
        found = await run_in_threadpool(run, watch_story, call, request)
        if sum(map(len, self._ears.values())) >= self._room:
            raise RateLimited(
                f"Already {self._room} pages are listening to this server.",
                details={"limit": self._room, "retryAfterSeconds": 30},
                suggestion="Close pages that nobody looks at.",
            )
        ear = Ear(found)
        self._ears.setdefault(watched, WeakSet()).add(ear)
        self._stories |= {project_id}
        if self._task is None:
            self._task = asyncio.create_task(self._watch())
        return ear

    async def _watch(self) -> None:
        """Look as long as somebody listens."""
        loop = asyncio.get_running_loop()

        def changed(project_id: str) -> None:
            if project_id in self._stories:
                with suppress(RuntimeError):  # the loop is over, and with it everybody who listened
                    loop.call_soon_threadsafe(self._bell.set)

        pause, unhear = LOOK_EVERY_SECONDS, self._memory.call().store.hear(changed)
        try:
            while listening := self._listening():
                pause = LOOK_EVERY_SECONDS if await self._look(listening) else _longer(pause)
                await asyncio.sleep(LEAST_PAUSE_SECONDS)
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._bell.wait(), pause - LEAST_PAUSE_SECONDS)
        finally:
            unhear()
            self._task = None

    def _listening(self) -> dict[Watched, WeakSet[Ear]]:
        """Everybody who is there now; those who come later have heard of later things."""
        self._ears = {watched: ears for watched, ears in self._ears.items() if ears}
        self._stories = frozenset(watched.project_id for watched in self._ears)
        return {watched: ears.copy() for watched, ears in self._ears.items()}

    async def _look(self, listening: dict[Watched, WeakSet[Ear]]) -> bool:
        """Tell everybody what is new; False if it cannot be known, and then they go on listening."""
        self._bell.clear()
        if self._is_leaving():
            news: dict[Watched, News] = dict.fromkeys(listening, "leaving")
        else:
            try:
                news = {**await run_in_threadpool(editions_for, self._memory.call(), tuple(listening))}
            except FabulaError:  # whoever knows the database has logged it
                return False
            except Exception:
                log.exception("failed")
                return False
        for watched, ears in listening.items():
            for ear in ears:
                ear.tell(news[watched])
        return True


def _longer(pause: float) -> float:
    return min(LONGEST_PAUSE_SECONDS, 2 * pause)
