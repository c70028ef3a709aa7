"""`/stories/{storyId}/history`: what was done, undo, redo."""

from __future__ import annotations

from fabula.api.rest.route import Route, routes
from fabula.model.history import HistoryStep
from fabula.operations import history

router = routes(
    "/stories/{storyId}/history",
    "history",
    (
        Route("GET", "", history.list_history, pages=HistoryStep, name="list_steps"),
        Route("POST", "/undo", history.undo, optional_body=True, name="undo_step"),
        Route("POST", "/redo", history.redo, optional_body=True, name="redo_step"),
    ),
)
