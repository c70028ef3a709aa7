"""`/stories/{storyId}/members`: who may do what with a story."""

from __future__ import annotations

from fabula.api.rest.route import Route, routes
from fabula.operations import members

router = routes(
    "/stories/{storyId}/members",
    "members",
    (
        Route("GET", "", members.list_members),
        Route("GET", "/{userName}", members.read_member),
        Route("PUT", "/{userName}", members.put_member),
        Route("DELETE", "/{userName}", members.remove_member),
    ),
)
