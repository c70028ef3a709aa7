"""Database errors: their translation, and retries after contention or a broken connection."""

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
# After waiting this long for a lock, the caller gets the error and may retry.
PATIENCE_S = 10.0

T = TypeVar("T")
P = ParamSpec("P")

# Retries after contention or a broken connection, and those given up.
retries = LabelledCounter("again", "in vain")

# The number of commits in this thread or task.
_commits: ContextVar[int] = ContextVar("commits", default=0)


# The maximum number of attempts. If the write itself broke the connection, two are enough.
_TRIES: dict[type[FabulaError], int] = {Contended: TRIES, DatabaseInterrupted: 2}


def for_operators(error: DatabaseUnreachable) -> DatabaseUnreachable:
    """Return the same error with the database's own message, which may name it: for operators only."""
    said = words_of(error.__cause__) if isinstance(error.__cause__, DBAPIError) else None
    return type(error)(f"{error.message} It said: {said}") if said else error


@contextmanager
def explained() -> Iterator[None]:
    """Translate database errors, without their internals."""
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
    """Guard a commit: if the connection is lost now, its outcome is unknown."""
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
    """Count a commit."""
    _commits.set(_commits.get() + 1)


def repeatable(work: Callable[P, T]) -> Callable[P, T]:
    """Retry a function after contention or a broken connection, as long as nothing was committed.

    Use it on functions that open a write transaction: a `with` block cannot be run twice, a function can.
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
            # Randomized, or both writers would collide again.
            time.sleep(FIRST_PAUSE_S * 2**number * random.uniform(0.5, 1.5))
        raise AssertionError("unreachable")

    return worked
