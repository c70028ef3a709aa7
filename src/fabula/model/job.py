"""Jobs: long work in the background, with progress and outcome."""

from __future__ import annotations

from typing import Literal

from fabula.model.wire import Value

JobStatus = Literal["queued", "processing", "done", "failed", "cancelled"]
UNFINISHED: tuple[JobStatus, ...] = ("queued", "processing")
# Stages of importing a novel: manuscript stored, finds proposed, every scene summarised.
NovelStage = Literal["stored", "proposed", "read"]


class Job(Value):
    """A piece of long work; `subject` says what it works on, such as the scene `3/1`."""

    id: str
    kind: str
    story_id: str
    subject: str
    status: JobStatus
    progress: float
    message: str
    attempts: int
    run_after: str
    created_at: str
    finished_at: str | None


class TaskAccepted(Value):
    """The answer to a request that a job will carry out."""

    task_id: str
    status: str
    message: str


def accepted(job: Job) -> TaskAccepted:
    """The answer for a job that was just queued."""
    return TaskAccepted(task_id=job.id, status=job.status, message=job.message)
