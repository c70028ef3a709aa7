"""The interface of chat models."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Literal, Protocol

from pydantic import Field

from fabula.llm.cancel_token import CancelToken
from fabula.model.context import ChatMessage
from fabula.model.wire import Value

ChatRole = Literal["system", "user", "assistant"]


class ChatRequest(Value):
    """A conversation to continue, and its parameters; None leaves one to the model."""

    messages: tuple[ChatMessage, ...] = Field(min_length=1)
    temperature: float | None = None
    max_tokens: int | None = None
    stop: tuple[str, ...] = ()
    json_schema: dict[str, Any] | None = None
    json_schema_name: str = "answer"


class ChatEnd(Value):
    """The end of an answer: the model, why it stopped, and the token counts."""

    finish_reason: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    model: str


class ChatAnswer(ChatEnd):
    """A model's answer, and how it ended."""

    text: str


ChatStream = Generator[str, None, ChatEnd]


class ChatModel(Protocol):
    """A chat model; threads may share it."""

    @property
    def name(self) -> str:
        """The model's name."""

    def complete(self, request: ChatRequest, *, cancel_token: CancelToken | None = None) -> ChatAnswer:
        """The whole answer; LlmRateLimited or LlmUnavailable if there is none, or the call was cancelled."""

    def stream(self, request: ChatRequest, *, cancel_token: CancelToken | None = None) -> ChatStream:
        """The answer piece by piece, returned when the first piece is there, and at last how it ended.

        Closing it stops the model, and so does the cancel token, from any thread. A model that cannot be
        asked raises LlmRateLimited or LlmUnavailable here. One that breaks off later raises LlmUnavailable
        where the next piece should have come.
        """

    def close(self) -> None:
        """Close all connections."""
