"""The proxy's way back: the model's answer as it is, its errors, its end, and its bounds."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest

from endpoints import (
    DONE,
    PATIENCE,
    Scene,
    closed_address,
    data,
    dropped,
    endless,
    event,
    plain,
    refusal,
    silent,
    silent_after,
    stream,
    unchunked,
)
from fabula.api.proxy import passing
from listening import AT_ONCE, Listening, listening, spoken, watched
from waiting import eventually


@pytest.fixture(scope="module")
def on(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Listening]:
    with listening(tmp_path_factory.mktemp("proxy"), model_calls_per_minute=0) as running:
        yield running


@pytest.fixture(autouse=True)
def _a_fresh_play(on: Listening) -> None:
    on.played.asked.clear()


@pytest.mark.long
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


@pytest.mark.parametrize("play", [unchunked, stream])
def test_a_stream_that_stops_before_its_end_is_an_error_too(on: Listening, play: Any) -> None:
    half = b'data: {"choices": [{"delta": {"content": "\\"finish_reason\\": \\"stop\\""}}]}\n\n'
    on.played.plays(play([event("一"), half, b'data: {"choices": [{"del']))
    answer = on.complete("played", spoken("user", "x"), stream=True)
    assert answer.content.startswith(event("一") + half)
    last = answer.text.split("\n\n")[-2]
    assert json.loads(last.removeprefix("data: "))["error"]["code"] == "LLM_UNAVAILABLE"


@pytest.mark.parametrize("play", [unchunked, stream])
@pytest.mark.parametrize("end", [DONE, event(None, "length"), b'data: {"error": {"message": "oom"}}\n\n'])
def test_a_stream_that_says_it_is_done_is_whole(on: Listening, play: Any, end: bytes) -> None:
    on.played.plays(play([event("一"), end]))
    answer = on.complete("played", spoken("user", "x"), stream=True)
    assert answer.content == event("一") + end


@pytest.mark.parametrize("key", ["x", "content", "lm-studio", "not-needed"])
def test_a_short_key_does_not_tear_the_words_of_an_error(
    tmp_path_factory: pytest.TempPathFactory, key: str
) -> None:
    said = f"context_length_exceeded: lm-studio-server, contents, the key '{key}' and {key}2; extra"
    error = {"message": said, "type": "invalid_request_error", "param": "content", "code": "x"}
    with listening(tmp_path_factory.mktemp("key"), key=key) as running:
        for status in (400, 401):
            running.played.plays(data({"error": error}, status))
            told_error = running.complete("played", spoken("user", "x")).json()["error"]
            whole = f"context_length_exceeded: lm-studio-server, contents, the key '***' and {key}2; extra"
            assert whole in told_error["message"]
            assert {name: told_error[name] for name in ("type", "param", "code")} == {
                name: error[name] for name in ("type", "param", "code")
            }


def test_a_client_that_stops_before_the_first_word_is_no_fault_of_the_server(
    on: Listening, caplog: pytest.LogCaptureFixture
) -> None:
    began, left = threading.Event(), threading.Event()
    on.played.plays(watched(silent, began, left))
    body = {"model": "played", "messages": [], "stream": True}
    with caplog.at_level("INFO", logger="fabula.requests"):
        on.hang_up("/v1/chat/completions", body, began)
        assert left.wait(AT_ONCE)
        noted = eventually(lambda: [one for one in caplog.records if one.name == "fabula.requests"] or None)
    assert [one.__dict__["status"] for one in noted] == [499]


def test_what_went_wrong_and_what_to_do_are_two_sentences(tmp_path_factory: pytest.TempPathFactory) -> None:
    with listening(tmp_path_factory.mktemp("refused"), address=closed_address()) as running:
        said = running.complete("played", spoken("user", "x")).json()["error"]["message"]
    assert "refused. " in said
    assert ".." not in said


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
    on.hang_up("/v1/chat/completions", body, began, hears=0 if scene is silent else 1)
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
