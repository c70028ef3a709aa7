"""Commands that run until they are stopped: serve, demo, ipc."""

from __future__ import annotations

import signal
import socket
import sys
import webbrowser
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import IO, Annotated

import typer
from rich.console import Console

from fabula.api.envelope import answer_message, failure
from fabula.api.guard import is_loopback
from fabula.cli.logs import log_as_json
from fabula.cli.texts import say
from fabula.config import Config, load
from fabula.errors import InvalidInput, PayloadTooLarge
from fabula.memory import Memory
from fabula.model.account import local
from fabula.operations.stories import read_story
from fabula.samples import SAMPLES, load_sample

Db = Annotated[Path | None, typer.Option("--db", help=say("opt_db"))]
Host = Annotated[str | None, typer.Option("--host", help=say("opt_host"))]
Port = Annotated[int | None, typer.Option("--port", help=say("opt_port"))]

PIPE = local("ipc")

console = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)


def serve(db: Db = None, host: Host = None, port: Port = None) -> None:
    """Serve the API until stopped."""
    config = load()
    memory = open_for(config, db)
    with memory:
        _run(memory, config, host or config.host, config.port if port is None else port)


def demo(
    host: Host = None,
    port: Port = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help=say("opt_browser"))] = True,
) -> None:
    """Serve the sample stories until stopped, then forget them."""
    config = replace(load(), auth_required=False)  # nobody has an account in a throw-away database
    with Memory.throwaway() as memory:
        for sample in reversed(SAMPLES):
            story = read_story(memory.call(), load_sample(memory, sample).id)
            console.print(
                say(
                    "sample_loaded",
                    title=story.title,
                    entities=story.entity_count,
                    relations=story.relation_count,
                )
            )
        _run(memory, config, host or config.host, config.port if port is None else port, browser=browser)


def ipc(db: Db = None) -> None:
    """Answer messages from stdin on stdout until stdin ends."""
    config = load()
    log_as_json(config.log_level)
    with open_for(config, db) as memory:
        for line in _lines(sys.stdin.buffer, config.max_body_bytes):
            if line is None or line.strip():
                answer = _too_long(config) if line is None else answer_message(memory, line, identity=PIPE)
                sys.stdout.buffer.write(answer + b"\n")
                sys.stdout.buffer.flush()


def _lines(stream: IO[bytes], limit: int) -> Iterator[bytes | None]:
    """The lines of a stream; None for one that is too long, of which never more than the limit is kept."""
    while line := stream.readline(limit + 1):
        if len(line) <= limit or line.endswith(b"\n"):
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(limit + 1)
        yield None


def _too_long(config: Config) -> bytes:
    limit = config.max_body_bytes
    problem = PayloadTooLarge(f"A message may have {limit:,} bytes.", details={"limit": limit})
    return failure(problem, with_id=True)


def open_for(config: Config, db: Path | None) -> Memory:
    """The memory of a command: the file it names, else that of the settings."""
    return Memory.configured(replace(config, db=(db or config.db).expanduser()))


def _run(memory: Memory, config: Config, host: str, port: int, *, browser: bool = False) -> None:
    # What serves the web takes a third of a second to import: the other commands do not wait for it.
    import uvicorn

    from fabula import __version__
    from fabula.api.app import create_app

    if not config.auth_required and not is_loopback(host):
        raise InvalidInput(say("not_loopback", host=host), suggestion=say("loopback_or_accounts"))
    log_as_json(config.log_level)
    listener = _listener(host, port)
    url = f"http://{f'[{host}]' if ':' in host else host}:{listener.getsockname()[1]}"
    app = create_app(
        memory,
        version=__version__,
        max_body_bytes=config.max_body_bytes,
        auth_required=config.auth_required,
    )
    server = uvicorn.Server(
        uvicorn.Config(app, log_config=None, access_log=False, ws_max_size=config.max_body_bytes)
    )
    app.state.is_leaving = lambda: server.should_exit
    signal.signal(signal.SIGTERM, _leave)  # uvicorn passes the signal on when it has shut down
    console.print(say("serving", url=url), style="bold")
    console.print(say("stop_hint"))
    if browser:
        webbrowser.open(url)
    memory.work(after_saving=config.work_after_saving)
    server.run(sockets=[listener])


def _leave(*_: object) -> None:
    """End in order, so that what was opened is closed and what was thrown away goes."""
    raise SystemExit(0)


def _listener(host: str, port: int) -> socket.socket:
    """A socket that takes connections from now on."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Without the protocol's name asyncio leaves Nagle's algorithm on, and every answer waits 40 ms.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen()
    except (OSError, OverflowError) as error:
        listener.close()
        reason = getattr(error, "strerror", None) or error
        raise InvalidInput(f"{host}:{port}: {reason}", suggestion="--port 0") from error
    return listener
