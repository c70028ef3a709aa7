"""`/stories/{storyId}/search`: search a story; `/embeddings`: the embeddings of its texts."""

from __future__ import annotations

from fabula.api.rest.route import Route, routes
from fabula.operations.search import embedding
from fabula.operations.search.search import search_story

router = routes(
    "/stories/{storyId}",
    "search",
    (
        Route("GET", "/search", search_story),
        Route("GET", "/embeddings", embedding.embedding_status, name="status"),
        Route("POST", "/embeddings", embedding.start_embedding, status=202, name="start"),
    ),
)
