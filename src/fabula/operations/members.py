"""The members of a story and their roles."""

from __future__ import annotations

from fabula.call import Call
from fabula.model.account import Member, Role
from fabula.model.wire import Value
from fabula.operations.table import StoryRequest, operation
from fabula.store.accounts import AccountWriter
from fabula.store.failures import repeatable


class PutMemberRequest(StoryRequest):
    """A user and their new role."""

    user_name: str

    role: Role


class ListMembersResponse(Value):
    """All members of a story, by name."""

    members: tuple[Member, ...]


@operation("member.list", role=Role.READER)
def list_members(call: Call, request: StoryRequest) -> ListMembersResponse:
    """List the members of a story."""
    project_id = request.project_id
    with call.store.read() as reader:
        reader.story(project_id)
        return ListMembersResponse(members=reader.accounts.members_of(project_id))


class MemberRequest(StoryRequest):
    """A user and a story."""

    user_name: str


@operation("member.read", role=Role.READER)
def read_member(call: Call, request: MemberRequest) -> Member:
    """Read the role of a user in a story."""
    project_id, user_name = request.project_id, request.user_name
    with call.store.read() as reader:
        reader.story(project_id)
        return reader.accounts.member(project_id, reader.accounts.user_named(user_name))


@operation("member.put", role=Role.OWNER)
@repeatable
def put_member(call: Call, request: PutMemberRequest) -> Member:
    """Set the role of a user in a story."""
    project_id, user_name = request.project_id, request.user_name
    with call.store.write_accounts() as accounts:
        _require_owner(call, accounts, project_id)
        user = accounts.user_named(user_name)
        accounts.put_member(project_id, user.id, request.role, call.clock.now())
        return accounts.member(project_id, user)


@operation("member.remove", role=Role.OWNER)
@repeatable
def remove_member(call: Call, request: MemberRequest) -> None:
    """Remove a user from a story."""
    project_id, user_name = request.project_id, request.user_name
    with call.store.write_accounts() as accounts:
        _require_owner(call, accounts, project_id)
        user = accounts.user_named(user_name)
        accounts.member(project_id, user)
        accounts.remove_member(project_id, user.id)


def _require_owner(call: Call, accounts: AccountWriter, project_id: str) -> None:
    """Require the owner role within the transaction: two owners may change each other's roles at once."""
    accounts.require_story(project_id)
    if call.identity.user_id is not None:
        accounts.require(call.identity.user_id, project_id, Role.OWNER)
