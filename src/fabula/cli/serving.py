"""Commands that run until they are stopped: serve, demo, ipc."""

from __future__ import annotations

import sys
import webbrowser
from collections.abc import Iterator
from dataclasses import replace
from typing import IO, Annotated

import typer
from rich.console import Console

from fabula.api.envelope import answer_message, failure
from fabula.cli.asking import ask
from fabula.cli.logs import log_as_json
from fabula.cli.server_socket import address_of, answer_at, listener_at
from fabula.cli.texts import say
from fabula.config import Config, load
from fabula.errors import PayloadTooLarge
from fabula.memory import Memory
from fabula.model.account import local
from fabula.operations.stories import read_story
from fabula.samples import SAMPLES, load_sample
from fabula.store.damage import damaged
from fabula.store.place import place_of

Db = Annotated[str | None, typer.Option("--db", help=say("opt_db"))]
HostOption = Annotated[str | None, typer.Option("--host", help=say("opt_host"))]
Port = Annotated[int | None, typer.Option("--port", help=say("opt_port"))]
Processes = Annotated[int | None, typer.Option("--processes", min=1, help=say("opt_processes"))]

PIPE = local("ipc")

console = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)


def serve(db: Db = None, host: HostOption = None, port: Port = None, processes: Processes = None) -> None:
    """Serve the API until stopped."""
    config = load()
    address = (host or config.host, config.port if port is None else port)
    count = config.processes if processes is None else processes
    if count > 1:
        _serve_together(replace(config, db=config.db if db is None else place_of(db)), *address, count)
        return
    with open_for(config, db) as memory:
        _refuse_damaged(memory)
        _run(memory, config, *address)


def _serve_together(config: Config, host: str, port: int, count: int) -> None:
    from fabula.cli.processes import ServerProcesses

    with Memory(config.db) as memory:  # migrates the schema once for all processes
        _refuse_damaged(memory)
    listener = listener_at(config, host, port)
    log_as_json(config.log_level)
    url = address_of(listener, host)
    code = ServerProcesses(listener, config, count).run(lambda: _greet(url))
    raise typer.Exit(code)


def _refuse_damaged(memory: Memory) -> None:
    wrong = memory.complaints(thorough=False)
    if wrong:
        raise damaged(memory.place, wrong)


def demo(
    host: HostOption = None,
    port: Port = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help=say("opt_browser"))] = True,
) -> None:
    """Serve the sample stories until stopped, then discard them."""
    config = replace(load(), auth_required=False)  # a throw-away database has no accounts
    with Memory.throwaway() as memory:
        for sample in reversed(SAMPLES):
            story = ask(memory, read_story, project_id=load_sample(memory, sample).id)
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
    """Yield the lines of a stream, None for one that exceeds the limit; never holds more than the limit."""
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


def open_for(config: Config, db: str | None) -> Memory:
    """Open the memory for a command: the database it names, or that of the settings."""
    return Memory.configured(replace(config, db=config.db if db is None else place_of(db)))


def _greet(url: str, *, browser: bool = False) -> None:
    console.print(say("serving", url=url), style="bold")
    console.print(say("stop_hint"))
    if browser:
        webbrowser.open(url)


def _run(memory: Memory, config: Config, host: str, port: int, *, browser: bool = False) -> None:
    listener = listener_at(config, host, port)
    log_as_json(config.log_level)
    url = address_of(listener, host)
    answer_at(listener, memory, config, lambda: _greet(url, browser=browser))
