"""What an operation works with: the open memory, its limits and its clock, and who is asking."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from fabula.errors import LlmUnavailable
from fabula.index.cache import StoryIndexes
from fabula.index.deadline import Deadline
from fabula.jobs.board import JobBoard
from fabula.llm.cancel_token import CancelToken
from fabula.llm.rate import MeteredChatModel, MeteredUpstream
from fabula.meters import Meters
from fabula.model.account import Identity
from fabula.model.clock import Clock
from fabula.model.story import Limits
from fabula.projections.meaning import NO_MEANING, Meaning
from fabula.projections.mirror import Mirror
from fabula.store.store import Store
from fabula.tokens import TokenCounter, counter


@dataclass(frozen=True, slots=True)
class Call:
    """What an operation works with: the house, and who is asking."""

    store: Store
    indexes: StoryIndexes
    limits: Limits
    clock: Clock
    token_model: str
    jobs: JobBoard
    identity: Identity
    chat: MeteredChatModel | None = None
    upstream: MeteredUpstream | None = None
    meaning: Meaning = NO_MEANING
    import_dir: Path | None = None
    mirror: Mirror | None = None
    meters: Meters = field(default_factory=Meters)

    @property
    def actor(self) -> str:
        """Who is asking, as the change log names them."""
        return self.identity.id

    @property
    def tokens(self) -> TokenCounter:
        """The counter of the story's model; its vocabulary is loaded when first asked for."""
        return counter(self.token_model)

    def model(self) -> MeteredChatModel:
        """The language model, every use of it counted for the caller; LlmUnavailable if there is none."""
        if self.chat is None:
            raise _no_model()
        return self.chat

    def cancelled_by(self, cancel_token: CancelToken) -> Call:
        """The same call, whose requests to the language model end when the token is cancelled."""
        return self if self.chat is None else replace(self, chat=self.chat.cancelled_by(cancel_token))

    def endpoint(self) -> MeteredUpstream:
        """The language model's endpoint for those who speak its protocol; LlmUnavailable if there is none."""
        if self.upstream is None:
            raise _no_model()
        return self.upstream

    def deadline(self) -> Deadline:
        """The deadline of a query that begins now."""
        return Deadline(self.clock.monotonic, self.limits.query_timeout_ms)


def _no_model() -> LlmUnavailable:
    return LlmUnavailable(
        "No language model is set up.",
        details={"reason": "not_configured"},
        suggestion="Set FABULA_LLM_BASE_URL to the address of an OpenAI-compatible server, "
        "and FABULA_LLM_MODEL.",
    )
