"""`/stories/{storyId}/live`: notifies a page when a story changes, whoever changed it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import orjson
from fastapi import Request
from starlette.responses import StreamingResponse

from fabula.api.rest.route import Route, routes
from fabula.api.watching import LiveListener, Watch
from fabula.call import Call
from fabula.errors import FabulaError
from fabula.model.clock import Clock
from fabula.operations.live import watch_story
from fabula.operations.table import StoryRequest
from fabula.projections.live import ChangeEvent

MAX_LISTENERS = 512
HEARTBEAT_SECONDS = 15.0
# The page reconnects by itself and authenticates again.
LONGEST_SECONDS = 600.0
RETRY_SECONDS = 2


class _Events(StreamingResponse):
    """Server-sent events."""

    media_type = "text/event-stream"


async def _live(http: Request, call: Call, request: StoryRequest) -> StreamingResponse:
    """Send the story's revision now and on every change, and what changed, as server-sent events."""
    watch: Watch = http.app.state.watch
    events = _events(await watch.listen(call, request.project_id), call.clock)
    return _Events(events, headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})


async def _events(listener: LiveListener, clock: Clock) -> AsyncIterator[str]:
    """Yield revisions, heartbeats between them, and `gone` when the story or access to it is gone."""
    yield f"retry: {RETRY_SECONDS * 1000}\n" + _event("revision", listener.heard.revision)
    over = clock.monotonic() + LONGEST_SECONDS
    while (left := over - clock.monotonic()) > 0:
        news = await listener.news(min(left, HEARTBEAT_SECONDS))
        if news == "leaving":
            return
        if isinstance(news, FabulaError):
            yield _event("gone", f'"{news.code}"')
            return
        yield ": still here\n\n" if news is None else _change(news)


def _change(event: ChangeEvent) -> str:
    """Return a `revision` event, and a `change` event that says what changed up to it."""
    revision = event.edition.revision
    ids = None if event.ids is None else sorted(event.ids)
    told = {"revision": revision, "kinds": sorted(event.kinds), "ids": ids}
    return _event("revision", revision) + _event("change", orjson.dumps(told).decode())


def _event(name: str, data: object) -> str:
    return f"event: {name}\ndata: {data}\n\n"


router = routes(
    "/stories/{storyId}",
    "live",
    (Route("GET", "/live", watch_story, serve=_live, name="live", described={"response_class": _Events}),),
)
