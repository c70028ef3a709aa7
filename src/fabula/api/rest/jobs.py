"""`/jobs/{id}`: how far long work is, and stopping it."""

from __future__ import annotations

from fastapi import APIRouter

from fabula.api.rest.caller import Caller
from fabula.operations.access import Role, require
from fabula.operations.jobs import Job

router = APIRouter(prefix="/jobs", tags=["jobs"])


@router.get("/{jobId}")
def read_job(call: Caller, jobId: str) -> Job:
    """Show how far a job is."""
    job = call.jobs.job(jobId)
    require(call, job.story_id, Role.READER)
    return job


@router.delete("/{jobId}")
def cancel_job(call: Caller, jobId: str) -> Job:
    """Ask a job to stop."""
    require(call, call.jobs.job(jobId).story_id, Role.EDITOR)
    return call.jobs.cancel(jobId)
