"""Readiness: whether the database answers, its schema is current, and the job workers run."""

from __future__ import annotations

from typing import NamedTuple

from fabula.call import Call
from fabula.errors import FabulaError
from fabula.model.job import JobStatus


class Condition(NamedTuple):
    """The state of each part that must be ready."""

    database: bool
    schema: bool
    crew: bool

    @property
    def is_ready(self) -> bool:
        """Whether everything is ready."""
        return all(self)


def condition(call: Call) -> Condition:
    """Check readiness; an unreachable database is a result here, not an error."""
    try:
        with call.store.read() as reader:
            database, schema = True, reader.has_newest_schema()
    except FabulaError:
        database = schema = False
    return Condition(database, schema, call.jobs.crew.is_standing)


def jobs_by_status(call: Call) -> dict[JobStatus, int]:
    """Return the number of jobs of all stories by status."""
    with call.store.read() as reader:
        return reader.jobs.by_status()
