"""What one worker records about its jobs: claimed, progress, handed back, ended."""

from __future__ import annotations

import logging
from typing import Any

from fabula.errors import FabulaError, RateLimited
from fabula.jobs.workers import is_gone
from fabula.model.clock import Clock, later
from fabula.model.job import Job, JobStatus
from fabula.store.failures import repeatable
from fabula.store.job_reader import JobKey, StoredJob
from fabula.store.job_writer import Hold
from fabula.store.store import Store

MAX_ATTEMPTS = 5
# After this long without a heartbeat, another worker may take over the job.
STALE_S = 90.0
FIRST_PAUSE_S, LONGEST_PAUSE_S = 10, 600

FAILED = "The job failed; see the server's log."

log = logging.getLogger("fabula.jobs")


class JobLedger:
    """The jobs of the database as one worker sees and changes them."""

    def __init__(self, store: Store, clock: Clock, worker: str) -> None:
        self._store, self.clock, self._worker = store, clock, worker

    # Taking

    def due(self, but: set[str]) -> JobKey | None:
        """Return the next job to run, apart from the excluded ones."""
        now = self.clock.now()
        with self._store.read() as reader:
            return reader.jobs.due(now, later(now, -STALE_S), but)

    def next_time(self) -> str | None:
        """Return when the next job is due, or None if none is waiting."""
        with self._store.read() as reader:
            return reader.jobs.next_time()

    @repeatable
    def taken(self, project_id: str, job_id: str) -> StoredJob | None:
        """Claim the job and return it, or None if another worker was quicker."""
        now = self.clock.now()
        with self._store.write_jobs() as jobs:
            return jobs.claim(project_id, job_id, self._worker, now, later(now, -STALE_S))

    def hold_on(self, claimed: StoredJob) -> Hold:
        """Return the hold on a claimed job."""
        return Hold(claimed.job.story_id, claimed.job.id, self._worker, claimed.asked)

    @repeatable
    def release_gone(self) -> None:
        """Release the jobs of processes on this machine that ended without handing them back."""
        with self._store.read() as reader:
            held = reader.jobs.held()
        for worker, keys in held.items():
            for key in keys if is_gone(worker) else ():
                with self._store.write_jobs() as jobs:
                    jobs.release(key, worker)

    @repeatable
    def bring_near(self) -> None:
        """Bring forward jobs whose due time is implausibly late because the clock has been set back since."""
        now = self.clock.now()
        latest = later(now, 2 * LONGEST_PAUSE_S)
        with self._store.read() as reader:
            late = reader.jobs.beyond(latest)
        for key in late:
            with self._store.write_jobs() as jobs:
                jobs.bring_near(key, now, latest)

    @repeatable
    def mend_hints(self) -> None:
        """Compare the hints with the jobs of all stories, and mend those that were lost or left over.

        Hints are written together with their jobs; what was copied in or mended by hand may lack them.
        """
        with self._store.read() as reader:
            misplaced = reader.jobs.misplaced_hints()
        for key in sorted(misplaced):
            with self._store.write_jobs() as jobs:
                jobs.hint(key)

    # Doing

    @repeatable
    def noted(self, hold: Hold, progress: float, message: str) -> bool:
        """Record the progress of a job; return False if the hold on it is lost."""
        with self._store.write_jobs() as jobs:
            return jobs.report(hold, min(1.0, max(0.0, progress)), message, self.clock.now())

    @repeatable
    def shows_life(self, hold: Hold) -> bool:
        """Record a heartbeat for a job; return False if the hold on it is lost."""
        with self._store.write_jobs() as jobs:
            return jobs.beat(hold, self.clock.now())

    def parts(self, hold: Hold) -> dict[int, bytes]:
        """Return the finished parts of a job that is done part by part."""
        with self._store.read() as reader:
            return reader.jobs.parts(hold.project_id, hold.job_id)

    @repeatable
    def keeps_part(self, hold: Hold, part: int, content: bytes) -> bool:
        """Save a finished part of a job; return False if the hold on it is lost."""
        with self._store.write_jobs() as jobs:
            return jobs.keep_part(hold, part, content, self.clock.now())

    # Ending

    def end(self, hold: Hold, status: JobStatus, message: str | None) -> None:
        """Record how a job ended, even if its data cannot be cleaned up."""
        changes: dict[str, Any] = {} if message is None else {"message": message}
        if status == "done":
            changes["progress"] = 1.0
        try:
            self._end(hold, status, changes)
        except Exception:
            log.exception("a job left something behind", extra={"job": hold.job_id})
            self._note_end(hold, status, changes)
        self.prune(hold.project_id)

    @repeatable
    def _end(self, hold: Hold, status: JobStatus, changes: dict[str, Any]) -> None:
        with self._store.write_jobs() as jobs:
            if not jobs.end(hold, status, self.clock.now(), **changes):
                jobs.let_go(hold)

    @repeatable
    def _note_end(self, hold: Hold, status: JobStatus, changes: dict[str, Any]) -> None:
        with self._store.write_jobs() as jobs:
            jobs.note_end(hold, status, self.clock.now(), **changes)

    def prune(self, project_id: str) -> None:
        """Delete the oldest ended jobs of a story; a failure to do so is only logged."""
        try:
            self._prune(project_id)
        except Exception:
            log.exception("old jobs could not be forgotten", extra={"projectId": project_id})

    @repeatable
    def _prune(self, project_id: str) -> None:
        with self._store.write_jobs() as jobs:
            jobs.prune(project_id)

    @repeatable
    def give_up(self, project_id: str, job_id: str) -> None:
        """Mark a job that cannot be claimed as failed."""
        with self._store.write_jobs() as jobs:
            jobs.give_up(project_id, job_id, self.clock.now(), FAILED)

    @repeatable
    def hand_back(self, hold: Hold, job: Job) -> None:
        """Put a job back into the queue as if it had never been started."""
        with self._store.write_jobs() as jobs:
            if not jobs.give_back(hold, self.clock.now(), job.message, as_tried=False):
                jobs.let_go(hold)

    @repeatable
    def try_again(self, hold: Hold, job: Job, error: FabulaError) -> None:
        """Requeue a job that failed for lack of the model or the database; fail it if no model is configured.

        Exceeding the caller's own rate limit does not count as an attempt.
        """
        details = error.details or {}
        is_own = isinstance(error, RateLimited)
        if (job.attempts >= MAX_ATTEMPTS and not is_own) or details.get("reason") == "not_configured":
            self.end(hold, "failed", error.message)
            return
        pause = details.get("retryAfterSeconds")
        if not isinstance(pause, int | float):
            pause = FIRST_PAUSE_S * 3 ** (job.attempts - 1)
        run_after = later(self.clock.now(), min(LONGEST_PAUSE_S, max(1, pause)))
        with self._store.write_jobs() as jobs:
            if not jobs.give_back(hold, run_after, error.message, as_tried=not is_own):
                jobs.let_go(hold)
