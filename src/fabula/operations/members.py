"""The members of a story: who may do what with it."""

from __future__ import annotations

from fabula.call import Call
from fabula.model.account import Member, Role
from fabula.model.wire import Value
from fabula.store.accounts import AccountWriter
from fabula.store.failures import repeatable


class MemberPut(Value):
    """The role a user is to have."""

    role: Role


class Members(Value):
    """Everybody who may do something with a story, by name."""

    members: tuple[Member, ...]


def list_members(call: Call, project_id: str) -> Members:
    """List the members of a story."""
    with call.store.read() as reader:
        reader.story(project_id)
        return Members(members=reader.accounts.members_of(project_id))


def read_member(call: Call, project_id: str, user_name: str) -> Member:
    """Read what one user may do with a story."""
    with call.store.read() as reader:
        reader.story(project_id)
        return reader.accounts.member(project_id, reader.accounts.user_named(user_name))


@repeatable
def put_member(call: Call, project_id: str, user_name: str, request: MemberPut) -> Member:
    """Give a user a role in a story, instead of the one they may have."""
    with call.store.write_accounts() as accounts:
        _require_owner(call, accounts, project_id)
        user = accounts.user_named(user_name)
        accounts.put_member(project_id, user.id, request.role, call.clock.now())
        return accounts.member(project_id, user)


@repeatable
def remove_member(call: Call, project_id: str, user_name: str) -> None:
    """Take a user's role in a story away."""
    with call.store.write_accounts() as accounts:
        _require_owner(call, accounts, project_id)
        user = accounts.user_named(user_name)
        accounts.member(project_id, user)
        accounts.remove_member(project_id, user.id)


def _require_owner(call: Call, accounts: AccountWriter, project_id: str) -> None:
    """Asked inside the transaction: two owners may be changing each other's roles at this moment."""
    accounts.require_story(project_id)
    if call.identity.user_id is not None:
        accounts.require(call.identity.user_id, project_id, Role.OWNER)
