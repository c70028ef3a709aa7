"""The endpoint of a model as those use it who speak its protocol themselves: asked in their own words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from fabula.llm.cancel_token import CancelToken

if TYPE_CHECKING:  # what speaks HTTP takes a tenth of a second to import
    from fabula.llm.endpoint import Answer

# How endpoints call the number of tokens that a model reads and writes in one call.
_WINDOWS = ("loaded_context_length", "max_model_len", "context_length", "context_window", "n_ctx")


@runtime_checkable
class Upstream(Protocol):
    """A model's endpoint that takes a request as it is and gives its answer as it is."""

    def chosen(self) -> str:
        """The name of the model that the settings mean; LlmUnavailable if they mean none."""

    def listed(self, *, is_hasty: bool = False) -> tuple[dict[str, Any], ...]:
        """The models of the endpoint, each with all that is said of it; in haste, or not at all."""

    def window(self) -> int | None:
        """How many tokens the model reads and writes in one call; None if nobody says."""

    def takes_any_order(self) -> bool:
        """Whether the model is not known to want one instruction only, at the beginning."""

    def wants_strict_order(self) -> None:
        """Note that it does."""

    def pass_on(self, content: bytes, cancel_token: CancelToken) -> Answer:
        """The answer to a chat completions request, whatever its status; LlmUnavailable if there is none."""

    def without_key(self, said: str) -> str:
        """What the endpoint said, without the key that it may repeat."""


def told_window(listed: tuple[dict[str, Any], ...], model: str) -> int | None:
    """The window of a model, as a list of models tells of it."""
    for described in listed:
        if described.get("id") == model:
            meta = described.get("meta")
            known = {**(meta if isinstance(meta, dict) else {}), **described}
            sizes = [known[name] for name in _WINDOWS if isinstance(known.get(name), int)]
            return next((size for size in sizes if size > 0), None)
    return None
