"""Who is asking: the call that every route works with."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from fabula.memory import Memory
from fabula.operations.table import Call


def _caller(request: Request) -> Call:
    memory: Memory = request.app.state.memory
    return memory.call()


Caller = Annotated[Call, Depends(_caller)]
