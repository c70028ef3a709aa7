"""`/stories`: begin, list, read, change, delete."""

from __future__ import annotations

from fastapi import APIRouter

from fabula.api.rest.caller import OWNING, Caller
from fabula.api.rest.paging import PageNumber, PageSize, RestPage, page_of
from fabula.model.story import Story
from fabula.operations import name_covers as covers
from fabula.operations import stories
from fabula.operations.name_covers import NameCovers
from fabula.operations.stories import (
    CreateStoryRequest,
    NoFields,
    StoryDeleted,
    StoryPatch,
    UpdateStoryRequest,
)
from fabula.operations.table import StoryRequest

router = APIRouter(prefix="/stories", tags=["stories"])


@router.post("", status_code=201)
def create_story(call: Caller, request: CreateStoryRequest) -> Story:
    """Begin a story."""
    return stories.create_story(call, CreateStoryRequest(**dict(request)))


@router.get("")
def list_stories(call: Caller, page: PageNumber = 0, size: PageSize = 20) -> RestPage[Story]:
    """List stories, the one changed last first."""
    return page_of(stories.list_stories(call, NoFields()), page, size)


@router.get("/{storyId}")
def read_story(call: Caller, storyId: str) -> Story:
    """Read a story's own fields."""
    return stories.read_story(call, StoryRequest(project_id=storyId))


@router.patch("/{storyId}")
def update_story(call: Caller, storyId: str, patch: StoryPatch) -> Story:
    """Change a story's own fields."""
    return stories.update_story(call, UpdateStoryRequest(project_id=storyId, patch=patch))


@router.get("/{storyId}/covers")
def list_covers(call: Caller, storyId: str) -> NameCovers:
    """List the open names in which a hidden one stands, and whether each is told."""
    return covers.list_covers(call, StoryRequest(project_id=storyId))


@router.delete("/{storyId}", dependencies=[OWNING])
def delete_story(call: Caller, storyId: str) -> StoryDeleted:
    """Delete a story with everything in it, history included."""
    return stories.delete_story(call, StoryRequest(project_id=storyId))
