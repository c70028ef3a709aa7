"""A job: one piece of long work, how far it is, and how it ended."""

from __future__ import annotations

from typing import Literal

from fabula.model.wire import Value

JobStatus = Literal["queued", "processing", "done", "failed", "cancelled"]
UNFINISHED: tuple[JobStatus, ...] = ("queued", "processing")
# How far a novel is: its manuscript is there, what was found in it is proposed, every scene is summed up.
NovelStage = Literal["stored", "proposed", "read"]


class Job(Value):
    """One piece of long work; `subject` is what of the story it is about, such as the scene `3/1`."""

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
    """The job that does what was asked for."""

    task_id: str
    status: str
    message: str


def accepted(job: Job) -> TaskAccepted:
    """A job as the answer to who asked for it."""
    return TaskAccepted(task_id=job.id, status=job.status, message=job.message)
