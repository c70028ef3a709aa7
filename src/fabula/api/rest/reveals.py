"""`/stories/{storyId}/reveals`: entities that turn out to be one."""

from __future__ import annotations

from fabula.api.rest.route import Route, routes
from fabula.model.reveal import Reveal
from fabula.operations import reveals
from fabula.operations.reveal_foresight import what_if

_ONE = "/{revealId}"
_ID = {"revealId": "id"}

router = routes(
    "/stories/{storyId}/reveals",
    "reveals",
    (
        Route("GET", "", reveals.list_reveals),
        Route("POST", "", reveals.create_reveal, status=201, answers=Reveal),
        Route("PUT", _ONE, reveals.update_reveal, renamed=_ID, answers=Reveal),
        Route("DELETE", _ONE, reveals.delete_reveal, renamed=_ID),
        Route("POST", f"{_ONE}/what-if", what_if, renamed=_ID),
    ),
)
