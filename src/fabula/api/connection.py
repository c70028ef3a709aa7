"""A client connection that cannot be held open indefinitely without sending a request."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

# The head of a request must arrive within this time, counted from the connection or from the first
# byte after the last answer.
HEAD_SECONDS = 20.0
# The parser itself takes heads of any size.
MAX_HEAD_BYTES = 64 << 10
_TOO_SLOW = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class Connection(HttpToolsProtocol):
    """An HTTP connection that closes if the head of a request is too slow, too large or names no host."""

    _head_timer: asyncio.TimerHandle | None = None
    _head_bytes = 0
    _is_in_head = False
    _is_socket = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        self._await_head()

    def data_received(self, data: bytes) -> None:
        """Handle received data; an incomplete head, or a body nobody reads any more, has a time limit."""
        was_in_head = self._is_in_head
        super().data_received(data)
        if self.transport.is_closing():
            return
        if self._is_in_head:
            self._head_bytes = self._head_bytes + len(data) if was_in_head else len(data)
            if self._head_bytes > MAX_HEAD_BYTES:
                self.send_400_response("The head of the request is too large.")
                return
        if self._is_answering():
            self._stop_waiting()
        elif self._head_timer is None:
            self._await_head()

    def on_message_begin(self) -> None:
        """Note that a head has begun."""
        self._is_in_head = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Take the request, unless it names no host, or several."""
        self._is_in_head = False
        hosts = sum(name == b"host" for name, _ in self.headers)
        if hosts > 1 or (hosts == 0 and self.parser.get_http_version() != "1.0"):
            raise ValueError("a request names one host")
        super().on_headers_complete()

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection over to the WebSocket, which may be idle for as long as it likes."""
        self._stop_waiting()
        self._is_socket = True
        super().handle_websocket_upgrade()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timer."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _is_answering(self) -> bool:
        return self._is_socket or (self.cycle is not None and not self.cycle.response_complete)

    def _await_head(self) -> None:
        self._head_timer = self.loop.call_later(HEAD_SECONDS, self._give_up)

    def _stop_waiting(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None

    def _give_up(self) -> None:
        self._head_timer = None
        if not self._is_answering() and not self.transport.is_closing():
            # Clients that sent nothing, or are still sending a request already answered, get no response.
            if self._is_in_head:
                self.transport.write(_TOO_SLOW)
            self.transport.close()
