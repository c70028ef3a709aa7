"""What an operation is, and the one way to run it that every door uses."""

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

# Who reads the answer: the author, who may see everything, or a model, which is told no secrets. What an
# operator asks concerns the whole server and is for whoever keeps its database.
Audience = Literal["author", "model", "operator"]

log = logging.getLogger("fabula.calls")

_OPAQUE = re.compile(r"[A-Za-z0-9._:-]{1,128}")


class NoFields(Value):
    """A question that needs no words."""


class StoryRequest(Value):
    """A question about one story."""

    project_id: str


class Request(Value, Generic[AnswerT]):
    """A question about one story that knows the type of its answer."""

    project_id: Id


@dataclass(frozen=True, slots=True)
class Operation(Generic[RequestT, ResponseT]):
    """Something that can be asked of Fabula, whichever door the question comes through.

    Its name is `noun.verb`. A caller needs the role in the story that the request names; an operation
    without a role is about no story, or looks after its callers itself. One that `begins` a story may be
    asked by anybody where there is none of this id. Some are a channel, too.
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
        """Run it for a caller who was admitted already, with a request or the fields of one."""
        return self.run(call, self.parse(fields) if request is None else request)

    def parse(self, payload: Any) -> RequestT:
        """The payload as a request; InvalidInput if it is none."""
        return parsed(self.request, payload)

    @property
    def writes(self) -> bool:
        """Whether it changes the story."""
        return self.role in (Role.EDITOR, Role.OWNER)

    @property
    def summary(self) -> str:
        """What it does, in one sentence."""
        return (self.run.__doc__ or "").strip().splitlines()[0]


def operation(
    name: str,
    *,
    role: Role | None,
    channel: str | None = None,
    begins: bool = False,
    audience: Audience = "author",
) -> Callable[[Callable[[Call, RequestT], ResponseT]], Operation[RequestT, ResponseT]]:
    """Make an operation of a function; its request and its response are those of the annotations."""

    def named(run: Callable[[Call, RequestT], ResponseT]) -> Operation[RequestT, ResponseT]:
        hints = get_type_hints(run, include_extras=True)
        response = hints.pop("return")
        _, request = hints.values()
        return Operation(name, request, response, run, role, channel, begins, audience)

    return named


def run(operation: Operation[RequestT, ResponseT], call: Call, given: RequestT | Any) -> ResponseT:
    """Run an operation for a caller who may, with a request or with plain data that is to become one.

    Every door comes through here: refusals are logged, and faults are told without their inside.
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
        # Some operations make of a request the one of another, whose rules may be stricter.
        call.meters.operations.add("refused")
        refusal = invalid_input(error)
        log_refusal(operation, asked, refusal)
        raise refusal from error
    except Exception as error:
        call.meters.operations.add("failed")
        log.exception("failed", extra={**_named(operation), "code": InternalError.code})
        raise InternalError("Something went wrong inside Fabula.") from error


def admit(call: Call, operation: Operation[Any, Any], project_id: str | None) -> None:
    """Refuse a caller who may not ask this of the story; who begins a story may write in it."""
    if operation.role is None or project_id is None:
        return
    try:
        require(call, project_id, operation.role)
    except NotFound:
        if not operation.begins:
            raise


def log_refusal(operation: Operation[Any, Any] | None, asked: Any, error: FabulaError) -> None:
    """Write one structured record for a refused call: codes and ids, no text of the story."""
    if isinstance(asked, Mapping):
        given = asked.get("projectId", asked.get("project_id"))
    else:
        given = getattr(asked, "project_id", None)
    log.warning(
        "refused",
        extra={
            **_named(operation),
            "code": error.code,
            # What a caller calls an id may be a title; only what cannot be read as one is told.
            "projectId": given if isinstance(given, str) and _OPAQUE.fullmatch(given) else None,
            "reason": (error.details or {}).get("reason"),
        },
    )


def _named(operation: Operation[Any, Any] | None) -> dict[str, str | None]:
    if operation is None:
        return {"operation": None, "channel": None}
    return {"operation": operation.name, "channel": operation.channel}
