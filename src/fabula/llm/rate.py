"""Limits the calls of a language model per caller and minute."""

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
    """Counts and limits the calls of a model."""

    def admit(self, caller: str) -> None:
        """Count a call; RateLimited if the caller has to wait."""


class CallRate:
    """A sliding window over the calls of the last minute by caller; threads may share it."""

    def __init__(self, per_minute: int, monotonic: Callable[[], float]) -> None:
        self._limit = per_minute
        self._monotonic = monotonic
        self._calls: dict[str, deque[float]] = {}
        self._lock = threading.Lock()

    def admit(self, caller: str) -> None:
        """Count a call; RateLimited if the caller has used up this minute's. A limit of 0 means no limit."""
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
        """Drop calls older than a minute, and callers without calls."""
        for caller, calls in tuple(self._calls.items()):
            while calls and now - calls[0] >= WINDOW_S:
                calls.popleft()
            if not calls:
                del self._calls[caller]


class MeteredUpstream:
    """A model's endpoint for one caller: metadata is free, every request is counted."""

    def __init__(self, upstream: Upstream, rate: Rate, caller: str) -> None:
        self._upstream = upstream
        self._rate = rate
        self._caller = caller

    def for_one_call(self) -> Upstream:
        """Count a request and return the endpoint for it; RateLimited if the caller has to wait."""
        self._rate.admit(self._caller)
        return self._upstream

    def chosen(self) -> str:
        """The name of the model to use."""
        return self._upstream.chosen()

    def listed(self) -> tuple[dict[str, Any], ...]:
        """The models at the endpoint."""
        return self._upstream.listed(is_hasty=True)

    def window(self) -> int | None:
        """The model's context window in tokens."""
        return self._upstream.window()


class MeteredChatModel:
    """A chat model for one caller; every call is counted before it is made.

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
        """The answer piece by piece; RateLimited, before the model is called, if the caller has to wait."""
        return self.for_one_call().stream(request, cancel_token=cancel_token or self._cancel_token)

    def close(self) -> None:
        """Do nothing; the model is shared with others."""


def too_often(limit: int, wait: int) -> RateLimited:
    """The error for a caller who has used up this minute's calls and must wait this many seconds."""
    seconds = max(1, wait)
    return RateLimited(
        f"A caller may make at most {limit} language model calls per minute.",
        details={"retryAfterSeconds": seconds, "limit": limit},
        suggestion=f"Try again in {seconds} s, or set FABULA_MODEL_CALLS_PER_MINUTE higher.",
    )
