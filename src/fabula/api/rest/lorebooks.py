"""`/stories/{storyId}/lorebooks`: the lorebooks of a story."""

from __future__ import annotations

from fabula.api.rest.route import Route, routes
from fabula.canon.book_values import StoryLorebook
from fabula.operations.lorebook import books

_ONE = "/{bookId}"
_ID = {"bookId": "id"}

router = routes(
    "/stories/{storyId}/lorebooks",
    "lorebook",
    (
        Route("GET", "", books.list_books),
        Route("POST", "", books.create_book, status=201, answers=StoryLorebook),
        Route("GET", _ONE, books.read_book, renamed=_ID, answers=StoryLorebook),
        Route("PUT", _ONE, books.update_book, renamed=_ID, body="patch", answers=StoryLorebook),
        Route("DELETE", _ONE, books.delete_book, renamed=_ID),
    ),
)
