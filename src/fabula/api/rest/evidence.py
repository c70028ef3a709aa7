"""`/stories/{storyId}/evidence`: the quotations that facts rest on."""

from __future__ import annotations

from fabula.api.rest.route import Route, routes
from fabula.operations.evidence import attach_evidence, list_evidence

router = routes(
    "/stories/{storyId}",
    "evidence",
    (
        Route("GET", "/evidence", list_evidence),
        Route("POST", "/evidence", attach_evidence, status=201),
    ),
)
