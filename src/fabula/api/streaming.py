"""Stream an answer from a thread to a client that may disconnect before the end.

The thread continues only when its last piece was taken, so that a slow client slows the model down and
nothing accumulates. When the client disconnects, the call to the model is cancelled.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from contextvars import copy_context
from dataclasses import dataclass, field
from functools import partial

from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from fabula.api.guard import refuse
from fabula.errors import FabulaError, InternalError, RateLimited, ServerStopping
from fabula.llm.cancel_token import CancelToken

EVENTS = {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
    "x-content-type-options": "nosniff",
}
JSON = {"content-type": "application/json", "x-content-type-options": "nosniff"}
# The id of the receipt that says what a model was told for an answer.
RECEIPT = "x-fabula-receipt"
MOST_AT_ONCE = 64
HEARTBEAT = b": still thinking\n\n"
HEARTBEAT_SECONDS = 15.0
LOOK_SECONDS = 1.0
# A stopping server stops waiting for a model that has sent nothing for this long.
FAREWELL_SECONDS = 5.0

log = logging.getLogger("fabula.answers")


@dataclass(frozen=True, slots=True)
class Head:
    """The start of a response; a stream of events can also report errors later.

    With `beats` set, comments are sent from time to time as heartbeats.
    """

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    is_events: bool = False
    beats: bool = False


StreamPiece = Head | bytes
Pieces = Generator[StreamPiece, None, None]


class Room:
    """Limits the number of concurrent answers, each of which has a thread of its own."""

    def __init__(self, places: int = MOST_AT_ONCE) -> None:
        self._places = places
        self._free = threading.Semaphore(places)

    @contextmanager
    def place(self) -> Iterator[None]:
        """Reserve a place for the block; raises RateLimited if there is none."""
        if not self._free.acquire(blocking=False):
            raise RateLimited(
                f"{self._places} answers are under way at once, which is all this server can do.",
                details={"retryAfterSeconds": 5, "limit": self._places},
            )
        try:
            yield
        finally:
            self._free.release()


def explained(
    pieces: Pieces,
    refuse: Callable[[FabulaError], Iterable[StreamPiece]],
    interrupt: Callable[[FabulaError], bytes],
) -> Pieces:
    """Yield the pieces; an error before the head becomes an error response, one among events an event."""
    head: Head | None = None
    try:
        with closing(pieces):
            for piece in pieces:
                head = piece if isinstance(piece, Head) else head
                yield piece
        return
    except FabulaError as error:
        problem = error
    except Exception:
        log.exception("failed", extra={"code": InternalError.code})
        problem = InternalError("Something went wrong inside Fabula.")
    if head is None:
        yield from refuse(problem)
    elif head.is_events:
        yield interrupt(problem)


class Streamed(Response):
    """Runs a generator in a thread and sends its pieces, until it ends or the client disconnects."""

    def __init__(self, source: Callable[[CancelToken], Pieces], is_leaving: Callable[[], bool]) -> None:
        super().__init__()
        self._source, self._is_leaving = source, is_leaving

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the response."""
        cancel_token, pipe = CancelToken(), _Pipe(asyncio.get_running_loop())
        # In the same context, so that log records carry the request id.
        work = partial(copy_context().run, self._fill, cancel_token, pipe)
        thread = threading.Thread(target=work, daemon=True, name="answer")
        thread.start()
        left = asyncio.ensure_future(_until_left(receive))
        try:
            if not await self._tell(send, pipe, left):
                await refuse(scope, receive, send, ServerStopping("The server is stopping."))
        finally:
            left.cancel()
            cancel_token.cancel()
            pipe.close()

    def _fill(self, cancel_token: CancelToken, pipe: _Pipe) -> None:
        """Run in the thread: put the pieces into the pipe as they are taken out."""
        try:
            with closing(self._source(cancel_token)) as pieces, suppress(_LeftError):
                for piece in pieces:
                    pipe.put(piece)
        except Exception:
            log.exception("failed", extra={"code": InternalError.code})
        finally:
            pipe.end()

    async def _tell(self, send: Send, pipe: _Pipe, left: asyncio.Future[None]) -> bool:
        """Send the pieces; False if the client is still there but was sent nothing."""
        head, quiet = None, 0.0
        taken = asyncio.ensure_future(pipe.take())
        try:
            while True:
                done, _ = await asyncio.wait(
                    (taken, left), timeout=LOOK_SECONDS, return_when=asyncio.FIRST_COMPLETED
                )
                if left in done:
                    return True
                if taken in done:
                    piece, quiet = taken.result(), 0.0
                    if piece is None:
                        break
                    head = piece if isinstance(piece, Head) else head
                    await send(_message(piece))
                    taken = asyncio.ensure_future(pipe.take())
                    continue
                quiet += LOOK_SECONDS
                if self._is_leaving() and quiet >= FAREWELL_SECONDS:
                    break
                if head is not None and head.beats and quiet >= HEARTBEAT_SECONDS:
                    quiet = 0.0
                    await send(_message(HEARTBEAT))
            if head is not None:
                await send({"type": "http.response.body", "body": b"", "more_body": False})
            return head is not None
        finally:
            taken.cancel()


class _LeftError(Exception):
    """The client has disconnected."""


class _Pipe:
    """Passes pieces from a thread to the event loop, at most two at a time."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._pieces: asyncio.Queue[StreamPiece | None] = asyncio.Queue()
        self._free: queue.Queue[bool] = queue.Queue()
        for _ in range(2):
            self._free.put(True)

    def put(self, piece: StreamPiece) -> None:
        """Pass a piece on when there is room; raises _LeftError if the client has disconnected."""
        if not self._free.get():
            raise _LeftError
        self._hand(piece)

    def end(self) -> None:
        """Mark the end."""
        self._hand(None)

    async def take(self) -> StreamPiece | None:
        """Return the next piece; None after the last."""
        piece = await self._pieces.get()
        self._free.put(True)
        return piece

    def close(self) -> None:
        """Stop taking pieces."""
        with suppress(queue.Empty):
            while True:
                self._free.get_nowait()
        self._free.put(False)

    def _hand(self, piece: StreamPiece | None) -> None:
        with suppress(RuntimeError):  # the event loop has ended
            self._loop.call_soon_threadsafe(self._pieces.put_nowait, piece)


async def _until_left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _message(piece: StreamPiece) -> Message:
    if isinstance(piece, Head):
        headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in piece.headers.items()]
        return {"type": "http.response.start", "status": piece.status, "headers": headers}
    return {"type": "http.response.body", "body": piece, "more_body": True}
