"""`/stories/{storyId}/conversations`: conversations that are kept with a story."""

from __future__ import annotations

from fabula.api.rest.route import Route, routes
from fabula.operations.chat import kept

router = routes(
    "/stories/{storyId}/conversations",
    "conversations",
    (
        Route("POST", "", kept.keep_conversation, status=201),
        Route("GET", "", kept.list_conversations, pages=kept.ConversationHeading),
        Route("GET", "/{conversationId}", kept.read_conversation),
        Route("PATCH", "/{conversationId}", kept.update_conversation, body="patch"),
        Route("DELETE", "/{conversationId}", kept.delete_conversation),
        Route("POST", "/{conversationId}/fork", kept.fork_conversation, status=201, optional_body=True),
    ),
)
