"""The one pass that every request makes: its id, host, origin and size, its receipt, its log line."""

from __future__ import annotations

import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fabula.api.guard import BoundedBody, Guard, refuse
from fabula.api.metrics.requests import HEADER, RequestRecords, number_of
from fabula.api.request_id import request_id
from fabula.store.receipt import Receipt, receipted

REVISION = b"x-fabula-revision"
# The status, in the log and the metrics, of a request whose client left before it was answered.
CLIENT_LEFT = 499


class Doorway:
    """Outermost middleware: guards the application, and logs and counts how each request was answered.

    Every answer tells the id of its request and, if it wrote, which revision of the story it made.
    """

    def __init__(self, app: ASGIApp, *, guard: Guard, records: RequestRecords) -> None:
        self._app, self._guard, self._records = app, guard, records

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it, then log and count its outcome."""
        kind = scope["type"]
        if kind not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        number = number_of(headers)
        # Not reset: an error handler further out still belongs to this request.
        request_id.set(number)
        refused = self._guard.refusal(scope, headers)
        if kind == "websocket":
            await (
                self._app(scope, receive, send) if refused is None else refuse(scope, receive, send, refused)
            )
            return
        answer = _Answer(scope, receive, send, number)
        self._records.begin()
        try:
            if refused is not None:
                await refuse(scope, receive, answer.send, refused)
                return
            if headers.get(b"content-length", "0") != "0" or b"transfer-encoding" in headers:
                answer.body = BoundedBody(receive, self._guard.max_body_bytes)
                receive = answer.body.receive
            with receipted() as answer.receipt:
                await self._app(scope, receive, answer.send)
            answer.left_unanswered()
        finally:
            self._records.end(scope, answer.status, answer.seconds_to_begin())


class _Answer:
    """The answer to a request on its way out."""

    __slots__ = (
        "_began",
        "_is_refused",
        "_number",
        "_receive",
        "_scope",
        "_seconds",
        "_send",
        "body",
        "receipt",
        "status",
    )

    def __init__(self, scope: Scope, receive: Receive, send: Send, number: str) -> None:
        self._scope, self._receive, self._send, self._number = scope, receive, send, number
        self._began, self._seconds = time.perf_counter(), -1.0
        self._is_refused = False
        self.status = 500
        self.body: BoundedBody | None = None
        self.receipt: Receipt | None = None

    async def send(self, message: Message) -> None:
        """Send a message; the answer to a body that was cut short is replaced by the real reason."""
        refused = None if self.body is None else self.body.refused
        if refused is not None:
            if not self._is_refused:
                self._is_refused = True
                await refuse(self._scope, self._receive, self._tell, refused)
            return
        await self._tell(message)

    async def _tell(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status, self._seconds = message["status"], time.perf_counter() - self._began
            headers = [*message.get("headers", ()), (HEADER, self._number.encode())]
            if self.receipt is not None and self.receipt.revision is not None:
                headers.append((REVISION, b"%d" % self.receipt.revision))
            message = {**message, "headers": headers}
        await self._send(message)

    def left_unanswered(self) -> None:
        """Note that the application is done; it says nothing only to a client that has left."""
        if self._seconds < 0:
            self.status = CLIENT_LEFT

    def seconds_to_begin(self) -> float:
        """Seconds until the answer began, or until now if it never did."""
        return time.perf_counter() - self._began if self._seconds < 0 else self._seconds
