"""`/stories/{storyId}/checks` and `/waivers`: what the rules find in the story, and what is intended."""

from __future__ import annotations

from fabula.api.rest.route import Route, routes
from fabula.model.waiver import Waiver
from fabula.operations.checks import story, waivers, with_model
from fabula.operations.checks.values import KnowledgeChecksRunResponse

router = routes(
    "/stories/{storyId}",
    "checks",
    (
        Route("POST", "/checks", story.run_checks, optional_body=True),
        Route("GET", "/checks", story.newest_checks, answers=KnowledgeChecksRunResponse),
        Route("POST", "/checks/{findingId}/fix", story.fix_finding),
        Route("GET", "/checks/model", with_model.model_checks_price),
        Route("POST", "/checks/model", with_model.check_with_model, optional_body=True),
        Route("GET", "/waivers", waivers.list_waivers),
        Route("POST", "/waivers", waivers.create_waiver, status=201, answers=Waiver),
        Route("DELETE", "/waivers/{waiverId}", waivers.delete_waiver, status=204, renamed={"waiverId": "id"}),
    ),
)
