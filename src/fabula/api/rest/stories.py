"""`/stories`: begin, list, read, change, delete."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from fabula.api.rest.paging import RestPage, page_of
from fabula.memory import Memory
from fabula.model.story import Story
from fabula.operations import stories
from fabula.operations.stories import StoryCreate, StoryDeleted, StoryPatch

PageNumber = Annotated[int, Query(ge=0, le=1_000_000)]
PageSize = Annotated[int, Query(ge=1, le=1000)]


def story_routes(memory: Memory) -> APIRouter:
    """The routes of stories."""
    router = APIRouter(tags=["stories"])

    @router.post("/stories", status_code=201)
    def create_story(request: StoryCreate) -> Story:
        """Begin a story."""
        return stories.create_story(memory.call(), request)

    @router.get("/stories")
    def list_stories(page: PageNumber = 0, size: PageSize = 20) -> RestPage[Story]:
        """List stories, the one changed last first."""
        return page_of(stories.list_stories(memory.call()), page, size)

    @router.get("/stories/{storyId}")
    def read_story(storyId: str) -> Story:
        """Read a story's own fields."""
        return stories.read_story(memory.call(), storyId)

    @router.patch("/stories/{storyId}")
    def update_story(storyId: str, patch: StoryPatch) -> Story:
        """Change a story's own fields."""
        return stories.update_story(memory.call(), storyId, patch)

    @router.delete("/stories/{storyId}")
    def delete_story(storyId: str) -> StoryDeleted:
        """Delete a story with everything in it, history included."""
        return stories.delete_story(memory.call(), storyId)

    return router
