"""The embeddings of a story: their status, and bringing them up to date."""

from __future__ import annotations

from fabula.call import Call
from fabula.errors import InvalidInput
from fabula.jobs.task import Task
from fabula.model.account import Role
from fabula.model.job import Job
from fabula.model.wire import Value
from fabula.operations.table import StoryRequest, operation
from fabula.projections.embeddings import bring_up_to_date
from fabula.projections.meaning import VectorMeaning
from fabula.projections.projection import ProjectionProgress

JOB = "embedding"


class EmbeddingStatusResponse(Value):
    """The embedding model of a story, the number of vectors, and whether they are up to date."""

    model: str | None
    vector_count: int
    up_to_date: bool


@operation("embedding.status", role=Role.READER)
def embedding_status(call: Call, request: StoryRequest) -> EmbeddingStatusResponse:
    """Show whether the embeddings of a story are up to date."""
    project_id = request.project_id
    meaning = call.meaning
    with call.store.read() as reader:
        reader.story(project_id)
        if not isinstance(meaning, VectorMeaning):
            return EmbeddingStatusResponse(model=None, vector_count=0, up_to_date=False)
        return EmbeddingStatusResponse(
            model=meaning.embedder.model,
            vector_count=sum(reader.vectors.counts(project_id).values()),
            up_to_date=meaning.is_up_to_date(reader, project_id),
        )


def embed_story(call: Call, project_id: str, report: ProjectionProgress) -> None:
    """Compute the missing embeddings of a story, reporting progress."""
    how = _embedding(call)
    bring_up_to_date(call.store, project_id, how.embedder, report, discretion=how.discretion)


@operation("embedding.start", role=Role.EDITOR)
def start_embedding(call: Call, request: StoryRequest) -> Job:
    """Compute the missing embeddings of a story in the background; JobInProgress if that is running."""
    project_id = request.project_id
    _embedding(call)
    with call.store.read() as reader:
        reader.story(project_id)
    return call.jobs.start(call, JOB, project_id, "0")


def embed(call: Call, task: Task) -> None:
    """Run the embedding job of a story."""

    def report(done: int, total: int) -> bool:
        return task.report(done / max(total, 1), f"{done} / {total}")

    embed_story(call, task.project_id, report)


def _embedding(call: Call) -> VectorMeaning:
    if isinstance(call.meaning, VectorMeaning):
        return call.meaning
    raise InvalidInput(
        "Vectors are switched off.",
        details={"setting": "embedding_model"},
        suggestion="Unset FABULA_EMBEDDING_MODEL to use the built-in model.",
    )
