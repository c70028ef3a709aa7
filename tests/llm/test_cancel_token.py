"""A cancelled call to a model: whoever waits is woken, and the endpoint sees the connection close."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from pydantic import SecretStr

from endpoints import PATIENCE, Connected, asking, completion, event, refusal, silent, silent_after, told
from fabula.errors import LlmRateLimited, LlmUnavailable
from fabula.llm.cancel_token import CancelToken
from fabula.llm.chat import ChatEnd
from fabula.llm.endpoint import Endpoint, Patience
from fabula.llm.openai_compatible import OpenAiCompatibleChatModel
from fabula.llm.upstream import told_window
from listening import watched


def model(house: Connected, retries: int = 0) -> OpenAiCompatibleChatModel:
    patience = Patience(silence_s=PATIENCE, retries=retries, first_wait_s=PATIENCE, longest_wait_s=PATIENCE)
    endpoint = Endpoint(house.played.url, SecretStr(""), patience=patience, keeps_connections=False)
    house.opened.append(endpoint)
    return OpenAiCompatibleChatModel(endpoint, "played")


Ask = Callable[[OpenAiCompatibleChatModel, CancelToken], object]
asks = pytest.mark.parametrize(
    "ask",
    [
        lambda chat, cancel_token: chat.complete(asking(), cancel_token=cancel_token),
        lambda chat, cancel_token: list(chat.stream(asking(), cancel_token=cancel_token)),
        lambda chat, cancel_token: chat.pass_on(b"{}", cancel_token).read(10**6),
    ],
    ids=["complete", "stream", "pass_on"],
)


@asks
@pytest.mark.parametrize("scene", [silent, silent_after([event("一")])], ids=["thinking", "speaking"])
def test_a_cut_line_wakes_who_waits_and_ends_the_call(house: Connected, ask: Ask, scene: object) -> None:
    began, left = threading.Event(), threading.Event()
    house.played.plays(watched(scene, began, left))  # type: ignore[arg-type]
    cancel_token = CancelToken()

    def cut() -> None:
        began.wait(PATIENCE)
        cancel_token.cancel()

    threading.Thread(target=cut, daemon=True).start()
    with pytest.raises(LlmUnavailable) as ended:
        ask(model(house), cancel_token)
    assert ended.value.details["reason"] != "silent", "it was not waited for to the end"
    assert left.wait(PATIENCE)


@asks
def test_a_line_that_was_cut_before_is_no_line(house: Connected, ask: Ask) -> None:
    house.played.plays(completion("一"))
    cancel_token = CancelToken()
    cancel_token.cancel()
    cancel_token.cancel()
    with pytest.raises(LlmUnavailable):
        ask(model(house), cancel_token)


def test_who_waits_for_another_attempt_is_woken_too(house: Connected) -> None:
    cancel_token = CancelToken()

    def refused(handler: object) -> None:
        refusal(429)(handler)  # type: ignore[arg-type]
        cancel_token.cancel()

    house.played.plays(refused)
    with pytest.raises(LlmRateLimited):
        model(house, retries=3).complete(asking(), cancel_token=cancel_token)
    assert len(house.played.asked) == 1


def test_the_end_of_a_stream_says_who_spoke_and_what_was_counted(house: Connected) -> None:
    house.played.plays(told("一", "二"))
    pieces = model(house).stream(asking())
    assert [next(pieces), next(pieces)] == ["一", "二"]
    with pytest.raises(StopIteration) as ended:
        next(pieces)
    assert ended.value.value == ChatEnd(model="played", finish_reason="stop")
    assert house.played.bodies[0]["stream_options"] == {"include_usage": True}


def test_an_endpoint_that_does_not_count_streams_is_not_asked_to_again(house: Connected) -> None:
    house.played.plays(refusal(400, "Unknown parameter: stream_options"), told("一"), told("二"))
    chat = model(house)
    assert list(chat.stream(asking())) == ["一"]
    assert list(chat.stream(asking())) == ["二"]
    assert ["stream_options" in body for body in house.played.bodies] == [True, False, False]


@pytest.mark.parametrize(
    ("described", "window"),
    [
        ({"id": "a", "max_model_len": 8192}, 8192),
        ({"id": "a", "context_length": 9, "loaded_context_length": 4}, 4),
        ({"id": "a", "meta": {"n_ctx": 2048, "n_ctx_train": 99}}, 2048),
        ({"id": "a", "context_length": "many"}, None),
        ({"id": "a", "context_length": -1}, None),
        ({"id": "b", "context_length": 5}, None),
    ],
)
def test_the_window_is_what_the_list_of_models_says(described: dict[str, object], window: int | None) -> None:
    assert told_window(({"no": "id"}, described), "a") == window
