"""`/stories`: create, list, read, change, delete."""

from __future__ import annotations

from fabula.api.rest.route import Route, routes
from fabula.model.story import Story
from fabula.operations import stories
from fabula.operations.import_export.duplicating import duplicate_story
from fabula.operations.name_covers import list_covers
from fabula.operations.overview import StoryOverview, overview

router = routes(
    "/stories",
    "stories",
    (
        Route("POST", "", stories.create_story, status=201),
        Route("GET", "", stories.list_stories, pages=Story),
        Route("GET", "/{storyId}", stories.read_story),
        Route("PATCH", "/{storyId}", stories.update_story, body="patch"),
        Route("GET", "/{storyId}/covers", list_covers),
        Route("POST", "/{storyId}/duplicate", duplicate_story, status=201),
        Route("DELETE", "/{storyId}", stories.delete_story),
    ),
)
overview_router = routes("/overview", "stories", (Route("GET", "", overview, pages=StoryOverview),))
