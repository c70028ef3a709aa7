"""Who does the jobs: threads of this process, each job claimed in the database before it is begun."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from fabula.errors import FabulaError, LlmRateLimited, LlmUnavailable, RateLimited
from fabula.llm.line import Line
from fabula.model.account import Identity
from fabula.model.clock import Clock, later, seconds_between
from fabula.model.job import Job, JobStatus
from fabula.operations.working.workers import is_gone, worker_name
from fabula.store.failures import Contended, Unreachable, repeatable
from fabula.store.job_reader import StoredJob
from fabula.store.job_writer import Hold
from fabula.store.store import Store

if TYPE_CHECKING:
    from fabula.operations.table import Call

STANDING_THREADS = 2
STANDING = "jobs-"
MAX_ATTEMPTS = 5
# A worker shows that it is alive, and looks whether its jobs are still wanted: another process may have been
# told to stop them. A job of one that was not seen for so long is taken over.
HEARTBEAT_S = 5.0
STALE_S = 90.0
# How often others' jobs are looked for: nobody tells when another process queues one.
LOOK_AROUND_S = 5.0
LEAST_REPORT_S = 0.25
GRACE_S = 5.0
FIRST_PAUSE_S, LONGEST_PAUSE_S = 10, 600

FAILED = "The job failed; see the server's log."

log = logging.getLogger("fabula.jobs")

Work = Callable[["Call", "Task"], None]
Seen = Callable[[float, str], None]


class Task:
    """What the work itself sees of its job."""

    def __init__(self, crew: Crew, stored: StoredJob, hold: Hold, seen: Seen | None) -> None:
        self._crew, self._seen = crew, seen
        self.hold = hold
        # Cut when the work is to stop: a model that thinks for minutes is not waited for.
        self.line = Line()
        self._told = crew.clock.monotonic() - LEAST_REPORT_S
        self.job: Job = stored.job
        self.payload: dict[str, Any] = stored.payload
        self.is_stopped = False

    @property
    def project_id(self) -> str:
        """The story."""
        return self.job.story_id

    @property
    def is_last_attempt(self) -> bool:
        """Whether a failure now is the end of the job."""
        return self.job.attempts >= MAX_ATTEMPTS

    def report(self, progress: float, message: str) -> bool:
        """Say how far the work is, from 0 to 1; False if it is to stop, and to write nothing more."""
        now = self._crew.clock.monotonic()
        if self._seen is not None:
            self._seen(progress, message)
        if self.line.is_cut:
            self.is_stopped = True
        elif now - self._told >= LEAST_REPORT_S:
            self._told = now
            self.is_stopped = not self._crew.noted(self.hold, progress, message)
        return not self.is_stopped

    def may_go_on(self) -> bool:
        """Whether the work still has its hold on the job; asked before something is written."""
        if self.line.is_cut or not self._crew.holds(self.hold):
            self.is_stopped = True
        return not self.is_stopped

    def parts(self) -> dict[int, bytes]:
        """What an earlier attempt has done, of work that is done part by part."""
        return self._crew.parts(self.hold)

    def keep_part(self, part: int, content: bytes) -> None:
        """Keep what is done, for a later attempt."""
        self._crew.keep_part(self.hold, part, content)

    def stop(self) -> None:
        """Ask the work to stop."""
        self.line.cut()


class Crew:
    """The workers of one process."""

    def __init__(
        self, store: Store, clock: Clock, works: Mapping[str, Work], call_of: Callable[[Identity], Call]
    ) -> None:
        self.clock = clock
        self._store, self._works, self._call_of = store, works, call_of
        self._name = worker_name(clock.new_id())
        self._change = threading.Condition()
        self._tasks: dict[str, Task] = {}
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
        self.release_gone()
        self._bring_near()
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
    def taken(self, project_id: str, job_id: str) -> StoredJob | None:
        """The job, claimed; None if another was quicker."""
        now = self.clock.now()
        with self._store.write_jobs() as jobs:
            return jobs.claim(project_id, job_id, self._name, now, later(now, -STALE_S))

    def begin(self, claimed: StoredJob) -> None:
        """Do a claimed job in a thread of its own."""
        self._spawn(lambda: self.run(claimed), f"job-{claimed.job.kind}")

    def run(self, claimed: StoredJob, seen: Seen | None = None) -> None:
        """Do a claimed job here and now; `seen` is told how far it is."""
        job = claimed.job
        hold = Hold(job.story_id, job.id, self._name, claimed.asked)
        task = Task(self, claimed, hold, seen)
        self._enter(task)
        try:
            if job.attempts > MAX_ATTEMPTS:
                self._end(hold, "failed", FAILED)
                return
            asker = Identity(claimed.asked_by, claimed.asked_by, is_local=claimed.is_local)
            self._works[job.kind](self._call_of(asker).on(task.line), task)
        except (RateLimited, LlmRateLimited, LlmUnavailable, Contended, Unreachable) as error:
            if task.line.is_cut:
                self._hand_back(hold, job)
            else:
                self._try_again(task, hold, error)
        except FabulaError as error:
            self._end(hold, "failed", error.message)
        except Exception:
            log.exception("failed", extra={"job": job.id})
            self._end(hold, "failed", FAILED)
        except BaseException:  # somebody at the keyboard has had enough: another time it goes on
            self._hand_back(hold, job)
            raise
        else:
            self._finish(task, hold)
        finally:
            self._leave(task)

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
        patience = self.clock.monotonic() + GRACE_S
        for thread in threads:
            if thread is not threading.current_thread():
                thread.join(max(0.0, patience - self.clock.monotonic()))
        with self._change:
            left = list(self._tasks.values())
        for task in left:
            self._hand_back(task.hold, task.job)

    # What a task says

    @repeatable
    def noted(self, hold: Hold, progress: float, message: str) -> bool:
        """Note how far a job is; False if the hold on it is lost."""
        with self._store.write_jobs() as jobs:
            return jobs.report(hold, min(1.0, max(0.0, progress)), message, self.clock.now())

    def holds(self, hold: Hold) -> bool:
        """Whether a hold stands."""
        with self._store.read() as reader:
            known = reader.jobs.job_of(hold.project_id, hold.job_id)
        return known is not None and (known.job.status, known.worker, known.asked) == (
            "processing",
            hold.worker,
            hold.asked,
        )

    def parts(self, hold: Hold) -> dict[int, bytes]:
        """What is done of a job that is done part by part."""
        with self._store.read() as reader:
            return reader.jobs.parts(hold.project_id, hold.job_id)

    @repeatable
    def keep_part(self, hold: Hold, part: int, content: bytes) -> None:
        """Keep a part of a job."""
        with self._store.write_jobs() as jobs:
            jobs.keep_part(hold, part, content)

    # Threads

    def _spawn(self, work: Callable[[], object], name: str) -> None:
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
                return
            self._threads.add(thread)
        thread.start()

    def _stand(self) -> None:
        while True:
            with self._change:
                heard = self._calls
            try:
                if self._run_next():
                    continue
                self.release_gone()
                pause = self._pause()
            except Exception:
                log.exception("looking for jobs failed")
                pause = LOOK_AROUND_S
            with self._change:
                self._change.wait_for(lambda: self._is_closing or self._calls != heard, pause)  # noqa: B023
                if self._is_closing:
                    return

    def _run_next(self) -> bool:
        if self._is_closing:
            return False
        now = self.clock.now()
        with self._store.read() as reader:
            due = reader.jobs.due(now, later(now, -STALE_S))
        if due is None:
            return False
        claimed = self.taken(*due)
        if claimed is not None:
            self.run(claimed)
        return True

    @repeatable
    def _bring_near(self) -> None:
        now = self.clock.now()
        with self._store.write_jobs() as jobs:
            jobs.bring_near(now, later(now, 2 * LONGEST_PAUSE_S))

    def _pause(self) -> float:
        with self._store.read() as reader:
            due = reader.jobs.next_time()
        if due is None:
            return LOOK_AROUND_S
        return min(LOOK_AROUND_S, max(0.01, seconds_between(self.clock.now(), due)))

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
            try:
                self._show_life()
                self._stop_unwanted()
            except Exception:
                log.exception("a heartbeat failed")

    @repeatable
    def _show_life(self) -> None:
        with self._store.write_jobs() as jobs:
            jobs.beat(self._name, self.clock.now())

    def _stop_unwanted(self) -> None:
        with self._change:
            tasks = list(self._tasks.values())
        for task in tasks:
            if not self.holds(task.hold):
                task.stop()

    # How a job ends

    def _finish(self, task: Task, hold: Hold) -> None:
        if task.is_stopped:
            self._hand_back(hold, task.job)
        else:
            self._end(hold, "done", None)

    @repeatable
    def _end(self, hold: Hold, status: JobStatus, message: str | None) -> None:
        changes: dict[str, Any] = {} if message is None else {"message": message}
        if status == "done":
            changes["progress"] = 1.0
        with self._store.write_jobs() as jobs:
            if not jobs.end(hold, status, self.clock.now(), **changes):
                jobs.let_go(hold)

    @repeatable
    def _hand_back(self, hold: Hold, job: Job) -> None:
        with self._store.write_jobs() as jobs:
            if not jobs.give_back(hold, self.clock.now(), job.message, as_tried=False):
                jobs.let_go(hold)

    @repeatable
    def _try_again(self, task: Task, hold: Hold, error: FabulaError) -> None:
        """Let a job wait for the model or the database; a model that nobody set up will not come by waiting.

        Whoever only asked too much in a minute has not failed.
        """
        details = error.details or {}
        is_own = isinstance(error, RateLimited)
        if (task.is_last_attempt and not is_own) or details.get("reason") == "not_configured":
            self._end(hold, "failed", error.message)
            return
        pause = details.get("retryAfterSeconds")
        if not isinstance(pause, int | float):
            pause = FIRST_PAUSE_S * 3 ** (task.job.attempts - 1)
        run_after = later(self.clock.now(), min(LONGEST_PAUSE_S, max(1, pause)))
        with self._store.write_jobs() as jobs:
            if not jobs.give_back(hold, run_after, error.message, as_tried=not is_own):
                jobs.let_go(hold)
