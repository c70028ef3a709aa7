"""`/jobs/{id}` and `/stories/{storyId}/jobs`: the progress of background jobs, and cancelling them."""

from __future__ import annotations

from fabula.api.rest.route import Route, routes
from fabula.model.job import Job
from fabula.operations import jobs

router = routes(
    "",
    "jobs",
    (
        Route("GET", "/jobs/{jobId}", jobs.read_job),
        Route("DELETE", "/jobs/{jobId}", jobs.cancel_job),
        Route("GET", "/stories/{storyId}/jobs", jobs.list_jobs, pages=Job),
    ),
)
