"""The threads of this process that run jobs, each claimed in the database before it starts."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

from fabula.errors import (
    Contended,
    DatabaseUnreachable,
    FabulaError,
    InternalError,
    LlmRateLimited,
    LlmUnavailable,
    RateLimited,
)
from fabula.jobs.ledger import FAILED, MAX_ATTEMPTS, JobLedger
from fabula.jobs.task import HoldLost, JobCaller, JobProgress, Task
from fabula.jobs.workers import worker_name
from fabula.model.account import Identity
from fabula.model.clock import Clock, seconds_between
from fabula.store.job_reader import StoredJob
from fabula.store.store import Store

STANDING_THREADS = 2
STANDING = "jobs-"
# How often a worker records that it is alive and checks that its jobs were not cancelled by another process.
HEARTBEAT_S = 5.0
# How often to poll for jobs that other processes have queued without notifying this one.
LOOK_AROUND_S = 5.0
# How often to compare the hints with all jobs, which asks every shard.
MEND_HINTS_S = 600.0
# How long to leave a job that could not be run here to other workers.
ASIDE_S = 60.0
GRACE_S = 5.0

log = logging.getLogger("fabula.jobs")

CallerT = TypeVar("CallerT", bound=JobCaller)
Work = Callable[[CallerT, Task], None]


class Crew(Generic[CallerT]):
    """The workers of one process."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        works: Mapping[str, Work[CallerT]],
        call_of: Callable[[Identity], CallerT],
    ) -> None:
        self._clock = clock
        self._works, self._call_of = works, call_of
        self.ledger = JobLedger(store, clock, worker_name(clock.new_id()))
        self._change = threading.Condition()
        self._tasks: dict[str, Task] = {}
        self._aside: dict[str, float] = {}
        self._threads: set[threading.Thread] = set()
        self._pulse: threading.Thread | None = None
        self._calls = 0
        self._mended = 0.0
        self._stands = self._is_closing = False
        self.sees_to_savings = False

    @property
    def is_standing(self) -> bool:
        """Whether standing threads of this process run queued jobs."""
        with self._change:
            standing = [thread for thread in self._threads if thread.name.startswith(STANDING)]
            return self._stands and not self._is_closing and bool(standing)

    def stand_by(self, threads: int = STANDING_THREADS, *, after_saving: bool = True) -> None:
        """Run queued jobs as they become due, until closed.

        `after_saving` says whether saving a scene should queue follow-up jobs.
        """
        self._mended = self._clock.monotonic()
        self.ledger.mend_hints()
        self.ledger.release_gone()
        self.ledger.bring_near()
        self._stands = True
        self.sees_to_savings = after_saving
        for number in range(threads):
            self._spawn(self._stand, f"{STANDING}{number}")

    def notice(self) -> None:
        """Notify the standing threads that a job may have been queued."""
        with self._change:
            self._calls += 1
            self._change.notify_all()

    def wake(self) -> None:
        """Announce a queued job; without standing threads, start a thread that runs what is due and exits."""
        self.notice()
        if not self._stands:
            self._spawn(lambda: self.run_due(), "jobs")

    def run_due(self) -> int:
        """Run all due jobs in the calling thread and return how many there were."""
        count = 0
        while self._run_next():
            count += 1
        return count

    def begin(self, claimed: StoredJob) -> None:
        """Run a claimed job in a thread of its own."""
        if not self._spawn(lambda: self.run(claimed), f"job-{claimed.job.kind}"):
            self.ledger.hand_back(self.ledger.hold_on(claimed), claimed.job)

    def run(self, claimed: StoredJob, seen: JobProgress | None = None) -> None:
        """Run a claimed job in the calling thread and record how it ended; `seen` receives its progress."""
        task = Task(self.ledger, claimed, seen)
        self._enter(task)
        try:
            self._do(claimed, task)
        finally:
            self._leave(task)

    def _do(self, claimed: StoredJob, task: Task) -> None:
        job, hold = claimed.job, task.hold
        try:
            if job.attempts > MAX_ATTEMPTS:
                self.ledger.end(hold, "failed", FAILED)
                return
            asker = Identity(claimed.asked_by, claimed.asked_by, is_local=claimed.is_local)
            self._works[job.kind](self._call_of(asker).cancelled_by(task.cancel_token), task)
        except HoldLost:
            self.ledger.hand_back(hold, job)
        except (RateLimited, LlmRateLimited, LlmUnavailable, Contended, DatabaseUnreachable) as error:
            if task.cancel_token.is_cancelled:
                self.ledger.hand_back(hold, job)
            else:
                self.ledger.try_again(hold, job, error)
        except FabulaError as error:
            self.ledger.end(hold, "failed", error.message)
        except BaseException as error:
            if _is_from_the_keyboard(error):  # interrupted by the user: the job can be resumed later
                self.ledger.hand_back(hold, job)
                raise
            log.exception("failed", extra={"job": job.id})
            self.ledger.end(hold, "failed", FAILED)
        else:
            if task.is_stopped:
                self.ledger.hand_back(hold, job)
            else:
                self.ledger.end(hold, "done", None)

    def stop(self, job_id: str) -> None:
        """Ask a job to stop, if it is running in this process."""
        with self._change:
            task = self._tasks.get(job_id)
        if task is not None:
            task.stop()

    def close(self) -> None:
        """Ask every running job to stop, wait a while, and hand back the unfinished ones."""
        with self._change:
            self._is_closing = True
            tasks, threads = list(self._tasks.values()), list(self._threads)
            self._change.notify_all()
        for task in tasks:
            task.stop()
        patience = self._clock.monotonic() + GRACE_S
        for thread in threads:
            if thread is not threading.current_thread():
                thread.join(max(0.0, patience - self._clock.monotonic()))
        with self._change:
            left = list(self._tasks.values())
        for task in left:
            try:
                self.ledger.hand_back(task.hold, task.job)
            except Exception:  # the next process will find that the worker is gone
                log.exception("a job was not handed back", extra={"job": task.job.id})

    # Threads

    def _spawn(self, work: Callable[[], object], name: str) -> bool:
        """Run something in a thread of its own; return False if the crew is closing."""

        def run() -> None:
            try:
                work()
            except Exception:
                log.exception("a worker failed")
            finally:
                with self._change:
                    self._threads.discard(thread)

        thread = threading.Thread(target=run, daemon=True, name=name)
        with self._change:
            if self._is_closing:
                return False
            self._threads.add(thread)
        thread.start()
        return True

    def _stand(self) -> None:
        while True:
            with self._change:
                heard = self._calls
            try:
                if self._run_next():
                    continue
                self._look_around()
                pause = self._pause()
            except Exception:
                log.exception("looking for jobs failed")
                pause = LOOK_AROUND_S
            with self._change:
                self._change.wait_for(lambda: self._is_closing or self._calls != heard, pause)  # noqa: B023
                if self._is_closing:
                    return

    def _run_next(self) -> bool:
        """Run the job that has waited longest; return False if there is none.

        A job that cannot be claimed, or whose end cannot be recorded, is put aside so that it does not block
        others.
        """
        if self._is_closing:
            return False
        due = self.ledger.due(self._put_aside())
        if due is None:
            return False
        try:
            claimed = self._taken(*due)
            if claimed is not None:
                self.run(claimed)
        except InternalError:  # the database is in trouble, so the next job would fail as well
            self._put_aside(due[1])
            raise
        except Exception:
            log.exception("a job could not be seen to", extra={"job": due[1]})
            self._put_aside(due[1])
        return True

    def _taken(self, project_id: str, job_id: str) -> StoredJob | None:
        """Claim the job and return it; a job whose row cannot be read is marked as failed."""
        try:
            return self.ledger.taken(project_id, job_id)
        except FabulaError:
            raise
        except Exception:
            log.exception("a job cannot be read", extra={"job": job_id})
            self.ledger.give_up(project_id, job_id)
            return None

    def _put_aside(self, job_id: str | None = None) -> set[str]:
        """Put a job aside, if one is given, and return the ids of all that are aside."""
        now = self._clock.monotonic()
        with self._change:
            self._aside = {key: until for key, until in self._aside.items() if until > now}
            if job_id is not None:
                self._aside[job_id] = now + ASIDE_S
            return set(self._aside)

    def _look_around(self) -> None:
        """See to jobs that nobody else may see to: of processes that are gone, and those without a hint."""
        with self._change:
            now = self._clock.monotonic()
            is_time = now - self._mended >= MEND_HINTS_S
            if is_time:
                self._mended = now
        if is_time:
            self.ledger.mend_hints()
        self.ledger.release_gone()

    def _pause(self) -> float:
        due = self.ledger.next_time()
        if due is None:
            return LOOK_AROUND_S
        return min(LOOK_AROUND_S, max(0.01, seconds_between(self._clock.now(), due)))

    def _enter(self, task: Task) -> None:
        with self._change:
            self._tasks[task.job.id] = task
            if self._is_closing:
                task.stop()
            if self._pulse is None:
                self._pulse = threading.Thread(target=self._beat, daemon=True, name="jobs-pulse")
                self._pulse.start()

    def _leave(self, task: Task) -> None:
        with self._change:
            self._tasks.pop(task.job.id, None)
            self._change.notify_all()

    def _beat(self) -> None:
        while True:
            with self._change:
                if self._change.wait_for(lambda: not self._tasks, HEARTBEAT_S):
                    self._pulse = None
                    return
                tasks = list(self._tasks.values())
            for task in tasks:
                try:
                    if not self.ledger.shows_life(task.hold):
                        task.stop()
                except Exception:
                    log.exception("a heartbeat failed", extra={"job": task.job.id})


def _is_from_the_keyboard(error: BaseException) -> bool:
    """Whether the user is ending the program; any other BaseException counts as a failure of the job."""
    is_main = threading.current_thread() is threading.main_thread()
    return is_main and isinstance(error, KeyboardInterrupt | SystemExit)
