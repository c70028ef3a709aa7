"""The scripted model keeps to its script."""

from __future__ import annotations

import pytest

from fabula.errors import LlmRateLimited, LlmUnavailable
from fabula.llm.chat import ChatModel, ChatRequest
from fabula.llm.scripted import ScriptedChatModel
from fabula.model.context import ChatMessage

HELLO = ChatRequest(messages=(ChatMessage(role="user", content="在吗？"),))


def test_lines_are_said_in_order_and_errors_raised() -> None:
    model = ScriptedChatModel(["一二三四五六", LlmRateLimited("Slowly."), "{}"])
    port: ChatModel = model
    pieces = list(port.stream(HELLO))
    assert len(pieces) > 1
    assert "".join(pieces) == "一二三四五六"
    with pytest.raises(LlmRateLimited):
        port.complete(HELLO)
    answer = port.complete(HELLO)
    assert (answer.text, answer.finish_reason, answer.model) == ("{}", "stop", port.name)
    with pytest.raises(LlmUnavailable):
        port.stream(HELLO)
    assert model.requests == [HELLO] * 4
    port.close()


def test_a_function_may_answer() -> None:
    model = ScriptedChatModel(lambda request: request.messages[-1].content.upper())
    assert model.complete(ChatRequest(messages=(ChatMessage(role="user", content="ab"),))).text == "AB"
