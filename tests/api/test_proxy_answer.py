"""The proxy's way back: the model's answer as it is, its errors, its end, and its bounds."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from uuid import UUID

import httpx
import pytest

from endpoints import (
    DONE,
    PATIENCE,
    Scene,
    dropped,
    endless,
    event,
    plain,
    refusal,
    silent,
    silent_after,
    stream,
)
from fabula.api.proxy import passing
from listening import AT_ONCE, Listening, listening, spoken, watched


@pytest.fixture(scope="module")
def on(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Listening]:
    with listening(tmp_path_factory.mktemp("proxy"), model_calls_per_minute=0) as running:
        yield running


@pytest.fixture(autouse=True)
def _a_fresh_play(on: Listening) -> None:
    on.played.asked.clear()


def test_a_stream_is_passed_on_byte_for_byte(on: Listening) -> None:
    story = on.story()
    raw = (
        b": keep-alive\r\n\r\n"
        + b"event: x\r\nid: 1\r\n"
        + b'data: {"choices": [{"delta": {"tool_calls": [{"index": 0}]}}], "new": 1}\r\n\r\n'
        + event("雾港𠮷")
        + b'data: {"choices": [], "usage": {"prompt_tokens": 1}}\n\n'
        + b": ping\n\n"
        + DONE
        + b"data: without an end"
    )
    for size in (1, 7, len(raw)):
        on.played.plays(stream([raw[start : start + size] for start in range(0, len(raw), size)]))
        answer = on.complete(f"fabula/{story.id}", spoken("user", "x"), stream=True)
        assert answer.content == raw
        assert answer.headers["content-type"].startswith("text/event-stream")


def test_words_are_passed_on_while_the_model_still_speaks(on: Listening) -> None:
    heard = threading.Event()

    def slowly() -> Iterator[bytes]:
        yield event("一")
        assert heard.wait(PATIENCE), "the first word was held back"
        yield DONE

    on.played.plays(stream(slowly()))
    body = {"model": "played", "messages": [], "stream": True}
    with on.client.stream("POST", "/v1/chat/completions", json=body) as answer:
        chunks = answer.iter_bytes()
        assert next(chunks) == event("一")
        heard.set()
        assert b"".join(chunks) == DONE


@pytest.mark.parametrize("status", [400, 401, 403, 404, 418, 422, 429, 500, 503, 529])
def test_an_error_keeps_the_models_status(on: Listening, status: int) -> None:
    story = on.story()
    odd = {"set_cookie": "a=b", "x_request_id": "\xe9\x07"}
    on.played.plays(refusal(status, "no such thing", retry_after="9", x_ratelimit_remaining="0", **odd))
    for model in ("played", f"fabula/{story.id}"):
        answer = on.complete(model, spoken("user", "x"), stream=True)
        error = answer.json()["error"]
        assert answer.status_code == status
        assert "no such thing" in error["message"]
        assert error["type"] == "invalid_request_error"
        assert answer.headers["retry-after"] == "9"
        assert answer.headers["x-ratelimit-remaining"] == "0"
        assert "set-cookie" not in answer.headers
        assert UUID(answer.headers["x-request-id"])  # ours, not the model's
        assert ("FABULA_LLM_API_KEY" in error["message"]) is (status in (401, 403))


@pytest.mark.parametrize(
    "scene",
    [
        pytest.param(dropped, id="hangs up"),
        pytest.param(plain(b"<html>login</html>", kind="text/html"), id="a web page"),
        pytest.param(plain(b"{", kind="application/json"), id="half a JSON"),
        pytest.param(plain(b"", 302, location="http://elsewhere/"), id="sends elsewhere"),
    ],
)
def test_an_endpoint_that_fails_is_a_bad_gateway(on: Listening, scene: Scene) -> None:
    on.played.plays(scene)
    answer = on.complete("played", spoken("user", "x"))
    assert (answer.status_code, answer.json()["error"]["code"]) == (502, "LLM_UNAVAILABLE")
    assert "<html" not in answer.text
    assert "elsewhere" not in str(answer.headers)


def test_an_error_of_a_web_page_says_the_status_only(on: Listening) -> None:
    on.played.plays(plain(b"<html>nginx</html>", 502, kind="text/html"))
    answer = on.complete("played", spoken("user", "x"))
    assert answer.status_code == 502
    assert answer.headers["content-type"] == "application/json"
    assert "<" not in answer.text


def test_a_model_that_breaks_off_is_an_error_in_the_stream_and_no_half_event(on: Listening) -> None:
    on.played.plays(stream([event("一"), b'data: {"choices": [{"del'], drops=True))
    answer = on.complete("played", spoken("user", "x"), stream=True)
    assert answer.status_code == 200
    first, last, empty = answer.text.split("\n\n")
    assert (first.encode() + b"\n\n", empty) == (event("一"), "")
    error = json.loads(last.removeprefix("data: "))["error"]
    assert error["code"] == "LLM_UNAVAILABLE"
    assert "[DONE]" not in answer.text


def test_bytes_that_are_no_text_are_replaced(on: Listening) -> None:
    on.played.plays(stream([event("一"), b"data: a\xff\xfeb\n", b"\n", DONE]))
    answer = on.complete("played", spoken("user", "x"), stream=True)
    assert answer.content == event("一") + "data: a\ufffd\ufffdb\n\n".encode() + DONE


def test_an_endless_stream_ends(on: Listening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passing, "STREAM_BYTES", 100_000)
    on.played.was_left.clear()
    on.played.plays(endless)
    answer = on.complete("played", spoken("user", "x"), stream=True)
    assert len(answer.content) < 200_000
    assert "LLM_UNAVAILABLE" in answer.text[-500:]
    assert on.played.was_left.wait(PATIENCE)


def test_an_endless_event_and_an_endless_body_are_given_up(
    on: Listening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(passing, "EVENT_BYTES", 10_000)
    on.played.plays(stream([b"data: " + b"x" * 5_000] * 10))
    answer = on.complete("played", spoken("user", "x"), stream=True)
    assert len(answer.content) < 1_000
    assert "LLM_UNAVAILABLE" in answer.text


@pytest.mark.parametrize("scene", [silent, silent_after([event("一")]), endless])
def test_a_client_that_leaves_stops_the_model(on: Listening, scene: Scene) -> None:
    began, left = threading.Event(), threading.Event()
    on.played.plays(watched(scene, began, left))
    body = {"model": "played", "messages": [], "stream": True}

    def listen_for_a_moment() -> None:
        with on.client.stream("POST", "/v1/chat/completions", json=body, timeout=0.2) as answer:
            for _ in answer.iter_bytes():
                if scene is endless:
                    raise httpx.ReadTimeout("enough")

    with pytest.raises(httpx.ReadTimeout):
        listen_for_a_moment()
    assert began.is_set()
    assert left.wait(AT_ONCE)


def test_a_slow_client_slows_the_model_down(on: Listening) -> None:
    """Nothing piles up: while nobody reads, the model gets only as far as the buffers on the way allow."""
    sent = [0]

    def counted() -> Iterator[bytes]:
        while True:
            sent[0] += 1 << 16
            yield b": " + b"x" * ((1 << 16) - 4) + b"\n\n"

    began, left = threading.Event(), threading.Event()
    on.played.plays(watched(stream(counted()), began, left))
    body = {"model": "played", "messages": [], "stream": True}
    with on.client.stream("POST", "/v1/chat/completions", json=body) as answer:
        chunks = answer.iter_bytes()
        next(chunks)
        before = -1
        while before != sent[0]:
            before = sent[0]
            left.wait(0.3)
        assert sent[0] < passing.STREAM_BYTES / 2
    assert left.wait(AT_ONCE)
