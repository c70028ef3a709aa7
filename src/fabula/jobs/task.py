"""What the work of a job sees of it: what is asked for, how far it is, and whether it is still wanted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, Self

from fabula.jobs.ledger import MAX_ATTEMPTS, JobLedger
from fabula.llm.cancel_token import CancelToken
from fabula.model.account import Identity
from fabula.model.job import Job
from fabula.store.job_reader import StoredJob
from fabula.store.job_writer import JobWriter
from fabula.store.querying import Querying

LEAST_REPORT_S = 0.25

JobProgress = Callable[[float, str], None]


class JobCaller(Protocol):
    """Whoever asks for a job: the work is done in their name."""

    @property
    def identity(self) -> Identity:
        """Who is asking."""

    def cancelled_by(self, cancel_token: CancelToken) -> Self:
        """The same caller, whose requests to a language model end when the token is cancelled."""


class HoldLost(Exception):
    """The job was cancelled, asked for anew or taken over, and what its work wrote last is not kept."""


class Task:
    """A job in the hands of its work."""

    def __init__(self, ledger: JobLedger, claimed: StoredJob, seen: JobProgress | None) -> None:
        self._ledger, self._seen = ledger, seen
        self.hold = ledger.hold_on(claimed)
        # Cut when the work is to stop: a model that thinks for minutes is not waited for.
        self.cancel_token = CancelToken()
        self._told = ledger.clock.monotonic() - LEAST_REPORT_S
        self.job: Job = claimed.job
        self.payload: dict[str, Any] = claimed.payload
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
        now = self._ledger.clock.monotonic()
        if self._seen is not None:
            self._seen(progress, message)
        if self.cancel_token.is_cancelled:
            self.is_stopped = True
        elif not self.is_stopped and now - self._told >= LEAST_REPORT_S:
            self._told = now
            self.is_stopped = not self._ledger.noted(self.hold, progress, message)
        return not self.is_stopped

    def insist(self, writer: Querying) -> None:
        """Raise HoldLost if the job is no longer this work's: nothing of the writer's step is kept then.

        Asked at the end of a step: until that is over, whoever would stop the job has to wait.
        """
        if not JobWriter(writer.connection).beat(self.hold, self._ledger.clock.now()):
            self.is_stopped = True
            raise HoldLost

    def parts(self) -> dict[int, bytes]:
        """What an earlier attempt has done, of work that is done part by part."""
        return self._ledger.parts(self.hold)

    def keep_part(self, part: int, content: bytes) -> bool:
        """Keep what is done, for a later attempt; False if the work is to stop."""
        if not self.is_stopped and not self._ledger.keeps_part(self.hold, part, content):
            self.is_stopped = True
        return not self.is_stopped

    def stop(self) -> None:
        """Ask the work to stop."""
        self.cancel_token.cancel()
