"""The definition of an operation, and the only way to run one, which every door uses."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar, get_type_hints

from pydantic import BaseModel, ValidationError

from fabula.call import Call
from fabula.errors import FabulaError, InternalError, NotFound
from fabula.model.account import Role
from fabula.model.parsing import invalid_input, parsed
from fabula.model.wire import Id, Value
from fabula.operations.access import require

ResponseT = TypeVar("ResponseT")
AnswerT = TypeVar("AnswerT", bound=BaseModel)
RequestT = TypeVar("RequestT", bound=Value)

# The audience of the response: the author, who may see everything; a model, which must not learn secrets; or
# the operator of the server.
Audience = Literal["author", "model", "operator"]

log = logging.getLogger("fabula.calls")

_OPAQUE = re.compile(r"[A-Za-z0-9._:-]{1,128}")


class NoFields(Value):
    """A request without fields."""


class StoryRequest(Value):
    """A request about one story."""

    project_id: str


class Request(Value, Generic[AnswerT]):
    """A request about one story, with the type of its response."""

    project_id: Id


@dataclass(frozen=True, slots=True)
class Operation(Generic[RequestT, ResponseT]):
    """Something that can be asked of Fabula, through any door.

    Its name is `noun.verb`. The caller needs `role` in the story that the request names; an operation
    without a role concerns no story or checks access itself. If it `begins` a story, anyone may call it
    for an id that does not exist. Some operations are also a channel.
    """

    name: str
    request: type[RequestT]
    response: Any
    run: Callable[[Call, RequestT], ResponseT]
    role: Role | None
    channel: str | None = None
    begins: bool = False
    audience: Audience = "author"

    def __call__(self, call: Call, request: RequestT | None = None, /, **fields: Any) -> ResponseT:
        """Run it for an already admitted caller, with a request or its fields."""
        return self.run(call, self.parse(fields) if request is None else request)

    def parse(self, payload: Any) -> RequestT:
        """Validate a payload as a request; InvalidInput if it is not valid."""
        return parsed(self.request, payload)

    @property
    def writes(self) -> bool:
        """Whether it changes the story."""
        return self.role in (Role.EDITOR, Role.OWNER)

    @property
    def summary(self) -> str:
        """The first line of its docstring."""
        return (self.run.__doc__ or "").strip().splitlines()[0]


def operation(
    name: str,
    *,
    role: Role | None,
    channel: str | None = None,
    begins: bool = False,
    audience: Audience = "author",
) -> Callable[[Callable[[Call, RequestT], ResponseT]], Operation[RequestT, ResponseT]]:
    """Turn a function into an operation, with request and response types from its annotations."""

    def named(run: Callable[[Call, RequestT], ResponseT]) -> Operation[RequestT, ResponseT]:
        hints = get_type_hints(run, include_extras=True)
        response = hints.pop("return")
        _, request = hints.values()
        return Operation(name, request, response, run, role, channel, begins, audience)

    return named


def run(operation: Operation[RequestT, ResponseT], call: Call, given: RequestT | Any) -> ResponseT:
    """Run an operation for a caller, with a request or the plain data of one.

    Every door uses this: it checks access, logs refusals, and hides the details of internal errors.
    """
    asked = given
    try:
        asked = given if isinstance(given, operation.request) else operation.parse(given)
        admit(call, operation, getattr(asked, "project_id", None))
        answer = operation.run(call, asked)
        call.meters.operations.add("answered")
        return answer
    except FabulaError as error:
        call.meters.operations.add("refused")
        log_refusal(operation, asked, error)
        raise
    except ValidationError as error:
        # Some operations build another operation's request, whose rules may be stricter.
        call.meters.operations.add("refused")
        refusal = invalid_input(error)
        log_refusal(operation, asked, refusal)
        raise refusal from error
    except Exception as error:
        call.meters.operations.add("failed")
        log.exception("failed", extra={**_named(operation), "code": InternalError.code})
        raise InternalError("Something went wrong inside Fabula.") from error


def admit(call: Call, operation: Operation[Any, Any], project_id: str | None) -> None:
    """Refuse a caller without the required role; anyone may write to a story that they begin."""
    if operation.role is None or project_id is None:
        return
    try:
        require(call, project_id, operation.role)
    except NotFound:
        if not operation.begins:
            raise


def log_refusal(operation: Operation[Any, Any] | None, asked: Any, error: FabulaError) -> None:
    """Log a refused call with codes and ids, but no text of the story."""
    if isinstance(asked, Mapping):
        given = asked.get("projectId", asked.get("project_id"))
    else:
        given = getattr(asked, "project_id", None)
    log.warning(
        "refused",
        extra={
            **_named(operation),
            "code": error.code,
            # A caller may send a title as an id, so only opaque ids are logged.
            "projectId": given if isinstance(given, str) and _OPAQUE.fullmatch(given) else None,
            "reason": (error.details or {}).get("reason"),
        },
    )


def _named(operation: Operation[Any, Any] | None) -> dict[str, str | None]:
    if operation is None:
        return {"operation": None, "channel": None}
    return {"operation": operation.name, "channel": operation.channel}
