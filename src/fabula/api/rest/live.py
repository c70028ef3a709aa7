"""`/stories/{storyId}/live`: a page hears that a story has changed, whoever changed it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from weakref import WeakSet

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import StreamingResponse

from fabula.api.rest.caller import Caller
from fabula.errors import FabulaError, RateLimited
from fabula.operations.access import Role, require
from fabula.operations.stories import read_story
from fabula.operations.table import Call

router = APIRouter(prefix="/stories/{storyId}", tags=["live"])

MAX_LISTENERS = 128
LOOK_EVERY_SECONDS = 0.5
HEARTBEAT_SECONDS = 15.0
# A page comes back by itself, and shows its token again.
LONGEST_SECONDS = 600.0
RETRY_SECONDS = 2


class Listeners:
    """How many pages are listening; there is room for so many."""

    def __init__(self, room: int) -> None:
        self._room = room
        # A stream that nobody holds any more has left, also one that was never begun.
        self._streams: WeakSet[AsyncIterator[str]] = WeakSet()

    def admit(self, stream: AsyncIterator[str]) -> AsyncIterator[str]:
        """Give a stream a place; RateLimited if there is none."""
        if len(self._streams) >= self._room:
            raise RateLimited(
                f"Already {self._room} pages are listening to this server.",
                details={"limit": self._room, "retryAfterSeconds": 30},
                suggestion="Close pages that nobody looks at.",
            )
        self._streams.add(stream)
        return stream


class _Events(StreamingResponse):
    """Server-sent events."""

    media_type = "text/event-stream"


@router.get("/live", response_class=_Events)
async def live(request: Request, call: Caller, storyId: str) -> StreamingResponse:
    """Send the story's revision now and whenever it changes, as server-sent events."""
    revision = await run_in_threadpool(_revision, call, storyId)
    listeners: Listeners = request.app.state.listeners
    events = listeners.admit(_events(call, storyId, revision, request.app.state.is_leaving))
    return _Events(events, headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})


async def _events(
    call: Call, story_id: str, revision: int, is_leaving: Callable[[], bool]
) -> AsyncIterator[str]:
    """Revisions, heartbeats between them, and `gone` when the story or the right to it is gone."""
    yield f"retry: {RETRY_SECONDS * 1000}\n" + _event("revision", revision)
    began = spoke = call.clock.monotonic()
    while not is_leaving() and call.clock.monotonic() - began < LONGEST_SECONDS:
        await asyncio.sleep(LOOK_EVERY_SECONDS)
        try:
            latest = await run_in_threadpool(_revision, call, story_id)
        except FabulaError as error:
            yield _event("gone", f'"{error.code}"')
            return
        if latest != revision:
            revision, spoke = latest, call.clock.monotonic()
            yield _event("revision", revision)
        elif call.clock.monotonic() - spoke > HEARTBEAT_SECONDS:
            spoke = call.clock.monotonic()
            yield ": still here\n\n"


def _revision(call: Call, story_id: str) -> int:
    """The story's revision, for those who may still read it."""
    require(call, story_id, Role.READER)
    return read_story(call, story_id).revision


def _event(name: str, data: object) -> str:
    return f"event: {name}\ndata: {data}\n\n"
