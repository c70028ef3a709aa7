"""When the database says no: another was quicker, or it does not answer."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from itertools import count
from typing import ParamSpec, TypeVar

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as NoConnectionFree

from fabula.errors import (
    Contended,
    DatabaseDamaged,
    DatabaseInterrupted,
    DatabaseRefused,
    DatabaseUnreachable,
    DiskFull,
    FabulaError,
    OutcomeUnknown,
)
from fabula.meters import LabelledCounter
from fabula.store.dialect import trouble, words_of

log = logging.getLogger("fabula.store")

TRIES = 6
FIRST_PAUSE_S = 0.01
# Who has waited so long for a lock is answered, and may ask again.
PATIENCE_S = 10.0

T = TypeVar("T")
P = ParamSpec("P")

# What was tried again because another was quicker or a connection broke, and what was given up.
retries = LabelledCounter("again", "in vain")

# How many transactions were committed here: in this thread, or this task of an event loop.
_commits: ContextVar[int] = ContextVar("commits", default=0)


# How often a write is tried at most. If it was the write itself that broke the connection, twice is enough.
_TRIES: dict[type[FabulaError], int] = {Contended: TRIES, DatabaseInterrupted: 2}


def for_operators(error: DatabaseUnreachable) -> DatabaseUnreachable:
    """The same error with what the database said, which may name it: only for whoever runs the server."""
    said = words_of(error.__cause__) if isinstance(error.__cause__, DBAPIError) else None
    return type(error)(f"{error.message} It said: {said}") if said else error


@contextmanager
def explained() -> Iterator[None]:
    """Say what an error of the database means, without its inside."""
    try:
        yield
    except NoConnectionFree as error:
        raise DatabaseUnreachable("No connection to the database is free.") from error
    except DBAPIError as error:
        match trouble(error):
            case "contended":
                raise Contended("Somebody else changed the same at the same time.") from error
            case "unreachable":
                said = words_of(error)
                log.warning("unreachable", extra={"reason": type(error.orig).__name__, "said": said})
                kind = DatabaseInterrupted if error.connection_invalidated else DatabaseUnreachable
                raise kind("The database does not answer.") from error
            case "forbidden":
                log.error("forbidden", extra={"reason": type(error.orig).__name__})
                raise DatabaseRefused("The database may only be read, or not by this account.") from error
            case "full":
                log.error("full")
                raise DiskFull("There is no room left for the database.") from error
            case "damaged":
                log.error("damaged", extra={"reason": type(error.orig).__name__})
                raise DatabaseDamaged("The database is damaged.") from error
        raise


@contextmanager
def keeping() -> Iterator[None]:
    """The moment in which a transaction is kept: if the database falls silent now, nobody knows."""
    try:
        yield
    except DBAPIError as error:
        if trouble(error) != "unreachable":
            raise
        log.warning("in doubt", extra={"reason": type(error.orig).__name__})
        raise OutcomeUnknown(
            "The database fell silent while this was being written.", details={"outcome": "unknown"}
        ) from error


def note_commit() -> None:
    """Remember that something was written for good."""
    _commits.set(_commits.get() + 1)


def repeatable(work: Callable[P, T]) -> Callable[P, T]:
    """Let work be done again when another was quicker or a connection broke, as long as nothing is written.

    Whoever opens a transaction to write is such work: a `with` block cannot be run twice, a function can.
    """

    @wraps(work)
    def worked(*args: P.args, **kwargs: P.kwargs) -> T:
        over = time.monotonic() + PATIENCE_S
        for number in count():
            before = _commits.get()
            try:
                return work(*args, **kwargs)
            except (Contended, DatabaseInterrupted) as error:
                if error.was_retried:
                    raise
                if number + 1 >= _TRIES[type(error)] or time.monotonic() > over or _commits.get() != before:
                    error.was_retried = True
                    retries.add("in vain")
                    raise
                retries.add("again")
            # Not in step with the other, or both would meet again.
            time.sleep(FIRST_PAUSE_S * 2**number * random.uniform(0.5, 1.5))
        raise AssertionError("unreachable")

    return worked
