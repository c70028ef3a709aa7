"""`/stories/{storyId}/context`: what a model is told, and why; `/names`, `/check`: its words."""

from __future__ import annotations

from fabula.api.rest.route import Route, routes
from fabula.operations import context
from fabula.operations.checks import check_passage
from fabula.operations.vocabulary import list_names, read_name

router = routes(
    "/stories/{storyId}",
    "context",
    (
        Route("GET", "/context/preview", context.preview_context, name="preview"),
        Route("POST", "/context/assemble", context.assemble_context, name="assemble"),
        Route("GET", "/names", list_names),
        Route("GET", "/names/{nameId}", read_name),
        Route("POST", "/check", check_passage, name="check"),
    ),
)
