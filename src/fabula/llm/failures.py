"""Translates failures of a model's endpoint into errors with suggestions."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

import httpx

from fabula.errors import FabulaError, LlmRateLimited, LlmUnavailable

TOO_MANY = 429
NOT_IMPLEMENTED = 501
SAID_LENGTH = 300

_KEYS = "Check the key in the settings: FABULA_LLM_API_KEY, for embeddings FABULA_EMBEDDING_API_KEY."
_SETTINGS = "Check the address, the key and the name of the model in the settings of Fabula."


@dataclass(frozen=True, slots=True)
class Failure:
    """A failed attempt: its error, whether to retry, and how long to wait before that."""

    error: FabulaError
    may_pass: bool = False
    wait_s: float | None = None


def unavailable(reason: str, message: str, suggestion: str | None = None, **details: Any) -> LlmUnavailable:
    """The error for a model that gives no usable answer."""
    return LlmUnavailable(message, details={"reason": reason, **details}, suggestion=suggestion)


def of_status(status: int, headers: Mapping[str, str], said: str) -> Failure:
    """The failure for an HTTP status; `said` is the endpoint's own explanation."""
    wait = retry_after(headers)
    if status == TOO_MANY:
        details: dict[str, Any] = {"status": status}
        if wait is not None:
            details["retryAfterSeconds"] = max(1, math.ceil(wait))
        return Failure(LlmRateLimited("The model accepts no more requests.", details=details), True, wait)
    if status in (401, 403):
        error = unavailable("key_refused", "The model's endpoint refused the key.", _KEYS, status=status)
        return Failure(error)
    if status >= 500 or status == 408:
        error = unavailable("failing", _with(f"The model's endpoint failed ({status})", said), status=status)
        return Failure(_explained(error, said), status != NOT_IMPLEMENTED, wait)
    error = unavailable(
        "refused",
        _with(f"The model's endpoint refused the request ({status})", said),
        _SETTINGS,
        status=status,
    )
    return Failure(_explained(error, said))


def of_transport(error: httpx.HTTPError) -> Failure:
    """The failure of an attempt without any answer."""
    if isinstance(error, httpx.ReadTimeout | httpx.WriteTimeout):
        return Failure(unavailable("silent", "The model did not answer in time."))
    # Other transport errors may quote the headers, including the key.
    why = str(error) if isinstance(error, httpx.ConnectError) else ""
    message = _with("The model's endpoint could not be reached", explanation(why.encode()))
    return Failure(unavailable("unreachable", message), may_pass=True)


def in_the_middle(error: httpx.HTTPError) -> LlmUnavailable:
    """The error for an answer that failed after it had started."""
    if isinstance(error, httpx.ReadTimeout):
        return unavailable("silent", "The model stopped responding in the middle of its answer.")
    return broken_off()


def broken_off() -> LlmUnavailable:
    """The error for an answer that ended prematurely."""
    return unavailable("broken_off", "The model broke off in the middle of its answer.", "Try again.")


def not_understood(said: str = "") -> LlmUnavailable:
    """The error for an answer that does not follow the OpenAI protocol."""
    return unavailable(
        "not_understood", _with("The answer of the model's endpoint could not be understood", said), _SETTINGS
    )


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds an endpoint asks to wait; a date is relative to the endpoint's own clock."""
    given = headers.get("retry-after", "").strip()
    try:
        seconds = float(given)
    except ValueError:
        try:
            later, now = (parsedate_to_datetime(date) for date in (given, headers.get("date", "")))
            seconds = (later - now).total_seconds()
        except (ValueError, TypeError):
            return None
    return max(0.0, seconds) if math.isfinite(seconds) else None


def explanation(body: bytes) -> str:
    """The message in the body of an error response, on one line; empty for a web page."""
    text = body.decode("utf-8", "replace")
    try:
        text = _message(json.loads(text))
    except (ValueError, RecursionError):
        if text.lstrip().startswith("<"):
            return ""
    line = re.sub(r"\s+", " ", "".join(c if c.isprintable() else " " for c in text)).strip()
    return line if len(line) <= SAID_LENGTH else f"{line[:SAID_LENGTH]}…"


def _message(body: Any) -> str:
    """The message in any of the forms in which endpoints report errors."""
    if isinstance(body, str):
        return body
    if isinstance(body, list):
        return "; ".join(filter(None, map(_message, body[:3])))
    if isinstance(body, dict):
        return next(
            filter(None, (_message(body.get(key)) for key in ("error", "message", "detail", "msg"))), ""
        )
    return ""


def with_full_stop(said: str) -> str:
    """The text as a sentence, so that another can follow it."""
    return said if said.endswith((".", "!", "?", "…", "。", "！", "？")) else f"{said}."


def _with(sentence: str, said: str) -> str:
    return with_full_stop(f"{sentence}: {said}" if said else sentence)


def _explained(error: LlmUnavailable, said: str) -> LlmUnavailable:
    if said and error.details is not None:
        error.details["said"] = said
    return error
