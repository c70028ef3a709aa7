"""`/stories/{storyId}/embeddings`: the vectors of a story's texts."""

from __future__ import annotations

from fastapi import APIRouter

from fabula.api.rest.caller import Caller
from fabula.model.job import Job
from fabula.operations.search import embedding
from fabula.operations.search.embedding import EmbeddingStatus
from fabula.operations.table import StoryRequest

router = APIRouter(prefix="/stories/{storyId}", tags=["search"])


@router.get("/embeddings")
def status(call: Caller, storyId: str) -> EmbeddingStatus:
    """Say which model makes the vectors of a story, and whether they are up to date."""
    return embedding.embedding_status(call, StoryRequest(project_id=storyId))


@router.post("/embeddings", status_code=202)
def start(call: Caller, storyId: str) -> Job:
    """Make the vectors of all texts that have none, in the background."""
    return embedding.start_embedding(call, StoryRequest(project_id=storyId))
