"""`/jobs/{id}` and `/stories/{storyId}/jobs`: how far long work is, and stopping it."""

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
