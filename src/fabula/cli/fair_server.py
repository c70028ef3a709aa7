"""A server whose listener decides which connections it accepts, whatever the event loop."""

from __future__ import annotations

import asyncio
import socket

import uvicorn

from fabula.cli.fair_listener import FairListener


class FairServer(uvicorn.Server):
    """One of several servers of a listener; uvloop would accept by itself and never ask the listener."""

    def __init__(self, config: uvicorn.Config, listener: socket.socket) -> None:
        super().__init__(config)
        self._listener = FairListener(listener, lambda: len(self.server_state.connections))
        self._arriving: set[asyncio.Task[object]] = set()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to accept connections."""
        await super().startup(sockets=[])
        self._listener.setblocking(False)
        self._listener.listen()
        asyncio.get_running_loop().add_reader(self._listener, self._accept)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept no more, and let the open ones end."""
        asyncio.get_running_loop().remove_reader(self._listener)
        await super().shutdown(sockets=[self._listener])

    def _accept(self) -> None:
        try:
            client, _ = self._listener.accept()
        except (BlockingIOError, InterruptedError, ConnectionAbortedError):
            return
        client.setblocking(False)
        loop = asyncio.get_running_loop()
        arriving = loop.create_task(loop.connect_accepted_socket(self._connection, client))
        self._arriving.add(arriving)
        arriving.add_done_callback(self._arriving.discard)

    def _connection(self) -> asyncio.Protocol:
        protocol: asyncio.Protocol = self.config.http_protocol_class(  # type: ignore[call-arg]
            config=self.config, server_state=self.server_state, app_state=self.lifespan.state
        )
        return protocol
