"""When the database says no: another was quicker, or it does not answer."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
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

T = TypeVar("T")
P = ParamSpec("P")

# What was tried again because another was quicker, and what was given up.
retries = Tally("again", "in vain")

# How many transactions the work at hand has committed; None outside of any such work.
_committed: ContextVar[list[None] | None] = ContextVar("committed", default=None)


class Contended(Conflict):
    """Somebody else wrote the same at the same time, and nothing of this was written."""

    default_suggestion = "Nothing was written. Send the same request again."


class Unreachable(InternalError):
    """The database does not answer."""

    status = 503
    default_suggestion = "Nothing was written. Try again when the database is running."


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


def note_commit() -> None:
    """Remember that the work at hand has written something for good."""
    deeds = _committed.get()
    if deeds is not None:
        deeds.append(None)


def repeated(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Do work, and again when another was quicker, as long as nothing of it is written."""
    if _committed.get() is not None:
        return work(*args, **kwargs)
    for number in range(TRIES):
        deeds: list[None] = []
        token = _committed.set(deeds)
        try:
            return work(*args, **kwargs)
        except Contended:
            if deeds or number == TRIES - 1:
                retries.add("in vain")
                raise
            retries.add("again")
        finally:
            _committed.reset(token)
        # Not in step with the other, or both would meet again.
        time.sleep(FIRST_PAUSE_S * 2**number * random.uniform(0.5, 1.5))
    raise AssertionError("unreachable")
