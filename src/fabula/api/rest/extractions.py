"""`/stories/{storyId}/extract-entities` and `/extractions`: what was found in a text, and its review."""

from __future__ import annotations

from typing import Any

from fabula.api.rest.route import Route, routes
from fabula.errors import RateLimited
from fabula.model.job import TaskAccepted
from fabula.operations.manuscript import all_scenes, open_questions
from fabula.operations.proposals import extraction, review, uses
from fabula.operations.proposals.values import Extraction

_LATER: dict[int | str, dict[str, Any]] = {RateLimited.status: {}, 202: {"model": TaskAccepted}}

router = routes(
    "/stories/{storyId}",
    "extraction",
    (
        Route(
            "POST",
            "/extract-entities",
            extraction.look_through,
            name="extract_entities",
            status_of=lambda found: 202 if isinstance(found, TaskAccepted) else 200,
            described={"responses": _LATER},
        ),
        Route("POST", "/read-scenes", all_scenes.read_all_scenes, status=202),
        Route("GET", "/extractions", extraction.list_extractions, pages=Extraction),
        Route("POST", "/extractions", extraction.propose_extractions),
        Route("POST", "/extractions/review", review.review_extractions, body="decision"),
        Route("GET", "/extractions/uses", uses.list_proposal_uses),
        Route("GET", "/extractions/questions", open_questions.list_open_questions),
        Route("POST", "/extractions/questions", open_questions.ask_open_questions, status=202),
        Route("GET", "/extractions/{extractionId}", extraction.read_extraction),
        Route("PUT", "/extractions/{extractionId}/review", review.review_extraction, body="decision"),
    ),
)
