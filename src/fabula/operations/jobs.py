"""Long work in the background: what is running, how far it is, and how it ended."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Literal
from weakref import WeakSet

from fabula.errors import JobInProgress, NotFound
from fabula.model.clock import Clock
from fabula.model.wire import Value

KEPT_JOBS = 1000

JobStatus = Literal["processing", "done", "failed", "cancelled"]

log = logging.getLogger("fabula.jobs")


class Job(Value):
    """One piece of long work."""

    id: str
    kind: str
    story_id: str
    status: JobStatus
    progress: float
    message: str
    created_at: str
    finished_at: str | None = None


class Progress:
    """What the work itself sees of its job."""

    def __init__(self, board: JobBoard, job_id: str) -> None:
        self._board, self._job_id = board, job_id

    def report(self, progress: float, message: str) -> bool:
        """Say how far the work is, from 0 to 1; False if it should stop because somebody cancelled it."""
        return self._board.update(self._job_id, progress, message)


class JobBoard:
    """The jobs of this process: one of a kind per story at a time, the last ones remembered."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._lock = threading.Lock()
        self._threads: WeakSet[threading.Thread] = WeakSet()

    def start(self, kind: str, story_id: str, message: str, work: Callable[[Progress], None]) -> Job:
        """Begin a job in a thread of its own; JobInProgress if the same is running already."""
        with self._lock:
            for other in self._jobs.values():
                if (other.kind, other.story_id, other.status) == (kind, story_id, "processing"):
                    raise JobInProgress(
                        f"A {kind} of this story is running already.", details={"taskId": other.id}
                    )
            job = Job(
                id=self._clock.new_id(),
                kind=kind,
                story_id=story_id,
                status="processing",
                progress=0.0,
                message=message,
                created_at=self._clock.now(),
            )
            self._jobs[job.id] = job
            while len(self._jobs) > KEPT_JOBS:
                self._jobs.popitem(last=False)
            thread = threading.Thread(target=self._run, args=(job.id, work), daemon=True, name=f"job-{kind}")
            thread.start()
            self._threads.add(thread)
        return job

    def close(self) -> None:
        """Ask every job to stop, and wait until none is at work."""
        with self._lock:
            running = [job.id for job in self._jobs.values() if job.status == "processing"]
            threads = list(self._threads)
        for job_id in running:
            self._end(job_id, "cancelled", "")
        for thread in threads:
            thread.join()

    def job(self, job_id: str) -> Job:
        """The job of this id; NotFound if it is not remembered."""
        with self._lock:
            found = self._jobs.get(job_id)
        if found is None:
            raise NotFound(f"There is no job '{job_id}'.", details={"id": job_id})
        return found

    def cancel(self, job_id: str) -> Job:
        """Ask a job to stop; one that has ended stays as it is."""
        self.job(job_id)
        self._end(job_id, "cancelled", "")
        return self.job(job_id)

    def update(self, job_id: str, progress: float, message: str) -> bool:
        """Note how far a job is; False if it is not to go on."""
        with self._lock:
            job = self._jobs.get(job_id)
            if job is None or job.status != "processing":
                return False
            self._jobs[job_id] = job.model_copy(update={"progress": progress, "message": message})
            return True

    def _run(self, job_id: str, work: Callable[[Progress], None]) -> None:
        try:
            work(Progress(self, job_id))
        except Exception:
            log.exception("failed", extra={"job": job_id})
            self._end(job_id, "failed", "The job failed; see the server's log.")
        else:
            self._end(job_id, "done", "")

    def _end(self, job_id: str, status: JobStatus, message: str) -> None:
        with self._lock:
            job = self._jobs.get(job_id)
            if job is None or job.status != "processing":
                return
            self._jobs[job_id] = job.model_copy(
                update={
                    "status": status,
                    "finished_at": self._clock.now(),
                    "progress": 1.0 if status == "done" else job.progress,
                    "message": message or job.message,
                }
            )
