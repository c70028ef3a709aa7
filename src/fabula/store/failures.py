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

from fabula.errors import Conflict, InternalError
from fabula.meters import Tally
from fabula.store.damage import Damaged, DiskFull
from fabula.store.dialect import trouble

log = logging.getLogger("fabula.store")

TRIES = 6
FIRST_PAUSE_S = 0.01
# Who has waited so long for a lock is answered, and may ask again.
PATIENCE_S = 10.0

T = TypeVar("T")
P = ParamSpec("P")

# What was tried again because another was quicker, and what was given up.
retries = Tally("again", "in vain")

# How many transactions were committed here: in this thread, or this task of an event loop.
_commits: ContextVar[int] = ContextVar("commits", default=0)


class Contended(Conflict):
    """Somebody else wrote the same at the same time, and nothing of this was written."""

    default_suggestion = "Nothing was written. Send the same request again."
    # Whether it was tried often enough; whoever called the one who gave up need not begin anew.
    is_final = False


class Unreachable(InternalError):
    """The database does not answer."""

    status = 503
    default_suggestion = "Nothing was written. Try again when the database is running."


class InDoubt(Unreachable):
    """The database was told to keep something, and did not say that it has."""

    default_suggestion = "It may have been written or not. Look before you send it again."


@contextmanager
def explained() -> Iterator[None]:
    """Say what an error of the database means, without its inside."""
    try:
        yield
    except NoConnectionFree as error:
        raise Unreachable("No connection to the database is free.") from error
    except DBAPIError as error:
        match trouble(error):
            case "contended":
                raise Contended("Somebody else changed the same at the same time.") from error
            case "unreachable":
                log.warning("unreachable", extra={"reason": type(error.orig).__name__})
                raise Unreachable("The database does not answer.") from error
            case "full":
                log.error("full")
                raise DiskFull("There is no room left for the database.") from error
            case "damaged":
                log.error("damaged", extra={"reason": type(error.orig).__name__})
                raise Damaged("The database is damaged.") from error
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
        raise InDoubt(
            "The database fell silent while this was being written.", details={"outcome": "unknown"}
        ) from error


def note_commit() -> None:
    """Remember that something was written for good."""
    _commits.set(_commits.get() + 1)


def repeatable(work: Callable[P, T]) -> Callable[P, T]:
    """Let work be done again when another was quicker, as long as nothing of it is written.

    Whoever opens a transaction to write is such work: a `with` block cannot be run twice, a function can.
    """

    @wraps(work)
    def worked(*args: P.args, **kwargs: P.kwargs) -> T:
        over = time.monotonic() + PATIENCE_S
        for number in count():
            before = _commits.get()
            try:
                return work(*args, **kwargs)
            except Contended as error:
                if error.is_final:
                    raise
                if number + 1 == TRIES or time.monotonic() > over or _commits.get() != before:
                    error.is_final = True
                    retries.add("in vain")
                    raise
                retries.add("again")
            # Not in step with the other, or both would meet again.
            time.sleep(FIRST_PAUSE_S * 2**number * random.uniform(0.5, 1.5))
        raise AssertionError("unreachable")

    return worked
