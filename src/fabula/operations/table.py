"""An operation: what is asked, what is answered, and the function between."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

from fabula.call import Call
from fabula.model.parsing import parsed
from fabula.model.wire import Id, Value

ResponseT = TypeVar("ResponseT", bound=BaseModel)


class Request(Value, Generic[ResponseT]):
    """A question about one story, which knows the type of its answer."""

    project_id: Id


RequestT = TypeVar("RequestT", bound=Request[Any])


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
