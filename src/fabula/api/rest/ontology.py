"""`/stories/{storyId}/ontology`: the types of a story, and the schema of bundles for it."""

from __future__ import annotations

from fabula.api.rest.route import Route, routes
from fabula.operations import ontology
from fabula.operations.bundles.bundles import get_knowledge_schema

router = routes(
    "/stories/{storyId}",
    "ontology",
    (
        Route("GET", "/ontology", ontology.read_story_ontology, name="read_ontology"),
        Route("PUT", "/ontology", ontology.write_story_ontology, name="put_ontology"),
        Route("GET", "/knowledge-schema", get_knowledge_schema, name="read_schema"),
    ),
)
