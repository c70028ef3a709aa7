"""When a fact is true, in the telling and in the story's own time, and when it is told."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any, Protocol

from fabula.model.moment import Moment, first_instant, last_instant
from fabula.model.relation import Period
from fabula.model.world_time import WorldTime, WorldTimeGiven


class Validity(Period):
    """When something is true, in both clocks, and when the telling establishes it."""

    valid_from: WorldTime | None = None
    valid_to: WorldTime | None = None
    told: Moment | None = None


class ValidityGiven(Period):
    """The same in a request: a world time may be a number, a date, or relative to a scene or an event."""

    valid_from: WorldTimeGiven | None = None
    valid_to: WorldTimeGiven | None = None
    told: Moment | None = None


# The fields of a fact's validity beyond `since` and `until`.
VALIDITY = ("valid_from", "valid_to", "told")
WHEN = ("since", "until", *VALIDITY)
NOT_DATED: dict[str, Any] = dict.fromkeys(VALIDITY)
# Of two facts that differ in nothing else, the beginnings tell which is which.
FactStart = tuple[int, float | None]


class HasPeriods(Protocol):
    """Something with a period in both clocks."""

    @property
    def since(self) -> Moment | None:
        """The moment from which it is true."""

    @property
    def until(self) -> Moment | None:
        """The last moment at which it is true."""

    @property
    def valid_from(self) -> WorldTime | None:
        """The world time from which it is true."""

    @property
    def valid_to(self) -> WorldTime | None:
        """The last world time at which it is true."""


class DatedFact(HasPeriods, Protocol):
    """A fact with a period in both clocks, and the moment at which it is told."""

    @property
    def told(self) -> Moment | None:
        """The moment at which the telling establishes it, if the author says so."""


def end_of_day(day: float) -> float:
    """The last instant of a world time as the end of a period: a whole day lasts until midnight."""
    return day + 1 - 1e-9 if day == int(day) else day


def is_forward_in_world(start: WorldTime | None, end: WorldTime | None) -> bool:
    """Whether a period of world time does not end before it begins."""
    return start is None or end is None or start.day <= end_of_day(end.day)


def beginning(since: Moment | None, valid_from: WorldTime | None) -> FactStart:
    """The beginning of a fact in both clocks, which is part of a relation's identity."""
    return first_instant(since), None if valid_from is None else valid_from.day


def in_order(start: FactStart) -> tuple[int, float]:
    """A beginning as a sortable key."""
    return start[0], float("-inf") if start[1] is None else start[1]


def spans_of(facts: Sequence[HasPeriods]) -> list[tuple[float, float]]:
    """The periods of facts on one clock: in world time if all of them have one, else in the telling."""
    if all(fact.valid_from or fact.valid_to for fact in facts):
        return [
            (
                fact.valid_from.day if fact.valid_from else -inf,
                end_of_day(fact.valid_to.day) if fact.valid_to else inf,
            )
            for fact in facts
        ]
    return [(first_instant(fact.since), last_instant(fact.until)) for fact in facts]
