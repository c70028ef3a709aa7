"""A job as seen by the code that runs it: its payload, its progress, and whether it should stop."""

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
    """The caller who requests a job, on whose behalf it runs."""

    @property
    def identity(self) -> Identity:
        """Who is calling."""

    def cancelled_by(self, cancel_token: CancelToken) -> Self:
        """Return the same caller with its language model requests ending when the token is cancelled."""


class HoldLost(Exception):
    """The job was cancelled, requested anew or taken over, so the last write is rolled back."""


class Task:
    """A job while it is running."""

    def __init__(self, ledger: JobLedger, claimed: StoredJob, seen: JobProgress | None) -> None:
        self._ledger, self._seen = ledger, seen
        self.hold = ledger.hold_on(claimed)
        # Cancelled when the job is to stop, so that a slow model is not waited for.
        self.cancel_token = CancelToken()
        self._told = ledger.clock.monotonic() - LEAST_REPORT_S
        self.job: Job = claimed.job
        self.payload: dict[str, Any] = claimed.payload
        self.is_stopped = False

    @property
    def project_id(self) -> str:
        """The story's id."""
        return self.job.story_id

    @property
    def is_last_attempt(self) -> bool:
        """Whether a failure now ends the job for good."""
        return self.job.attempts >= MAX_ATTEMPTS

    def report(self, progress: float, message: str) -> bool:
        """Report progress from 0 to 1; return False if the work must stop and write nothing more."""
        now = self._ledger.clock.monotonic()
        if self._seen is not None:
            self._seen(progress, message)
        if self.cancel_token.is_cancelled:
            self.is_stopped = True
        elif not self.is_stopped and (progress >= 1 or now - self._told >= LEAST_REPORT_S):
            self._told = now
            self.is_stopped = not self._ledger.noted(self.hold, progress, message)
        return not self.is_stopped

    def insist(self, writer: Querying) -> None:
        """Raise HoldLost if another worker owns the job now, so that the writer's step is rolled back.

        Call it at the end of a step: anyone who wants to stop the job must wait until the step is over.
        """
        if not JobWriter(writer.connection).beat(self.hold, self._ledger.clock.now()):
            self.is_stopped = True
            raise HoldLost

    def parts(self) -> dict[int, bytes]:
        """Return the parts that an earlier attempt has finished."""
        return self._ledger.parts(self.hold)

    def keep_part(self, part: int, content: bytes) -> bool:
        """Save a finished part for a later attempt; return False if the work must stop."""
        if not self.is_stopped and not self._ledger.keeps_part(self.hold, part, content):
            self.is_stopped = True
        return not self.is_stopped

    def stop(self) -> None:
        """Ask the job to stop."""
        self.cancel_token.cancel()
