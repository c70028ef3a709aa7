"""What one worker writes down of its jobs: taken, how far, handed back, ended."""

from __future__ import annotations

import logging
from typing import Any

from fabula.errors import FabulaError, RateLimited
from fabula.jobs.workers import is_gone
from fabula.model.clock import Clock, later
from fabula.model.job import Job, JobStatus
from fabula.store.failures import repeatable
from fabula.store.job_reader import StoredJob
from fabula.store.job_writer import Hold
from fabula.store.store import Store

MAX_ATTEMPTS = 5
# A job of a worker that was not seen for so long is taken over.
STALE_S = 90.0
FIRST_PAUSE_S, LONGEST_PAUSE_S = 10, 600

FAILED = "The job failed; see the server's log."

log = logging.getLogger("fabula.jobs")


class JobLedger:
    """The jobs of the database as one worker sees and changes them."""

    def __init__(self, store: Store, clock: Clock, worker: str) -> None:
        self._store, self.clock, self._worker = store, clock, worker

    # Taking

    def due(self, but: set[str]) -> tuple[str, str] | None:
        """Story and id of the job to be done next, but for some."""
        now = self.clock.now()
        with self._store.read() as reader:
            return reader.jobs.due(now, later(now, -STALE_S), but)

    def next_time(self) -> str | None:
        """When the next job is due; None if none waits."""
        with self._store.read() as reader:
            return reader.jobs.next_time()

    @repeatable
    def taken(self, project_id: str, job_id: str) -> StoredJob | None:
        """The job, claimed; None if another was quicker."""
        now = self.clock.now()
        with self._store.write_jobs() as jobs:
            return jobs.claim(project_id, job_id, self._worker, now, later(now, -STALE_S))

    def hold_on(self, claimed: StoredJob) -> Hold:
        """The hold on a job that was taken."""
        return Hold(claimed.job.story_id, claimed.job.id, self._worker, claimed.asked)

    @repeatable
    def release_gone(self) -> None:
        """Let the jobs wait of processes of this machine that ended without handing them back."""
        with self._store.read() as reader:
            gone = [worker for worker in reader.jobs.workers() if is_gone(worker)]
        if gone:
            with self._store.write_jobs() as jobs:
                for worker in gone:
                    jobs.release(worker)

    @repeatable
    def bring_near(self) -> None:
        """Let nothing wait for a time that only a clock can have meant that was set back since."""
        now = self.clock.now()
        with self._store.write_jobs() as jobs:
            jobs.bring_near(now, later(now, 2 * LONGEST_PAUSE_S))

    # Doing

    @repeatable
    def noted(self, hold: Hold, progress: float, message: str) -> bool:
        """Note how far a job is; False if the hold on it is lost."""
        with self._store.write_jobs() as jobs:
            return jobs.report(hold, min(1.0, max(0.0, progress)), message, self.clock.now())

    @repeatable
    def shows_life(self, hold: Hold) -> bool:
        """Note that somebody is at a job; False if the hold on it is lost."""
        with self._store.write_jobs() as jobs:
            return jobs.beat(hold, self.clock.now())

    def parts(self, hold: Hold) -> dict[int, bytes]:
        """What is done of a job that is done part by part."""
        with self._store.read() as reader:
            return reader.jobs.parts(hold.project_id, hold.job_id)

    @repeatable
    def keeps_part(self, hold: Hold, part: int, content: bytes) -> bool:
        """Keep a part of a job; False if the hold on it is lost."""
        with self._store.write_jobs() as jobs:
            return jobs.keep_part(hold, part, content, self.clock.now())

    # Ending

    def end(self, hold: Hold, status: JobStatus, message: str | None) -> None:
        """Note how a job ended; what cannot be cleared away with it does not keep it from ending."""
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
        """Forget the oldest ended jobs of a story; what keeps it from that keeps it from nothing else."""
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
        """End as failed a job that cannot even be taken."""
        with self._store.write_jobs() as jobs:
            jobs.give_up(project_id, job_id, self.clock.now(), FAILED)

    @repeatable
    def hand_back(self, hold: Hold, job: Job) -> None:
        """Let a job wait for whoever comes next, as if nobody had begun it."""
        with self._store.write_jobs() as jobs:
            if not jobs.give_back(hold, self.clock.now(), job.message, as_tried=False):
                jobs.let_go(hold)

    @repeatable
    def try_again(self, hold: Hold, job: Job, error: FabulaError) -> None:
        """Let a job wait for the model or the database; a model that nobody set up will not come by waiting.

        Whoever only asked too much in a minute has not failed.
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
