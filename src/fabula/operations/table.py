"""An operation: what is asked, what is answered, and the function between."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from fabula.errors import InvalidInput, LlmUnavailable
from fabula.index.cache import StoryIndexes
from fabula.index.deadline import Deadline
from fabula.llm.cancel_token import CancelToken
from fabula.llm.rate import MeteredChatModel, MeteredUpstream
from fabula.meters import Meters
from fabula.model.account import Identity
from fabula.model.clock import Clock
from fabula.model.story import Limits
from fabula.model.wire import Id, Value
from fabula.operations.finding.meaning import NO_MEANING, Meaning
from fabula.operations.working.jobs import JobBoard
from fabula.projections.mirror import Mirror
from fabula.store.store import Store
from fabula.tokens import TokenCounter, counter

SHOWN_ERRORS = 50

ResponseT = TypeVar("ResponseT", bound=BaseModel)
ModelT = TypeVar("ModelT", bound=BaseModel)


class Request(Value, Generic[ResponseT]):
    """A question about one story, which knows the type of its answer."""

    project_id: Id


RequestT = TypeVar("RequestT", bound=Request[Any])


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


@dataclass(frozen=True, slots=True)
class Operation(Generic[ResponseT]):
    """One channel."""

    channel: str
    request: type[Request[ResponseT]]
    response: type[ResponseT]
    run: Callable[[Call, Any], ResponseT]
    writes: bool
    begins: bool

    @property
    def summary(self) -> str:
        """What the channel does, in one sentence."""
        return (self.run.__doc__ or "").strip().splitlines()[0]

    def parse(self, payload: Any) -> Request[ResponseT]:
        """The payload as a request; InvalidInput if it is none."""
        return parsed(self.request, payload)


def operation(
    channel: str,
    request: type[Request[ResponseT]],
    response: type[ResponseT],
    *,
    writes: bool,
    begins: bool = False,
) -> Callable[[Callable[[Call, Any], ResponseT]], Operation[ResponseT]]:
    """Name the channel of a function, say whether it changes the story and whether it may begin one."""

    def named(run: Callable[[Call, Any], ResponseT]) -> Operation[ResponseT]:
        return Operation(channel, request, response, run, writes, begins)

    return named


def parsed(model: type[ModelT], payload: Any) -> ModelT:
    """The payload as a value of a type; InvalidInput if it is none."""
    try:
        return model.model_validate(payload)
    except ValidationError as error:
        raise invalid_input(error) from error


def invalid_input(error: ValidationError) -> InvalidInput:
    """What is wrong with a request, field by field, without repeating what was sent."""
    return invalid_fields(error.errors(include_input=False, include_url=False, include_context=False))


def invalid_fields(problems: Sequence[Mapping[str, Any]]) -> InvalidInput:
    """The same for problems that were found elsewhere, each with `loc` and `msg`."""
    fields = [{"path": _path(p["loc"]), "message": _sentence(p["msg"])} for p in problems]
    first = fields[0]
    return InvalidInput(
        f"{first['path']}: {first['message']}" if first["path"] else str(first["message"]),
        details={"errors": fields[:SHOWN_ERRORS], "errorCount": len(fields)},
    )


def _path(location: tuple[int | str, ...]) -> str:
    path = ""
    for part in location:
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else part
    return path


def _sentence(message: str) -> str:
    return message.removeprefix("Value error, ")
