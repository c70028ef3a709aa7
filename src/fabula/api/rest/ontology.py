"""`/stories/{storyId}/ontology`: the types of a story, and what a bundle for it must be like."""

from __future__ import annotations

from fastapi import APIRouter

from fabula.api.rest.caller import Caller
from fabula.model.bounds import Version
from fabula.model.wire import Text, Value
from fabula.operations.bundles.bundles import get_knowledge_schema
from fabula.operations.bundles.values import (
    KnowledgeBundleSchemaRequest,
    KnowledgeBundleSchemaResponse,
)
from fabula.operations.ontology import (
    KnowledgeOntologyReadRequest,
    KnowledgeOntologyReadResponse,
    KnowledgeOntologyWriteRequest,
    KnowledgeOntologyWriteResponse,
    read_story_ontology,
    write_story_ontology,
)

router = APIRouter(prefix="/stories/{storyId}", tags=["ontology"])


class OntologyPut(Value):
    """The ontology that a story is to have, as YAML or JSON; null is that of fiction."""

    text: Text | None
    expected_version: Version | None = None
    dry_run: bool = False


@router.get("/ontology")
def read_ontology(call: Caller, storyId: str) -> KnowledgeOntologyReadResponse:
    """Show which types of entities and relations a story has."""
    return read_story_ontology.run(call, KnowledgeOntologyReadRequest(project_id=storyId))


@router.put("/ontology")
def put_ontology(call: Caller, storyId: str, request: OntologyPut) -> KnowledgeOntologyWriteResponse:
    """Give a story another ontology, and say what no longer fits; nothing is dropped."""
    return write_story_ontology.run(call, KnowledgeOntologyWriteRequest(project_id=storyId, **dict(request)))


@router.get("/knowledge-schema")
def read_schema(call: Caller, storyId: str) -> KnowledgeBundleSchemaResponse:
    """Show what a bundle for the story must be like, with an example that can be imported."""
    return get_knowledge_schema.run(call, KnowledgeBundleSchemaRequest(project_id=storyId))
