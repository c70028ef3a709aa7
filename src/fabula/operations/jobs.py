"""Jobs: their progress, and cancelling them."""

from __future__ import annotations

from fabula.call import Call
from fabula.model.account import Role
from fabula.model.bounds import PageNumber, PageSize
from fabula.model.job import Job
from fabula.model.wire import Value
from fabula.operations.access import require
from fabula.operations.table import StoryRequest, operation
from fabula.store.page import Page


class JobRequest(Value):
    """A job by its id."""

    job_id: str


class ListJobsRequest(StoryRequest):
    """A page of the jobs of a story, optionally only the unfinished ones."""

    unfinished: bool = False
    page: PageNumber = 0
    size: PageSize = 20


@operation("job.read", role=None)
def read_job(call: Call, request: JobRequest) -> Job:
    """Read the status and progress of a job."""
    job = call.jobs.job(request.job_id)
    require(call, job.story_id, Role.READER)
    return job


@operation("job.cancel", role=None)
def cancel_job(call: Call, request: JobRequest) -> Job:
    """Cancel a job, which stops as soon as it can."""
    require(call, call.jobs.job(request.job_id).story_id, Role.EDITOR)
    return call.jobs.cancel(request.job_id)


@operation("job.list", role=Role.READER)
def list_jobs(call: Call, request: ListJobsRequest) -> Page[Job]:
    """List the jobs of a story, newest first."""
    return call.jobs.page(request.project_id, request.page, request.size, unfinished=request.unfinished)
