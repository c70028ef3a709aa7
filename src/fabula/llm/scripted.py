"""A chat model with scripted answers, for tests and demonstrations, without a network."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable

from fabula.errors import FabulaError, LlmUnavailable
from fabula.llm.cancel_token import CancelToken
from fabula.llm.chat import ChatAnswer, ChatEnd, ChatRequest, ChatStream

Speech = str | FabulaError
Script = Iterable[Speech] | Callable[[ChatRequest], Speech]

PIECE = 4


class ScriptedChatModel:
    """Answers from a list, one after the other, or from a function; an error among the answers is raised."""

    def __init__(self, script: Script, *, name: str = "scripted") -> None:
        self.name = name
        self.requests: list[ChatRequest] = []
        self._next = script if callable(script) else _following(script)
        self._lock = threading.Lock()

    def complete(self, request: ChatRequest, *, cancel_token: CancelToken | None = None) -> ChatAnswer:
        """The next answer, as a whole."""
        return ChatAnswer(text=self._line(request), finish_reason="stop", model=self.name)

    def stream(self, request: ChatRequest, *, cancel_token: CancelToken | None = None) -> ChatStream:
        """The next answer, a few characters at a time."""
        return self._pieces(self._line(request))

    def _pieces(self, text: str) -> ChatStream:
        for start in range(0, len(text), PIECE):
            yield text[start : start + PIECE]
        return ChatEnd(finish_reason="stop", model=self.name)

    def close(self) -> None:
        """Do nothing; there are no connections."""

    def _line(self, request: ChatRequest) -> str:
        with self._lock:
            self.requests.append(request)
            line = self._next(request)
        if isinstance(line, FabulaError):
            raise line
        return line


def _following(lines: Iterable[Speech]) -> Callable[[ChatRequest], Speech]:
    left = iter(lines)
    return lambda _: next(left, LlmUnavailable("The script has no further answer."))
