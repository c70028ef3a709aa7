"""The server's socket: where it listens, and how it serves until a signal stops it."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable

from fabula.api.guard import is_loopback
from fabula.api.server_process import ServerProcess
from fabula.cli.fair_listener import WAITING_CONNECTIONS
from fabula.cli.texts import say
from fabula.collector import collect_seldom
from fabula.config import Config
from fabula.errors import InvalidInput
from fabula.memory import Memory

# How long running responses may take when the server stops.
LAST_ANSWERS_S = 15


def listener_at(config: Config, host: str, port: int) -> socket.socket:
    """Create a listening socket; without accounts it must be local to this machine."""
    if not config.auth_required and not is_loopback(host):
        raise InvalidInput(say("not_loopback", host=host), suggestion=say("loopback_or_accounts"))
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Without an explicit protocol asyncio leaves Nagle's algorithm on, which delays every response by 40 ms;
    # accepted connections inherit the option where the event loop does not set it.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(WAITING_CONNECTIONS)
    except (OSError, OverflowError) as error:
        listener.close()
        reason = getattr(error, "strerror", None) or error
        raise InvalidInput(f"{host}:{port}: {reason}", suggestion="--port 0") from error
    return listener


def address_of(listener: socket.socket, host: str) -> str:
    """Return the URL of the listener."""
    return f"http://{f'[{host}]' if ':' in host else host}:{listener.getsockname()[1]}"


def answer_at(
    listener: socket.socket,
    memory: Memory,
    config: Config,
    begins: Callable[[], object],
    *,
    process: ServerProcess | None = None,
) -> None:
    """Serve until a signal stops it; `begins` is called when everything is ready."""
    # The web framework takes a third of a second to import, so other commands do not load it.
    import uvicorn

    from fabula import __version__
    from fabula.api.app import create_app
    from fabula.api.connection import Connection
    from fabula.cli.fair_server import FairServer

    app = create_app(
        memory,
        version=__version__,
        max_body_bytes=config.max_body_bytes,
        auth_required=config.auth_required,
        allowed_origins=config.allowed_origins,
        process=process,
    )
    settings = uvicorn.Config(
        app,
        http=Connection,
        log_config=None,
        access_log=False,
        ws_max_size=config.max_body_bytes,
        timeout_graceful_shutdown=LAST_ANSWERS_S,
        backlog=WAITING_CONNECTIONS,
    )
    server = uvicorn.Server(settings) if process is None else FairServer(settings, listener)
    app.state.is_leaving = lambda: server.should_exit
    signal.signal(signal.SIGTERM, _leave)  # uvicorn raises the signal again after its shutdown
    on_hang_up(lambda: signal.raise_signal(signal.SIGTERM))
    begins()
    memory.work(after_saving=config.work_after_saving)
    collect_seldom()
    with app.state.metrics.publishing():
        server.run(sockets=[listener])


def on_hang_up(end: Callable[[], object]) -> None:
    """Shut down gracefully on a hangup, unless it is ignored (`nohup`)."""
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        signal.signal(signal.SIGHUP, lambda *_: end())


def _leave(*_: object) -> None:
    """Exit gracefully, so that resources are closed and temporary data is deleted."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a second signal must not interrupt that
    raise SystemExit(0)
