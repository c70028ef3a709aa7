"""`/stories/{storyId}/knowings` and `/knowledge`: who knows what."""

from __future__ import annotations

from fabula.api.rest.route import Route, routes
from fabula.model.knowing import Knowing
from fabula.operations.knowledge import knowings, leaks, questions

_ONE = "/knowings/{knowingId}"
_ID = {"knowingId": "id"}

router = routes(
    "/stories/{storyId}",
    "knowledge",
    (
        Route("GET", "/knowings", knowings.list_knowings),
        Route("POST", "/knowings", knowings.create_knowing, status=201, answers=Knowing),
        Route("PUT", _ONE, knowings.update_knowing, renamed=_ID, answers=Knowing),
        Route("DELETE", _ONE, knowings.delete_knowing, status=204, renamed=_ID),
        Route("GET", "/knowledge", questions.knowledge_of),
        Route("GET", "/knowledge/of", questions.knowers_of),
        Route("POST", "/knowledge/chain", questions.knowledge_chain),
        Route("POST", "/knowledge/thoughts", questions.knowledge_thoughts),
        Route("GET", "/knowledge/irony", questions.dramatic_irony),
        Route("GET", "/knowledge/leaks", leaks.would_leak),
    ),
)
