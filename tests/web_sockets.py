"""WebSockets of a server, opened as patiently as a busy machine needs."""

from __future__ import annotations

from typing import Any

from websockets.sync.client import ClientConnection, connect

from waiting import PATIENCE


def web_socket(uri: str, **wishes: Any) -> ClientConnection:
    """Open a WebSocket, past any proxy of this machine."""
    return connect(uri, open_timeout=PATIENCE, proxy=None, **wishes)
