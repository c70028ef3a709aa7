"""Who may do what with which story."""

from __future__ import annotations

from fabula.call import Call
from fabula.model.account import LOCAL, Identity, Role, local

__all__ = ["LOCAL", "Identity", "Role", "local", "require"]


def require(call: Call, project_id: str, role: Role) -> None:
    """Raise NotFound if the caller cannot see the story, or Forbidden if their role is too low."""
    user_id = call.identity.user_id
    if user_id is None:
        return
    with call.store.read() as reader:
        reader.accounts.require(user_id, project_id, role)
