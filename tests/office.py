"""A board of jobs and a crew of one process, whose only work is what a test says."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

from fabula.call import Call
from fabula.jobs.board import JobBoard
from fabula.jobs.crew import Crew
from fabula.jobs.task import Task
from fabula.memory import Memory
from fabula.model.clock import Clock
from fabula.model.job import Job
from fabula.store.writer import Writer

KIND = "reading"


class Office:
    """A board with a crew of one process, whose only work is what the test says."""

    def __init__(self, memory: Memory, clock: Clock, story: str) -> None:
        self.call, self.clock, self.story = memory.call(), clock, story
        self.work: Callable[[Task], object] = lambda task: None
        self.crew = Crew(self.call.store, clock, {KIND: self._do}, memory.call)
        self.board = JobBoard(self.call.store, clock, self.crew)

    def _do(self, call: Call, task: Task) -> None:
        self.work(task)

    def queue(self, subject: str = "0/0", delay: float = 0, **payload: object) -> Job:
        # The queue is emptied by hand, so nobody is to be woken.
        with self.writing() as writer:
            return self.board.queue(
                self.call, KIND, self.story, subject, "", payload, delay=delay, writer=writer
            )

    def writing(self) -> AbstractContextManager[Writer]:
        return self.call.store.write(self.story, Writer, action="test", actor="test")

    def status(self, job: Job) -> str:
        return self.board.job(job.id).status
