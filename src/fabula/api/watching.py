"""Everybody who listens to stories at this process, and what they hear of them.

The follower looks for all of them together, and for nobody when nobody listens. Nothing piles up for those
who are slow: what they have not taken yet becomes one event.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Literal
from weakref import WeakSet

from starlette.concurrency import run_in_threadpool

from fabula.call import Call
from fabula.errors import FabulaError, RateLimited
from fabula.memory import Memory
from fabula.operations.live import Watched, refusals, watch_story
from fabula.operations.table import StoryRequest, run
from fabula.projections.follower import Look, Way
from fabula.projections.live import ChangeEvent, LiveEvents
from fabula.store.reader import Edition

News = ChangeEvent | FabulaError | Literal["leaving"]


class LiveListener:
    """One who listens to a story: how far they have heard, and what is new to them."""

    def __init__(self, heard: Edition) -> None:
        self.heard = heard
        self._news: News | None = None
        self._rings = asyncio.Event()

    def tell(self, news: News) -> None:
        """Let them hear of it, unless they have; events that they did not take yet become one."""
        if isinstance(news, ChangeEvent):
            if news.edition.began == self.heard.began and news.edition.revision <= self.heard.revision:
                return
            news = news.after(self._news) if isinstance(self._news, ChangeEvent) else news
        self._news = news
        self._rings.set()

    async def news(self, patience: float) -> News | None:
        """What is new as soon as there is something; None if there is nothing for so many seconds."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._rings.wait(), patience)
        self._rings.clear()
        news, self._news = self._news, None
        if isinstance(news, ChangeEvent):
            self.heard = news.edition
        return news


class Watch:
    """Everybody who listens at this process; there is room for so many."""

    def __init__(self, memory: Memory, room: int, is_leaving: Callable[[], bool]) -> None:
        self._memory, self._room, self._is_leaving = memory, room, is_leaving
        # A listener that nobody holds any more has left, also one that never began to listen.
        self._listeners: dict[Watched, WeakSet[LiveListener]] = {}
        self._watched: frozenset[Watched] = frozenset()
        self._stories: frozenset[str] = frozenset()
        self._live = LiveEvents(memory.call().store, self._changed)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._unfollow: Callable[[], None] | None = None

    async def listen(self, call: Call, project_id: str) -> LiveListener:
        """A listener for a story; RateLimited without room, NotFound or Forbidden if nothing may be heard."""
        watched = Watched(project_id, call.identity.user_id)
        found = await run_in_threadpool(run, watch_story, call, StoryRequest(project_id=project_id))
        if sum(map(len, self._listeners.values())) >= self._room:
            raise RateLimited(
                f"Already {self._room} pages are listening to this server.",
                details={"limit": self._room, "retryAfterSeconds": 30},
                suggestion="Close pages that nobody looks at.",
            )
        listener = LiveListener(found)
        self._listeners.setdefault(watched, WeakSet()).add(listener)
        self._live.begin(project_id, found)
        self._note_watched()
        if self._unfollow is None:
            self._loop = asyncio.get_running_loop()
            way = Way(self._live, stories=lambda: self._stories, look=self._looked)
            self._unfollow = self._memory.follower.follow(way)
        return listener

    @property
    def is_watching(self) -> bool:
        """Whether the follower looks for anybody who listens here."""
        return self._unfollow is not None

    def _note_watched(self) -> None:
        self._listeners = {watched: listeners for watched, listeners in self._listeners.items() if listeners}
        self._watched = frozenset(self._listeners)
        stories = frozenset(watched.project_id for watched in self._watched)
        for story in self._stories - stories:
            self._live.end(story)
        self._stories = stories

    # In the follower's thread

    def _changed(self, story: str, event: ChangeEvent) -> None:
        self._hand_over(lambda: self._tell({w: event for w in self._watched if w.project_id == story}))

    def _looked(self, look: Look) -> None:
        """See who has left, who may listen no longer, and whether the server ends."""
        watched = self._watched
        news: dict[Watched, News] = {}
        if self._is_leaving():
            news = dict.fromkeys(watched, "leaving")
        elif look.is_whole or look.gone:
            asked = [one for one in watched if look.is_whole or one.project_id in look.gone]
            news.update(refusals(self._memory.call(), asked, look.editions))
        self._hand_over(lambda: self._tell(news))

    def _hand_over(self, work: Callable[[], None]) -> None:
        assert self._loop is not None
        with suppress(RuntimeError):  # the loop is over, and with it everybody who listened
            self._loop.call_soon_threadsafe(work)

    # In the event loop

    def _tell(self, news: dict[Watched, News]) -> None:
        for watched, one in news.items():
            for listener in self._listeners.get(watched, ()):
                listener.tell(one)
        self._note_watched()
        if not self._listeners and self._unfollow is not None:
            self._unfollow()
            self._unfollow = None
