"""`/stories/{storyId}/live`: a page hears that a story has changed, whoever changed it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import orjson
from fastapi import APIRouter, Request
from starlette.responses import StreamingResponse

from fabula.api.rest.caller import Caller
from fabula.api.watching import Ear, Watch
from fabula.errors import FabulaError
from fabula.model.clock import Clock
from fabula.projections.live import ChangeEvent

router = APIRouter(prefix="/stories/{storyId}", tags=["live"])

MAX_LISTENERS = 512
HEARTBEAT_SECONDS = 15.0
# A page comes back by itself, and shows its token again.
LONGEST_SECONDS = 600.0
RETRY_SECONDS = 2


class _Events(StreamingResponse):
    """Server-sent events."""

    media_type = "text/event-stream"


@router.get("/live", response_class=_Events)
async def live(request: Request, call: Caller, storyId: str) -> StreamingResponse:
    """Send the story's revision now and whenever it changes, and what changed, as server-sent events."""
    watch: Watch = request.app.state.watch
    events = _events(await watch.listen(call, storyId), call.clock)
    return _Events(events, headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})


async def _events(ear: Ear, clock: Clock) -> AsyncIterator[str]:
    """Revisions, heartbeats between them, and `gone` when the story or the right to it is gone."""
    yield f"retry: {RETRY_SECONDS * 1000}\n" + _event("revision", ear.heard.revision)
    over = clock.monotonic() + LONGEST_SECONDS
    while (left := over - clock.monotonic()) > 0:
        news = await ear.news(min(left, HEARTBEAT_SECONDS))
        if news == "leaving":
            return
        if isinstance(news, FabulaError):
            yield _event("gone", f'"{news.code}"')
            return
        yield ": still here\n\n" if news is None else _change(news)


def _change(event: ChangeEvent) -> str:
    """The revision alone, as it always was, and then what changed up to it."""
    revision = event.edition.revision
    ids = None if event.ids is None else sorted(event.ids)
    told = {"revision": revision, "kinds": sorted(event.kinds), "ids": ids}
    return _event("revision", revision) + _event("change", orjson.dumps(told).decode())


def _event(name: str, data: object) -> str:
    return f"event: {name}\ndata: {data}\n\n"
