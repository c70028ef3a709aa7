"""Callers who do not come to an end are let go of, and nobody waits for them."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import httpx
import pytest

from doors import serving
from fabula.api import connection, guard
from fabula.memory import Memory
from listening import served
from waiting import PATIENCE
from web_sockets import web_socket

HEAD = b"POST /api/v2/stories HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n"
BODY = b'{"title": "slow"}'
# Shorter than the pauses between bytes would be if every byte bought more time.
HEAD_S, BODY_S = 0.6, 0.6


@pytest.fixture
def url(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A server that has little patience."""
    monkeypatch.setattr(connection, "HEAD_SECONDS", HEAD_S)
    monkeypatch.setattr(guard, "BODY_SECONDS", BODY_S)
    with served(memory) as address:
        yield address


def opened(url: str) -> socket.socket:
    host, port = url.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), PATIENCE)


def said_until_closed(caller: socket.socket, trickle: Iterator[bytes], pause_s: float = 0.1) -> bytes:
    """Send the bytes one by one with pauses; what the server says before it closes."""
    caller.settimeout(pause_s)
    said, over = b"", time.monotonic() + PATIENCE
    while time.monotonic() < over:
        with suppress(BrokenPipeError, ConnectionResetError):
            caller.sendall(next(trickle, b""))
        try:
            more = caller.recv(65_536)
        except TimeoutError:
            continue
        except ConnectionResetError:
            return said
        if not more:
            return said
        said += more
    raise AssertionError("the server waits for ever")


def one_by_one(data: bytes) -> Iterator[bytes]:
    return (data[n : n + 1] for n in range(len(data)))


def endless() -> Iterator[bytes]:
    yield HEAD
    while True:
        yield b"x-more: 1\r\n"


@pytest.mark.parametrize(
    ("trickle", "answer"),
    [
        (lambda: iter(()), b""),
        (lambda: one_by_one(HEAD), b"HTTP/1.1 408 "),
        (lambda: iter((HEAD,)), b"HTTP/1.1 408 "),
        (endless, b"HTTP/1.1 408 "),
    ],
    ids=["silent", "byte by byte", "stuck", "ever more headers"],
)
def test_a_head_that_does_not_end_is_waited_for_only_so_long(
    url: str, trickle: Callable[[], Iterator[bytes]], answer: bytes
) -> None:
    began = time.monotonic()
    with opened(url) as caller:
        assert said_until_closed(caller, trickle()).startswith(answer)
    assert time.monotonic() - began >= HEAD_S * 0.9


def test_the_next_head_on_a_connection_is_not_waited_for_longer(url: str) -> None:
    with opened(url) as caller:
        caller.sendall(b"GET /api/v2/health HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n")
        said = said_until_closed(caller, one_by_one(HEAD))
    assert said.startswith(b"HTTP/1.1 200 ")
    assert b"HTTP/1.1 408 " in said


@pytest.mark.parametrize(
    "rest",
    [
        lambda: iter(()),
        lambda: one_by_one(b" " * 900),
    ],
    ids=["stuck", "byte by byte"],
)
def test_a_body_that_does_not_end_is_waited_for_only_so_long(
    url: str, memory: Memory, rest: Callable[[], Iterator[bytes]]
) -> None:
    with opened(url) as caller:
        caller.sendall(HEAD + b"content-length: 1000\r\n\r\n")
        said = said_until_closed(caller, rest())
    head, _, body = said.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 408 ")
    assert b"connection: close" in head
    told = json.loads(body)
    assert told["code"] == "VALIDATION_ERROR"
    assert told["suggestion"]
    assert memory.stories() == ()


def test_the_rest_of_a_body_that_was_refused_is_not_waited_for(url: str) -> None:
    """Nobody reads it: it would come in for ever."""
    asked = HEAD.replace(b"/api/v2/stories", b"/nowhere") + b"content-length: 100000000\r\n\r\n"
    with opened(url) as caller:
        caller.sendall(asked)
        said = said_until_closed(caller, one_by_one(b" " * 10_000))
    assert said.startswith(b"HTTP/1.1 404 ")
    assert said.count(b"HTTP/1.1") == 1


def test_a_body_that_keeps_coming_may_take_longer(url: str, memory: Memory) -> None:
    """A thousand bytes buy a second."""
    parts = 12
    with opened(url) as caller:
        padding = b" " * 400
        body = BODY + padding * parts
        caller.sendall(HEAD + b"content-length: %d\r\nconnection: close\r\n\r\n" % len(body))
        caller.sendall(BODY)
        said = said_until_closed(caller, iter([padding] * parts))
    assert said.startswith(b"HTTP/1.1 201 "), said
    assert [story.title for story in memory.stories()] == ["slow"]


@pytest.mark.long
def test_answers_and_sockets_may_take_longer_than_heads(url: str, memory: Memory) -> None:
    story = memory.story("长")
    with (
        httpx.Client(base_url=url, timeout=PATIENCE, trust_env=False) as client,
        client.stream("GET", f"/api/v2/stories/{story.id}/live") as stream,
        web_socket(url.replace("http", "ws") + "/api/v2/ipc") as conversation,
    ):
        lines = stream.iter_lines()
        assert next(lines).startswith("retry")
        with opened(url) as slow:
            said_until_closed(slow, iter(()))  # as long as a head may take
        conversation.send("{}")
        assert "VALIDATION_ERROR" in str(conversation.recv(PATIENCE))
        story.entry("甲", "守灯人。")
        assert "data: 2" in [next(lines) for _ in range(8)]


@pytest.mark.parametrize(
    "lines",
    [
        [b"host: 127.0.0.1", *[b"x-%d: %s" % (n, b"a" * 1_000) for n in range(200)]],
        [b"host: 127.0.0.1", b"x-long: " + b"a" * 2_000_000],
        [],
        [b"host: 127.0.0.1", b"host: evil.example"],
        [b"host: 127.0.0.1", b"content-length: 1", b"transfer-encoding: chunked"],
        [b"host: 127.0.0.1", b"content-length: 1", b"content-length: 2"],
    ],
    ids=["many headers", "a long header", "no host", "two hosts", "two kinds of body", "two lengths"],
)
def test_heads_that_are_too_large_or_contradict_themselves_are_refused(url: str, lines: list[bytes]) -> None:
    with opened(url) as caller:
        head = b"\r\n".join([b"GET /api/v2/health HTTP/1.1", *lines, b"", b""])
        said = said_until_closed(caller, (head[n : n + 30_000] for n in range(0, len(head), 30_000)))
    assert said.startswith(b"HTTP/1.1 400 "), said[:200]
    assert said.count(b"HTTP/1.1") == 1


@pytest.mark.slow
def test_hundreds_of_slow_callers_hold_up_nobody(tmp_path: Path) -> None:
    with serving(tmp_path) as server, ExitStack() as callers:
        slow = [callers.enter_context(opened(server.url)) for _ in range(300)]
        is_over = threading.Event()

        def trickle() -> None:
            for byte in one_by_one(HEAD + b"content-length: 1000\r\n"):
                for caller in slow:
                    with suppress(OSError):
                        caller.sendall(byte)
                if is_over.wait(0.5):
                    return

        thread = threading.Thread(target=trickle, daemon=True)
        thread.start()
        taken = []
        for number in range(40):
            began = time.monotonic()
            made = server.client.post("/api/v2/stories", json={"title": f"{number}"})
            assert made.status_code == 201
            taken.append(time.monotonic() - began)
        assert sorted(taken)[20] < 2
        for caller in slow:
            said_until_closed(caller, iter(()))
        is_over.set()
        thread.join(PATIENCE)
        assert server.client.get("/api/v2/health").json()["stories"] == 40
