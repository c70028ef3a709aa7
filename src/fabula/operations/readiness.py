"""Whether the house can be asked: its database answers, its schema is the newest, its crew stands by."""

from __future__ import annotations

from typing import NamedTuple

from fabula.call import Call
from fabula.errors import FabulaError
from fabula.model.job import JobStatus


class Condition(NamedTuple):
    """What is in order and what is not."""

    database: bool
    schema: bool
    crew: bool

    @property
    def is_ready(self) -> bool:
        """Whether everything is in order."""
        return all(self)


def condition(call: Call) -> Condition:
    """Look at the house; a database that does not answer is an answer here, and no error."""
    try:
        with call.store.read() as reader:
            database, schema = True, reader.has_newest_schema()
    except FabulaError:
        database = schema = False
    return Condition(database, schema, call.jobs.crew.is_standing)


def jobs_by_status(call: Call) -> dict[JobStatus, int]:
    """How many jobs of all stories wait, are being done, or ended how."""
    with call.store.read() as reader:
        return reader.jobs.by_status()
