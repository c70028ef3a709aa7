"""A chat model behind an OpenAI endpoint: what is asked, what is understood, what is given up."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from endpoints import (
    DONE,
    KEY,
    Connected,
    asking,
    closed_address,
    completion,
    data,
    dropped,
    endless,
    event,
    model,
    plain,
    reason,
    refusal,
    silent,
    silent_after,
    stream,
    told,
)
from fabula.errors import FabulaError, LlmRateLimited, LlmUnavailable
from fabula.llm.chat import ChatRequest
from fabula.llm.openai_compatible import OpenAiCompatibleChatModel
from fabula.model.context import ChatMessage

# What is asked and answered


def test_an_answer_and_what_was_asked_for_it(house: Connected) -> None:
    house.played.plays(completion("林远。"))
    request = ChatRequest(
        messages=(ChatMessage(role="system", content="短"), ChatMessage(role="user", content="谁\ud800？")),
        temperature=0.0,
        max_tokens=50,
        stop=("\n",),
    )
    answer = model(house).complete(request)
    assert answer.model_dump() == {
        "text": "林远。",
        "finish_reason": "stop",
        "prompt_tokens": 7,
        "completion_tokens": 3,
        "model": "played-1",
    }
    (asked,) = house.played.asked
    assert asked.path == "/v1/chat/completions"
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert asked.body == {
        "model": "played",
        "stream": False,
        "messages": [{"role": "system", "content": "短"}, {"role": "user", "content": "谁?？"}],
        "temperature": 0.0,
        "max_tokens": 50,
        "stop": ["\n"],
    }


def test_what_was_not_said_is_left_to_the_model(house: Connected) -> None:
    house.played.plays(completion("…"))
    OpenAiCompatibleChatModel(house.endpoint(key=""), "played").complete(asking())
    (asked,) = house.played.asked
    assert asked.body.keys() == {"model", "stream", "messages"}
    assert "authorization" not in asked.headers


def test_a_stream_gives_its_texts(house: Connected) -> None:
    house.played.plays(told("林", "远", "。"))
    assert list(model(house).stream(asking())) == ["林", "远", "。"]
    assert house.played.bodies[0]["stream"] is True


def test_a_stream_may_be_cut_anywhere_and_hold_what_is_not_text(house: Connected) -> None:
    raw = (
        b"\xef\xbb\xbf: keep-alive\r\n\r\n"
        + b"event: message\r\nid: 4\r\n"
        + event("雾港𠮷").replace(b"\n", b"\r\n")
        + b": ping\n\n"
        + b'data: {"choices": []}\n\n'
        + b'data:{"choices": [{"delta": {"content": "a\xffb\\u0000"}}]}\n\n'
        + b'data: {"choices":\ndata: [{"delta": {"content": "!"}}]}\n\n'
        + event("?")[:-1]
        + event(None, "stop")
        + b"data: [DONE]"
    )
    house.played.plays(stream([raw[i : i + 1] for i in range(len(raw))]))
    assert "".join(model(house).stream(asking())) == "雾港𠮷a\ufffdb\ufffd!?"


def test_an_endpoint_that_does_not_stream_is_understood(house: Connected) -> None:
    house.played.plays(completion("全文"))
    assert list(model(house).stream(asking())) == ["全文"]


def test_the_mark_of_the_end_is_enough_and_so_is_a_reason_to_end(house: Connected) -> None:
    house.played.plays(stream([event("一"), DONE]), stream([event("二"), event(None, "length")], drops=True))
    assert list(model(house).stream(asking())) == ["一"]
    assert list(model(house).stream(asking())) == ["二"]


def test_a_text_in_parts_is_one_text(house: Connected) -> None:
    parts = [{"type": "text", "text": "林"}, {"type": "image"}, {"type": "text", "text": "远"}]
    message = {"role": "assistant", "content": parts, "reasoning_content": "想"}
    house.played.plays(data({"choices": [{"message": message}]}))
    assert model(house).complete(asking()).text == "林远"


# Which model


def test_the_only_model_of_an_endpoint_needs_no_name(house: Connected) -> None:
    house.played.plays(data({"data": [{"id": "solo"}]}), completion("一"), completion("二"))
    nameless = OpenAiCompatibleChatModel(house.endpoint())
    assert nameless.complete(asking()).text == "一"
    assert nameless.name == "solo"
    nameless.complete(asking())
    assert [asked.path for asked in house.played.asked] == ["/v1/models", *["/v1/chat/completions"] * 2]
    assert house.played.bodies[1]["model"] == "solo"


def test_of_several_models_one_must_be_named(house: Connected) -> None:
    house.played.plays(data({"data": [{"id": "a"}, {"id": "b"}]}))
    with pytest.raises(LlmUnavailable) as refused:
        OpenAiCompatibleChatModel(house.endpoint()).complete(asking())
    assert refused.value.details == {"reason": "not_configured", "models": ["a", "b"]}
    assert "FABULA_LLM_MODEL" in str(refused.value.suggestion)


def test_the_address_may_be_that_of_the_completions(house: Connected) -> None:
    house.played.plays(completion("…"))
    url = f"{house.played.url}/chat/completions/"
    OpenAiCompatibleChatModel(house.endpoint(url=url), "played").complete(asking())
    assert house.played.asked[0].path == "/v1/chat/completions"


# Asked again


def test_a_busy_endpoint_is_asked_again_when_it_says(house: Connected) -> None:
    later = {"date": "Wed, 21 Oct 2026 07:28:00 GMT", "retry_after": "Wed, 21 Oct 2026 07:28:09 GMT"}
    house.played.plays(refusal(429, retry_after="3"), refusal(429, **later), told("好"))
    assert list(model(house).stream(asking())) == ["好"]
    assert house.lapse.slept == [3.0, 9.0]


@pytest.mark.parametrize("fault", [refusal(500), refusal(503), refusal(408), dropped, stream([], drops=True)])
def test_what_may_pass_is_tried_again_with_growing_pauses(house: Connected, fault: Any) -> None:
    house.played.plays(fault, fault, fault, completion("好"))
    assert model(house).complete(asking()).text == "好"
    assert house.lapse.slept == [0.5, 1.0, 2.0]


def test_a_busy_endpoint_is_given_up_in_the_end(house: Connected) -> None:
    house.played.plays(refusal(429, retry_after="2"))
    with pytest.raises(LlmRateLimited) as refused:
        model(house).complete(asking())
    assert refused.value.details == {"status": 429, "retryAfterSeconds": 2}
    assert len(house.played.asked) == 4


@pytest.mark.parametrize("wish", ["60", "1e999", "soon"])
def test_a_pause_is_bounded(house: Connected, wish: str) -> None:
    house.played.plays(refusal(429, retry_after=wish))
    with pytest.raises(LlmRateLimited) as refused:
        model(house).complete(asking())
    assert sum(house.lapse.slept) <= 3.5
    assert (len(house.played.asked) == 1) == (wish == "60")
    assert refused.value.details is not None
    assert refused.value.details.get("retryAfterSeconds") == (60 if wish == "60" else None)


def test_pauses_do_not_go_beyond_the_time_of_an_answer(house: Connected) -> None:
    house.played.plays(refusal(503))
    with pytest.raises(LlmUnavailable):
        model(house, answer_s=1.0).complete(asking())
    assert house.lapse.slept == [0.5]


def test_nobody_at_the_address(house: Connected) -> None:
    nobody = OpenAiCompatibleChatModel(house.endpoint(url=closed_address()), "played")
    with pytest.raises(LlmUnavailable) as refused:
        nobody.complete(asking())
    assert reason(refused.value) == "unreachable"
    assert "refused" in refused.value.message
    assert len(house.lapse.slept) == 3


# Given up


def test_a_failing_endpoint(house: Connected) -> None:
    house.played.plays(plain(b"<html>Bad gateway</html>", 502, "text/html"))
    with pytest.raises(LlmUnavailable) as refused:
        model(house).complete(asking())
    assert refused.value.details == {"reason": "failing", "status": 502}
    assert len(house.played.asked) == 4


def test_a_silent_endpoint_is_not_asked_twice(house: Connected) -> None:
    house.played.plays(silent)
    with pytest.raises(LlmUnavailable) as refused:
        model(house, silence_s=0.1).complete(asking())
    assert reason(refused.value) == "silent"
    assert len(house.played.asked) == 1


@pytest.mark.parametrize(
    ("scene", "why"),
    [
        (stream([event("一"), event("二")], drops=True), "broken_off"),
        (stream([event("一"), event("二")]), "broken_off"),
        (stream([event("一"), event("二"), b"data: {not json\n\n"]), "not_understood"),
        (stream([event("一"), event("二"), b'data: {"error": {"message": "oom"}}\n\n']), "not_understood"),
        (stream([event("一"), event("二"), b'data: {"error": {"code": 503}}\n\n']), "failing"),
        (silent_after([event("一"), event("二")]), "silent"),
    ],
)
def test_a_stream_that_fails_keeps_what_it_said_and_is_not_begun_again(
    house: Connected, scene: Any, why: str
) -> None:
    house.played.plays(scene)
    heard: list[str] = []
    with pytest.raises(LlmUnavailable) as refused:
        heard.extend(model(house, silence_s=0.2).stream(asking()))
    assert heard == ["一", "二"]
    assert reason(refused.value) == why
    assert len(house.played.asked) == 1


GARBAGE = [
    b"",
    b"{",
    b"[]",
    b"null",
    b"[" * 100_000,
    b"{}",
    b'{"choices": []}',
    b'{"choices": [{}]}',
    b"\xff",
]


@pytest.mark.parametrize("body", GARBAGE, ids=repr)
def test_garbage_is_not_understood(house: Connected, body: bytes) -> None:
    house.played.plays(plain(body))
    for ask in (model(house).complete, model(house).stream):
        with pytest.raises(LlmUnavailable) as refused:
            ask(asking())
        assert reason(refused.value) == "not_understood"


def test_an_error_with_a_status_of_success(house: Connected) -> None:
    house.played.plays(data({"error": {"code": 429, "message": "busy"}}))
    with pytest.raises(LlmRateLimited):
        model(house).stream(asking())


def test_a_whole_answer_that_is_too_long(house: Connected) -> None:
    house.played.plays(completion("长" * 1001))
    with pytest.raises(LlmUnavailable) as refused:
        model(house).complete(asking())
    assert refused.value.details == {"reason": "too_long", "limit": 1000}


def test_an_endless_stream_ends_when_it_is_too_long_and_the_endpoint_is_left(house: Connected) -> None:
    house.played.plays(endless)
    with pytest.raises(LlmUnavailable) as refused:
        list(model(house).stream(asking()))
    assert reason(refused.value) == "too_long"
    assert house.played.was_left.wait(20)


def test_an_endless_stream_ends_when_it_takes_too_long(house: Connected) -> None:
    house.played.plays(endless)
    house.lapse.step = 10.0
    with pytest.raises(LlmUnavailable) as refused:
        list(model(house, max_characters=10**6, answer_s=300.0).stream(asking()))
    assert reason(refused.value) == "too_slow"
    assert house.played.was_left.wait(20)


def test_a_line_without_end_is_left(house: Connected) -> None:
    house.played.plays(stream(b"x" * 65_536 for _ in iter(int, 1)))
    with pytest.raises(LlmUnavailable) as refused:
        model(house).stream(asking())
    assert reason(refused.value) == "too_long"
    assert house.played.was_left.wait(20)


def test_a_redirection_is_not_followed(house: Connected) -> None:
    house.played.plays(plain(b"", 307, location="http://127.0.0.1:1/elsewhere"))
    with pytest.raises(LlmUnavailable) as refused:
        model(house).complete(asking())
    assert refused.value.details == {"reason": "refused", "status": 307}


# Stopping


@pytest.mark.parametrize("taken", [0, 1, 5])
def test_closing_a_stream_stops_the_model(house: Connected, taken: int) -> None:
    house.played.plays(endless)
    pieces = model(house, max_characters=10**6).stream(asking())
    for _ in range(taken):
        next(pieces)
    pieces.close()
    assert house.played.was_left.wait(20)


def test_forgetting_a_stream_stops_the_model(house: Connected) -> None:
    house.played.plays(endless)
    pieces = model(house, max_characters=10**6).stream(asking())
    del pieces
    assert house.played.was_left.wait(20)


# The key


@pytest.mark.parametrize("status", [400, 401, 403, 429, 500])
def test_the_key_is_shown_nowhere(house: Connected, status: int, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    house.played.plays(refusal(status, f"Incorrect API key provided: {KEY}."))
    asked = model(house)
    with pytest.raises(FabulaError) as refused:
        asked.complete(asking())
    error = refused.value
    shown = [repr(error), str(error.as_dict()), repr(asked), repr(vars(asked)), repr(house.opened[0])]
    assert not any(KEY in text for text in [*shown, caplog.text])
    if status in (401, 403):
        assert reason(error) == "key_refused"
        assert "refused the key" in error.message
        assert len(house.played.asked) == 1


def test_a_proxy_of_the_environment_is_not_for_this_machine(
    house: Connected, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, closed_address())
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    house.played.plays(completion("好"))
    assert model(house).complete(asking()).text == "好"
