"""How commands run operations: as somebody who may open the database, and so may do everything."""

from __future__ import annotations

from typing import Any

from fabula.memory import Memory
from fabula.model.account import local
from fabula.operations.table import Operation, RequestT, ResponseT, run

keeper = local("cli")


def ask(memory: Memory, operation: Operation[RequestT, ResponseT], **fields: Any) -> ResponseT:
    """Run an operation with the fields of its request."""
    return run(operation, memory.call(keeper), fields)
