"""`/stories/{storyId}/context`: what a model is told, and why; `/names`, `/check`: the story's vocabulary."""

from __future__ import annotations

from fabula.api.rest.route import Route, routes
from fabula.operations import context, vocabulary
from fabula.operations.chat.messages import chat_context
from fabula.operations.chat.told import told_contexts
from fabula.operations.checks.passage import check_passage

router = routes(
    "/stories/{storyId}",
    "context",
    (
        Route("GET", "/context/preview", context.preview_context, name="preview"),
        Route(
            "POST",
            "/context/assemble",
            context.assemble_context,
            name="assemble",
            brief=lambda given: not given["body"].with_messages,
        ),
        Route("POST", "/context/chat", chat_context),
        Route("GET", "/context/told", told_contexts),
        Route("GET", "/names", vocabulary.list_names),
        Route("GET", "/names/{nameId}", vocabulary.read_name),
        Route("POST", "/check", check_passage, name="check"),
    ),
)
