"""Who does the jobs: threads of this process, each job claimed in the database before it is begun."""

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
# A worker shows that it is alive, and looks whether its jobs are still wanted: another process may have been
# told to stop them.
HEARTBEAT_S = 5.0
# How often others' jobs are looked for: nobody tells when another process queues one.
LOOK_AROUND_S = 5.0
# How long a job is left to others that could not be seen to here.
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
        self._stands = self._is_closing = False
        self.sees_to_savings = False

    @property
    def is_standing(self) -> bool:
        """Whether whatever is queued is done here."""
        with self._change:
            standing = [thread for thread in self._threads if thread.name.startswith(STANDING)]
            return self._stands and not self._is_closing and bool(standing)

    def stand_by(self, threads: int = STANDING_THREADS, *, after_saving: bool = True) -> None:
        """Do from now on whatever is queued, as soon as it is due, until closed.

        `after_saving` says whether that is to be queued which saving a scene brings with it.
        """
        self.ledger.release_gone()
        self.ledger.bring_near()
        self._stands = True
        self.sees_to_savings = after_saving
        for number in range(threads):
            self._spawn(self._stand, f"{STANDING}{number}")

    def notice(self) -> None:
        """Tell those who stand by that something may have been queued."""
        with self._change:
            self._calls += 1
            self._change.notify_all()

    def wake(self) -> None:
        """Tell that something was queued; where nobody stands by, a thread does what is due and goes."""
        self.notice()
        if not self._stands:
            self._spawn(lambda: self.run_due(), "jobs")

    def run_due(self) -> int:
        """Do all that is due, here and now; how many jobs that were."""
        count = 0
        while self._run_next():
            count += 1
        return count

    def begin(self, claimed: StoredJob) -> None:
        """Do a claimed job in a thread of its own."""
        if not self._spawn(lambda: self.run(claimed), f"job-{claimed.job.kind}"):
            self.ledger.hand_back(self.ledger.hold_on(claimed), claimed.job)

    def run(self, claimed: StoredJob, seen: JobProgress | None = None) -> None:
        """Do a claimed job here and now, and note how it ended; `seen` is told how far it is."""
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
            if _is_from_the_keyboard(error):  # somebody has had enough: another time it goes on
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
        """Ask the work of a job to stop, if it is done here."""
        with self._change:
            task = self._tasks.get(job_id)
        if task is not None:
            task.stop()

    def close(self) -> None:
        """Ask every work to stop, wait for it a while, and hand back what was not done."""
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
            except Exception:  # whoever comes next finds nobody at it
                log.exception("a job was not handed back", extra={"job": task.job.id})

    # Threads

    def _spawn(self, work: Callable[[], object], name: str) -> bool:
        """Do something in a thread of its own; False if the crew is closing."""

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
                self.ledger.release_gone()
                pause = self._pause()
            except Exception:
                log.exception("looking for jobs failed")
                pause = LOOK_AROUND_S
            with self._change:
                self._change.wait_for(lambda: self._is_closing or self._calls != heard, pause)  # noqa: B023
                if self._is_closing:
                    return

    def _run_next(self) -> bool:
        """Do the job that waits longest; False if none does.

        One that cannot be taken, or whose end cannot be noted, is put aside: the next one is no worse for it.
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
        except InternalError:  # the database is in trouble, and the next job would fare no better just now
            self._put_aside(due[1])
            raise
        except Exception:
            log.exception("a job could not be seen to", extra={"job": due[1]})
            self._put_aside(due[1])
        return True

    def _taken(self, project_id: str, job_id: str) -> StoredJob | None:
        """The job, claimed; one whose row cannot be read has failed."""
        try:
            return self.ledger.taken(project_id, job_id)
        except FabulaError:
            raise
        except Exception:
            log.exception("a job cannot be read", extra={"job": job_id})
            self.ledger.give_up(project_id, job_id)
            return None

    def _put_aside(self, job_id: str | None = None) -> set[str]:
        """What is put aside here, with this one."""
        now = self._clock.monotonic()
        with self._change:
            self._aside = {key: until for key, until in self._aside.items() if until > now}
            if job_id is not None:
                self._aside[job_id] = now + ASIDE_S
            return set(self._aside)

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
    """Whether somebody ends the program; whatever else is no Exception is a fault of the work as well."""
    is_main = threading.current_thread() is threading.main_thread()
    return is_main and isinstance(error, KeyboardInterrupt | SystemExit)
