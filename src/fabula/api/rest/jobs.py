"""`/jobs/{id}` and `/stories/{storyId}/jobs`: how far long work is, and stopping it."""

from __future__ import annotations

from fastapi import APIRouter

from fabula.api.rest.caller import Caller
from fabula.api.rest.paging import PageNumber, PageSize, RestPage, rest_page
from fabula.model.job import Job
from fabula.operations.access import Role, require

router = APIRouter(tags=["jobs"])


@router.get("/jobs/{jobId}")
def read_job(call: Caller, jobId: str) -> Job:
    """Show how far a job is."""
    job = call.jobs.job(jobId)
    require(call, job.story_id, Role.READER)
    return job


@router.delete("/jobs/{jobId}")
def cancel_job(call: Caller, jobId: str) -> Job:
    """Ask a job to stop."""
    require(call, call.jobs.job(jobId).story_id, Role.EDITOR)
    return call.jobs.cancel(jobId)


@router.get("/stories/{storyId}/jobs")
def list_jobs(
    call: Caller, storyId: str, unfinished: bool = False, page: PageNumber = 0, size: PageSize = 20
) -> RestPage[Job]:
    """List the jobs of a story, newest first."""
    return rest_page(call.jobs.page(storyId, page, size, unfinished=unfinished), page, size)
