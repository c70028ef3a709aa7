"""How often a caller may use a language model: so many calls in any minute, each caller for themselves."""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Callable
from typing import Any, Protocol

from fabula.errors import RateLimited
from fabula.llm.cancel_token import CancelToken
from fabula.llm.chat import ChatAnswer, ChatModel, ChatRequest, ChatStream
from fabula.llm.upstream import Upstream

WINDOW_S = 60.0


class Rate(Protocol):
    """Who counts the calls of a model."""

    def admit(self, caller: str) -> None:
        """Note a call of the caller; RateLimited if they have to wait."""


class CallRate:
    """The calls of the last minute by caller; threads may share it."""

    def __init__(self, per_minute: int, monotonic: Callable[[], float]) -> None:
        self._limit = per_minute
        self._monotonic = monotonic
        self._calls: dict[str, deque[float]] = {}
        self._lock = threading.Lock()

    def admit(self, caller: str) -> None:
        """Note a call of the caller; RateLimited if they had all of this minute's. A limit of 0 is none."""
        if self._limit == 0:
            return
        with self._lock:
            now = self._monotonic()
            self._forget_old(now)
            calls = self._calls.setdefault(caller, deque())
            if len(calls) >= self._limit:
                raise too_often(self._limit, math.ceil(WINDOW_S - (now - calls[0])))
            calls.append(now)

    def _forget_old(self, now: float) -> None:
        """Drop what is a minute old, and callers of whom nothing is left."""
        for caller, calls in tuple(self._calls.items()):
            while calls and now - calls[0] >= WINDOW_S:
                calls.popleft()
            if not calls:
                del self._calls[caller]


class MeteredUpstream:
    """A model's endpoint as one caller may use it: what is known of it is free, every request is counted."""

    def __init__(self, upstream: Upstream, rate: Rate, caller: str) -> None:
        self._upstream = upstream
        self._rate = rate
        self._caller = caller

    def for_one_call(self) -> Upstream:
        """The endpoint itself, for a request that is counted now; RateLimited if the caller has to wait."""
        self._rate.admit(self._caller)
        return self._upstream

    def chosen(self) -> str:
        """The name of the model that the settings mean."""
        return self._upstream.chosen()

    def listed(self) -> tuple[dict[str, Any], ...]:
        """The models of the endpoint."""
        return self._upstream.listed(is_hasty=True)

    def window(self) -> int | None:
        """How many tokens the model reads and writes in one call."""
        return self._upstream.window()


class MeteredChatModel:
    """A chat model as one caller may use it: every call is counted before it is made.

    A cancel token given here ends every call that has none of its own.
    """

    def __init__(
        self, model: ChatModel, rate: Rate, caller: str, cancel_token: CancelToken | None = None
    ) -> None:
        self._model = model
        self._rate = rate
        self._caller = caller
        self._cancel_token = cancel_token

    def cancelled_by(self, cancel_token: CancelToken) -> MeteredChatModel:
        """The same model, whose calls end when the token is cancelled."""
        return MeteredChatModel(self._model, self._rate, self._caller, cancel_token)

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    def for_one_call(self) -> ChatModel:
        """The model itself, for a call that is counted now; RateLimited if the caller has to wait."""
        self._rate.admit(self._caller)
        return self._model

    def complete(self, request: ChatRequest, *, cancel_token: CancelToken | None = None) -> ChatAnswer:
        """The whole answer; RateLimited if the caller has to wait."""
        return self.for_one_call().complete(request, cancel_token=cancel_token or self._cancel_token)

    def stream(self, request: ChatRequest, *, cancel_token: CancelToken | None = None) -> ChatStream:
        """The answer piece by piece; RateLimited, before the model is asked, if the caller has to wait."""
        return self.for_one_call().stream(request, cancel_token=cancel_token or self._cancel_token)

    def close(self) -> None:
        """The model belongs to others, too: it stays as it is."""


def too_often(limit: int, wait: int) -> RateLimited:
    """The refusal of a caller who had all calls of this minute, and has to wait so many seconds."""
    seconds = max(1, wait)
    return RateLimited(
        f"{limit} calls of a language model in a minute are all that one caller may make.",
        details={"retryAfterSeconds": seconds, "limit": limit},
        suggestion=f"Try again in {seconds} s, or set FABULA_MODEL_CALLS_PER_MINUTE higher.",
    )
