"""The clients of this process that watch stories, and their notifications.

One follower serves all of them and stops when there are none. Nothing accumulates for slow clients: events
they have not taken yet are merged into one.
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
    """A client that watches a story: its last known edition, and its pending notification."""

    def __init__(self, heard: Edition) -> None:
        self.heard = heard
        self._news: News | None = None
        self._rings = asyncio.Event()

    def tell(self, news: News) -> None:
        """Notify the client unless it is up to date; events not taken yet are merged."""
        if isinstance(news, ChangeEvent):
            if news.edition.began == self.heard.began and news.edition.revision <= self.heard.revision:
                return
            news = news.after(self._news) if isinstance(self._news, ChangeEvent) else news
        self._news = news
        self._rings.set()

    async def news(self, patience: float) -> News | None:
        """Return the next notification; None if there is none within this many seconds."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._rings.wait(), patience)
        self._rings.clear()
        news, self._news = self._news, None
        if isinstance(news, ChangeEvent):
            self.heard = news.edition
        return news


class Watch:
    """The clients of this process that watch stories, up to a limit."""

    def __init__(self, memory: Memory, room: int, is_leaving: Callable[[], bool]) -> None:
        self._memory, self._room, self._is_leaving = memory, room, is_leaving
        # A listener that is no longer referenced has left, even if it never started.
        self._listeners: dict[Watched, WeakSet[LiveListener]] = {}
        self._watched: frozenset[Watched] = frozenset()
        self._stories: frozenset[str] = frozenset()
        self._live = LiveEvents(memory.call().store, self._changed)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._unfollow: Callable[[], None] | None = None

    async def listen(self, call: Call, project_id: str) -> LiveListener:
        """Register a listener for a story; RateLimited if there are too many, NotFound or Forbidden."""
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
        """Whether the follower is running for any client."""
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
        """Find out who has left, who has lost access, and whether the server is stopping."""
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
        with suppress(RuntimeError):  # the event loop has ended
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
