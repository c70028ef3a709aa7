"""Who may do what with which story: asked at every door before an operation runs."""

from __future__ import annotations

from typing import Any

from fabula.call import Call
from fabula.errors import NotFound
from fabula.model.account import LOCAL, Identity, Role, local
from fabula.operations.table import Operation, Request

__all__ = ["LOCAL", "Identity", "Role", "admit", "local", "require"]


def require(call: Call, project_id: str, role: Role) -> None:
    """Refuse a caller whose role is too low: NotFound without such a story, else Forbidden."""
    user_id = call.identity.user_id
    if user_id is None:
        return
    with call.store.read() as reader:
        reader.accounts.require(user_id, project_id, role)


def admit(call: Call, operation: Operation[Any], request: Request[Any]) -> None:
    """Refuse a caller who may not ask this of the story; who begins a story may write in it."""
    try:
        require(call, request.project_id, Role.EDITOR if operation.writes else Role.READER)
    except NotFound:
        if not operation.begins:
            raise
