"""Who is asking, and whether they may: the call that every route works with."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from fabula.api.authentication import identity_of
from fabula.call import Call
from fabula.memory import Memory
from fabula.operations.access import Role, require


async def _reading() -> None:
    """Marks a route that only reads, whatever its method."""


async def _owning() -> None:
    """Marks a route that is for owners of the story."""


READING = Depends(_reading)
OWNING = Depends(_owning)


def _caller(request: Request) -> Call:
    """The caller's call; whoever may not do this with the story of the address is refused."""
    memory: Memory = request.app.state.memory
    call = memory.call(identity_of(request.scope))
    story_id = request.path_params.get("storyId")
    if story_id is not None:
        require(call, story_id, _needed_role(request))
    return call


def _needed_role(request: Request) -> Role:
    marks = request.scope["route"].dependencies
    if OWNING in marks:
        return Role.OWNER
    return Role.READER if request.method in ("GET", "HEAD") or READING in marks else Role.EDITOR


# Given to every router of REST, so that a route cannot forget it; a route that names it asks only once.
ADMITTED = Depends(_caller)
Caller = Annotated[Call, ADMITTED]
