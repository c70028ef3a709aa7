"""`/stories/{storyId}/members`: who may do what with a story."""

from __future__ import annotations

from fastapi import APIRouter, Response

from fabula.api.rest.caller import OWNING, Caller
from fabula.model.account import Member
from fabula.operations import members
from fabula.operations.members import MemberRequest, Members, PutMemberRequest
from fabula.operations.table import StoryRequest

router = APIRouter(prefix="/stories/{storyId}/members", tags=["members"])


@router.get("")
def list_members(call: Caller, storyId: str) -> Members:
    """List the members of a story, by name."""
    return members.list_members(call, StoryRequest(project_id=storyId))


@router.get("/{userName}")
def read_member(call: Caller, storyId: str, userName: str) -> Member:
    """Read what one user may do with a story."""
    return members.read_member(call, MemberRequest(project_id=storyId, user_name=userName))


@router.put("/{userName}", dependencies=[OWNING])
def put_member(call: Caller, storyId: str, userName: str, request: PutMemberRequest) -> Member:
    """Give a user a role in a story, instead of the one they may have."""
    return members.put_member(call, PutMemberRequest(project_id=storyId, user_name=userName, **dict(request)))


@router.delete("/{userName}", status_code=204, dependencies=[OWNING])
def remove_member(call: Caller, storyId: str, userName: str) -> Response:
    """Take a user's role in a story away; the last owner stays."""
    members.remove_member(call, MemberRequest(project_id=storyId, user_name=userName))
    return Response(status_code=204)
