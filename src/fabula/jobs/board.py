"""Requesting, inspecting and cancelling background jobs, which outlive the process that started them."""

from __future__ import annotations

from typing import Any

from fabula.errors import JobInProgress, NotFound
from fabula.jobs.crew import Crew
from fabula.jobs.ledger import STALE_S
from fabula.jobs.task import JobCaller, JobProgress
from fabula.model.clock import Clock, later
from fabula.model.job import UNFINISHED, Job
from fabula.store.failures import repeatable
from fabula.store.job_reader import StoredJob
from fabula.store.job_writer import JobWriter, NewJob
from fabula.store.page import Page
from fabula.store.querying import Querying
from fabula.store.store import Store

# A job that is requested again and again starts at the latest after this many times its delay.
MOST_DELAYS = 12


class JobBoard:
    """The jobs of all stories: at most one unfinished job per kind and subject, with the latest ones kept."""

    def __init__(self, store: Store, clock: Clock, crew: Crew[Any]) -> None:
        self._store, self._clock, self.crew = store, clock, crew

    def start(
        self, call: JobCaller, kind: str, project_id: str, message: str, payload: dict[str, Any] | None = None
    ) -> Job:
        """Start a job at once in its own thread, or raise JobInProgress if the same job is running."""
        claimed = self.claimed(call, kind, project_id, "", message, payload)
        self.crew.begin(claimed)
        return claimed.job

    @repeatable
    def claimed(
        self,
        call: JobCaller,
        kind: str,
        project_id: str,
        subject: str,
        message: str,
        payload: dict[str, Any] | None = None,
    ) -> StoredJob:
        """Claim the job for `Crew.run`, or raise JobInProgress if it is running.

        Earlier attempts do not count, because the job has been requested anew.
        """
        self.crew.ledger.release_gone()
        with self._store.read() as reader:
            known = reader.jobs.unfinished(project_id, kind, subject)
        if known is None or not self._is_being_done(known):
            new = self._new(call, kind, subject, message, payload, 0)
            with self._store.write_jobs(project_id) as jobs:
                known = jobs.unfinished(project_id, kind, subject)
                if known is None:
                    known = jobs.add(project_id, self._clock.new_id(), new, self._clock.now())
                elif not self._is_being_done(known):
                    jobs.try_anew(known)
            claimed = self.crew.ledger.taken(project_id, known.job.id)
            if claimed is not None:
                return claimed
        raise JobInProgress(f"A {kind} of this story is running already.", details={"taskId": known.job.id})

    def do(
        self, call: JobCaller, kind: str, project_id: str, subject: str, message: str, seen: JobProgress
    ) -> Job:
        """Run a job in the calling thread and return it as it ended."""
        claimed = self.claimed(call, kind, project_id, subject, message)
        self.crew.run(claimed, seen)
        return self.job(claimed.job.id)

    @repeatable
    def queue(
        self,
        call: JobCaller,
        kind: str,
        project_id: str,
        subject: str,
        message: str,
        payload: dict[str, Any] | None = None,
        *,
        delay: float = 0,
        writer: Querying | None = None,
    ) -> Job:
        """Queue a job to run after a delay; if it waits or runs already, restart it with the new payload.

        With a writer it is queued in the writer's transaction; call `wake` once that has been committed.
        """
        new = self._new(call, kind, subject, message, payload, delay)
        if writer is not None:
            return self._queued(JobWriter(writer.connection), project_id, new, delay)
        with self._store.write_jobs(project_id) as jobs:
            job = self._queued(jobs, project_id, new, delay)
        self.crew.wake()
        return job

    def job(self, job_id: str) -> Job:
        """Return the job with this id, or raise NotFound if it is unknown or was pruned."""
        with self._store.read() as reader:
            found = reader.jobs.job(job_id)
        if found is None:
            raise NotFound(f"There is no job '{job_id}'.", details={"id": job_id})
        return found

    def page(self, project_id: str, page: int, size: int, *, unfinished: bool = False) -> Page[Job]:
        """Return a page of a story's jobs, newest first."""
        with self._store.read() as reader:
            reader.story(project_id)
            return reader.jobs.page(project_id, UNFINISHED if unfinished else None, size, page * size)

    @repeatable
    def cancel(self, job_id: str) -> Job:
        """Ask a job to stop; a job that has ended stays as it is."""
        job = self.job(job_id)
        with self._store.write_jobs() as jobs:
            jobs.cancel(job.story_id, job_id, self._clock.now())
        self.crew.stop(job_id)
        self.crew.ledger.prune(job.story_id)
        return self.job(job_id)

    def _queued(self, jobs: JobWriter, project_id: str, new: NewJob, delay: float) -> Job:
        known = jobs.unfinished(project_id, new.kind, new.subject)
        if known is None:
            return jobs.add(project_id, self._clock.new_id(), new, self._clock.now()).job
        if known.job.status == "queued":
            latest = later(known.job.created_at, MOST_DELAYS * delay)
            new = new._replace(run_after=min(new.run_after, max(latest, self._clock.now())))
        asked = jobs.ask_again(known, new).job
        self.crew.stop(asked.id)
        return asked

    def _is_being_done(self, known: StoredJob) -> bool:
        stale = later(self._clock.now(), -STALE_S)
        return known.job.status == "processing" and (known.heartbeat_at or "") >= stale

    def _new(
        self,
        call: JobCaller,
        kind: str,
        subject: str,
        message: str,
        payload: dict[str, Any] | None,
        delay: float,
    ) -> NewJob:
        identity = call.identity
        run_after = later(self._clock.now(), delay)
        return NewJob(kind, subject, message, payload or {}, identity.id, identity.is_local, run_after)
