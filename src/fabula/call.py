"""The environment of an operation: the open store, its limits and clock, and the caller."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from fabula.errors import LlmUnavailable
from fabula.index.cache import StoryIndexes
from fabula.index.deadline import Deadline
from fabula.jobs.board import JobBoard
from fabula.llm.cancel_token import CancelToken
from fabula.llm.kept_models import OneModel
from fabula.llm.rate import MeteredChatModel, MeteredUpstream
from fabula.llm.setup import ModelDesk, ModelTask
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
    """Everything an operation needs: store, indexes, limits, clock, language model, and who is calling."""

    store: Store
    indexes: StoryIndexes
    limits: Limits
    clock: Clock
    token_model: str
    jobs: JobBoard
    identity: Identity
    # The language model by task, metered for the caller; empty if none is configured.
    chats: Mapping[ModelTask, MeteredChatModel] = field(default_factory=dict)
    models: ModelDesk = field(default_factory=lambda: OneModel(None))
    upstream: MeteredUpstream | None = None
    meaning: Meaning = NO_MEANING
    import_dir: Path | None = None
    mirror: Mirror | None = None
    meters: Meters = field(default_factory=Meters)
    # The person from whose point of view an agent asks, by id, name or alias.
    pov: str | None = None
    # How many receipts of contexts are kept for each story; 0 for none.
    receipts: int = 0

    @property
    def actor(self) -> str:
        """The caller's id, as recorded in the change log."""
        return self.identity.id

    @property
    def tokens(self) -> TokenCounter:
        """The token counter for the story's model; its vocabulary is loaded on first use."""
        return counter(self.token_model)

    @property
    def chat(self) -> MeteredChatModel | None:
        """The language model that writes; None if none is configured."""
        return self.chats.get("write")

    def model(self, task: ModelTask = "write") -> MeteredChatModel:
        """Return the language model for a task; LlmUnavailable if none is configured."""
        found = self.chats.get(task)
        if found is None:
            raise _no_model()
        return found

    def cancelled_by(self, cancel_token: CancelToken) -> Call:
        """Return the same call with its language model requests ending when the token is cancelled."""
        return replace(
            self, chats={task: model.cancelled_by(cancel_token) for task, model in self.chats.items()}
        )

    def endpoint(self) -> MeteredUpstream:
        """Return the model's endpoint for pass-through requests; LlmUnavailable if none is configured."""
        if self.upstream is None:
            raise _no_model()
        return self.upstream

    def deadline(self) -> Deadline:
        """Return the deadline of a query that starts now."""
        return Deadline(self.clock.monotonic, self.limits.query_timeout_ms)


def _no_model() -> LlmUnavailable:
    return LlmUnavailable(
        "No language model is set up.",
        details={"reason": "not_configured"},
        suggestion="Set one up in the settings of the page, or set FABULA_LLM_BASE_URL to the address of an "
        "OpenAI-compatible server, and FABULA_LLM_MODEL.",
    )
