"""`/stories/{storyId}/threads`: what the reader was promised."""

from __future__ import annotations

from fabula.api.rest.route import Route, routes
from fabula.operations import threads

_ONE = "/{threadId}"
_ID = {"threadId": "id"}

router = routes(
    "/stories/{storyId}/threads",
    "threads",
    (
        Route("GET", "", threads.list_threads),
        Route("POST", "", threads.create_thread, status=201, answers=threads.StoryThread),
        Route("PUT", _ONE, threads.update_thread, renamed=_ID, body="patch", answers=threads.StoryThread),
        Route("DELETE", _ONE, threads.delete_thread, renamed=_ID),
        Route(
            "POST",
            f"{_ONE}/{{role}}",
            threads.mark_thread,
            status=201,
            renamed=_ID,
            answers=threads.StoryThread,
        ),
        Route(
            "DELETE",
            f"{_ONE}/points/{{pointId}}",
            threads.unmark_thread,
            renamed=_ID,
            answers=threads.StoryThread,
        ),
    ),
)
