"""A client connection that cannot be held open indefinitely without sending a request."""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

# The head of a request must arrive within this time, counted from the connection or from the first
# byte after the last answer.
HEAD_SECONDS = 20.0
_TOO_SLOW = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class Connection(H11Protocol):
    """An HTTP connection that closes if the head of a request takes too long, however slowly it arrives."""

    _head_timer: asyncio.TimerHandle | None = None
    _is_socket = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        self._await_head()

    def data_received(self, data: bytes) -> None:
        """Handle received data; an incomplete head, or a body nobody reads any more, has a time limit."""
        super().data_received(data)
        if self._is_answering():
            self._stop_waiting()
        elif self._head_timer is None and not self.transport.is_closing():
            self._await_head()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the connection over to the WebSocket, which may be idle for as long as it likes."""
        self._stop_waiting()
        self._is_socket = True
        super().handle_websocket_upgrade(event)

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
            if self.conn.our_state is h11.IDLE and self.conn.trailing_data[0]:
                self.transport.write(_TOO_SLOW)
            self.transport.close()
