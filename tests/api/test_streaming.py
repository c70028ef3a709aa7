"""Answers that come piece by piece: places for them, errors before them and among them, and their end."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from fabula.api import streaming
from fabula.api.streaming import HEARTBEAT, Head, Pieces, Room, Streamed, StreamPiece, explained
from fabula.errors import FabulaError, NotFound, RateLimited
from fabula.llm.cancel_token import CancelToken


def refuse(error: FabulaError) -> Iterator[StreamPiece]:
    yield Head(error.status)
    yield error.code.encode()


def interrupt(error: FabulaError) -> bytes:
    return b"!" + error.code.encode()


def pieces(*given: StreamPiece | Exception) -> Pieces:
    for one in given:
        if isinstance(one, Exception):
            raise one
        yield one


EVENTS = Head(is_events=True)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ((Head(), b"a"), [Head(), b"a"]),
        ((NotFound("No."),), [Head(404), b"NOT_FOUND"]),
        ((ZeroDivisionError(),), [Head(500), b"INTERNAL_ERROR"]),
        ((EVENTS, b"a", NotFound("No.")), [EVENTS, b"a", b"!NOT_FOUND"]),
        ((EVENTS, ZeroDivisionError()), [EVENTS, b"!INTERNAL_ERROR"]),
        ((Head(), b"a", NotFound("No.")), [Head(), b"a"]),
    ],
)
def test_an_error_is_told_where_it_still_can_be(given: Any, told: list[StreamPiece]) -> None:
    assert list(explained(pieces(*given), refuse, interrupt)) == told


def test_there_are_so_many_places_and_one_is_given_back_whatever_happens() -> None:
    room = Room(1)
    with pytest.raises(ZeroDivisionError), room.place():
        raise ZeroDivisionError
    with room.place(), pytest.raises(RateLimited) as full, room.place():
        pass
    assert full.value.details == {"retryAfterSeconds": 5, "limit": 1}


def sent(answer: Streamed) -> list[dict[str, Any]]:
    """What a client is sent that stays to the end."""
    messages: list[dict[str, Any]] = []

    async def run() -> None:
        async def receive() -> dict[str, Any]:
            await asyncio.Event().wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            messages.append(message)

        await answer({"type": "http", "path": "/"}, receive, send)

    asyncio.run(run())
    return messages


def test_while_the_model_thinks_there_are_signs_of_life(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streaming, "LOOK_SECONDS", 0.01)
    monkeypatch.setattr(streaming, "HEARTBEAT_SECONDS", 0.02)
    for beats in (True, False):
        thinking = threading.Event()

        def source(_: CancelToken, beats: bool = beats, thinking: threading.Event = thinking) -> Pieces:
            yield Head(is_events=True, beats=beats)
            thinking.wait(0.2)
            yield b"data: x\n\n"

        bodies = [message.get("body") for message in sent(Streamed(source, lambda: False))]
        assert (HEARTBEAT in bodies) is beats
        assert [body for body in bodies if body != HEARTBEAT] == [None, b"data: x\n\n", b""]


def test_a_server_that_is_leaving_ends_its_streams_and_cuts_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streaming, "LOOK_SECONDS", 0.01)
    monkeypatch.setattr(streaming, "FAREWELL_SECONDS", 0.02)
    tokens: list[CancelToken] = []
    began = threading.Event()

    def source(cancel_token: CancelToken) -> Pieces:
        tokens.append(cancel_token)
        yield Head(is_events=True)
        began.set()
        cancel_token.wait(60)
        yield b"data: too late\n\n"

    messages = sent(Streamed(source, began.is_set))
    assert [message.get("body") for message in messages] == [None, b""]
    assert tokens[0].is_cancelled


def test_who_was_told_nothing_yet_hears_that_the_server_is_leaving(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streaming, "LOOK_SECONDS", 0.01)
    monkeypatch.setattr(streaming, "FAREWELL_SECONDS", 0.02)

    def source(cancel_token: CancelToken) -> Pieces:
        cancel_token.wait(60)
        yield Head()

    begin, body = sent(Streamed(source, lambda: True))
    assert begin["status"] == 503
    assert b"The server is stopping." in body["body"]


def test_an_answer_that_comes_soon_is_waited_for_by_a_server_that_is_leaving(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(streaming, "LOOK_SECONDS", 0.01)

    def source(cancel_token: CancelToken) -> Pieces:
        cancel_token.wait(0.1)
        yield Head()
        yield b"soon"

    assert [message.get("body") for message in sent(Streamed(source, lambda: True))] == [None, b"soon", b""]
