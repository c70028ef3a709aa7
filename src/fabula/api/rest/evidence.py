"""`/stories/{storyId}/evidence`: the quotations that facts rest on, and the facts that have lost theirs."""

from __future__ import annotations

from fabula.api.rest.route import Route, routes
from fabula.operations.evidence import attach_evidence, detach_evidence, list_evidence
from fabula.operations.stale import list_stale, resolve_stale

router = routes(
    "/stories/{storyId}",
    "evidence",
    (
        Route("GET", "/evidence", list_evidence),
        Route("POST", "/evidence", attach_evidence, status=201),
        Route("DELETE", "/evidence/{id}", detach_evidence),
        Route("GET", "/stale", list_stale),
        Route("POST", "/stale/resolve", resolve_stale),
    ),
)
