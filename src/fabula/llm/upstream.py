"""The interface of a model's endpoint for clients that speak its protocol themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from typing import Any, Protocol, Self, runtime_checkable

from fabula.llm.cancel_token import CancelToken

# The names endpoints use for a model's context window.
_WINDOWS = ("loaded_context_length", "max_model_len", "context_length", "context_window", "n_ctx")


class UpstreamAnswer(AbstractContextManager["UpstreamAnswer"], Protocol):
    """An answer of the endpoint that has started; leaving the context closes it."""

    @property
    def status(self) -> int:
        """The HTTP status."""

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers, with case-insensitive names."""

    @property
    def is_events(self) -> bool:
        """Whether the body is a stream of server-sent events."""

    def __enter__(self) -> Self:
        """The answer itself."""

    def chunks(self) -> Iterator[bytes]:
        """The body as it arrives."""

    def read(self, limit: int) -> bytes:
        """The whole body; LlmUnavailable if it exceeds the limit."""

    def beginning(self) -> bytes:
        """The first part of an error response."""

    def close(self) -> None:
        """Close the connection."""


@runtime_checkable
class Upstream(Protocol):
    """A model's endpoint that forwards requests and answers unchanged."""

    def chosen(self) -> str:
        """The name of the model to use; LlmUnavailable if the settings name none."""

    def listed(self, *, is_hasty: bool = False) -> tuple[dict[str, Any], ...]:
        """The models at the endpoint with their metadata; if `is_hasty`, with a short time limit."""

    def window(self) -> int | None:
        """The model's context window in tokens; None if unknown."""

    def takes_any_order(self) -> bool:
        """Whether the model accepts messages in any order, as far as known."""

    def wants_strict_order(self) -> None:
        """Remember that the model wants one system message, first."""

    def pass_on(self, content: bytes, cancel_token: CancelToken) -> UpstreamAnswer:
        """The answer to a chat completions request, whatever its status; LlmUnavailable if there is none."""

    def without_key(self, said: str) -> str:
        """The endpoint's message with the key masked, which it may repeat."""

    def shows_key(self, said: str) -> bool:
        """Whether a text contains the key, and not by chance."""


def told_window(listed: tuple[dict[str, Any], ...], model: str) -> int | None:
    """The context window of a model, from the endpoint's list of models."""
    for described in listed:
        if described.get("id") == model:
            meta = described.get("meta")
            known = {**(meta if isinstance(meta, dict) else {}), **described}
            sizes = [known[name] for name in _WINDOWS if isinstance(known.get(name), int)]
            return next((size for size in sizes if size > 0), None)
    return None
