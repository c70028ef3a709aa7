"""Threads: promises to the reader, from the plant to the pay-off."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from typing import Literal, NamedTuple

from fabula.model.evidence import Quoted
from fabula.model.fact import Secrecy
from fabula.model.level import AiContextLevel
from fabula.model.moment import MAX_CHAPTER, SCENE_BITS, Moment, first_instant, last_instant
from fabula.model.wire import Value

MOST_POINTS = 500
MOST_PEOPLE = 200

PointRole = Literal["plants", "advances", "payoffs"]
POINT_ROLES: tuple[PointRole, ...] = ("plants", "advances", "payoffs")


class ThreadKind(StrEnum):
    """What is promised."""

    MYSTERY = "mystery"
    PROMISE = "promise"
    CLUE = "clue"
    GOAL = "goal"
    DEBT = "debt"
    PROP = "prop"


class ThreadStatus(StrEnum):
    """Where a thread stands at a moment, the most pressing first."""

    OVERDUE = "overdue"
    DUE = "due"
    PAID_IN_PART = "paid_in_part"
    OPEN = "open"
    PLANNED = "planned"
    PAID = "paid"
    DROPPED = "dropped"


# A thread of which the reader knows and that is not settled.
UNSETTLED = frozenset((ThreadStatus.OPEN, ThreadStatus.DUE, ThreadStatus.OVERDUE, ThreadStatus.PAID_IN_PART))
_URGENCY = {status: place for place, status in enumerate(ThreadStatus)}


class ThreadPoint(Quoted):
    """A quotation from a scene in which a thread is planted, advanced or paid off.

    `partial` is for a pay-off that settles only a part of it.
    """

    id: str
    partial: bool = False


class Thread(Value):
    """A promise to the reader.

    It is due at a moment, or within some chapters after it was planted, or at no time in particular. `note`
    is the author's own and never told to a model. Of a private one those know who are said to, and who
    are present where it is planted, advanced or paid off.
    """

    id: str
    project_id: str
    title: str
    kind: ThreadKind
    note: str
    people: tuple[str, ...]
    plants: tuple[ThreadPoint, ...]
    advances: tuple[ThreadPoint, ...]
    payoffs: tuple[ThreadPoint, ...]
    due: Moment | None
    due_within: int | None
    dropped: bool
    ai_context_level: AiContextLevel
    secrecy: Secrecy
    version: int
    created_at: str
    updated_at: str

    @property
    def points(self) -> Iterator[ThreadPoint]:
        """All points: plants, advances, pay-offs."""
        for role in POINT_ROLES:
            yield from self.points_of(role)

    def points_of(self, role: PointRole) -> tuple[ThreadPoint, ...]:
        """The points of one role."""
        points: tuple[ThreadPoint, ...] = getattr(self, role)
        return points

    def keeping(self, keeps: Callable[[ThreadPoint], bool]) -> Thread:
        """The thread with some of its points only."""
        return self.model_copy(
            update={role: tuple(filter(keeps, self.points_of(role))) for role in POINT_ROLES}
        )


class ThreadStanding(NamedTuple):
    """Where a thread stands at a moment: its status, when it is due, and the points told by then.

    `begun` is the instant of its first point told by then.
    """

    status: ThreadStatus
    due: Moment | None
    told: Mapping[PointRole, tuple[ThreadPoint, ...]]
    begun: int | None

    @property
    def urgency(self) -> tuple[int, int, int]:
        """A key that sorts the most pressing first: by status, by when it is due, by age."""
        return _URGENCY[self.status], last_instant(self.due), -1 if self.begun is None else self.begun


def standing(thread: Thread, scenes: Mapping[str, int], told: int, now: int) -> ThreadStanding:
    """Where a thread stands at an instant `now`, when the scenes up to the instant `told` have been read.

    `scenes` maps ids to instants. Points of later scenes do not exist then, and whether something is due does
    not depend on them either.
    """
    known = {
        role: tuple(one for one in thread.points_of(role) if scenes.get(one.scene_id, now + 1) <= told)
        for role in POINT_ROLES
    }
    begun = min((scenes[one.scene_id] for own in known.values() for one in own), default=None)
    due = _due(thread, begun)
    return ThreadStanding(_status(thread, known, begun, due, now), due, known, begun)


def _due(thread: Thread, begun: int | None) -> Moment | None:
    if thread.due_within is None or begun is None:
        return thread.due
    return Moment(chapter=min((begun >> SCENE_BITS) + thread.due_within, MAX_CHAPTER))


def _status(
    thread: Thread,
    known: Mapping[PointRole, tuple[ThreadPoint, ...]],
    begun: int | None,
    due: Moment | None,
    now: int,
) -> ThreadStatus:
    if thread.dropped:
        return ThreadStatus.DROPPED
    if any(not one.partial for one in known["payoffs"]):
        return ThreadStatus.PAID
    if begun is None:
        return ThreadStatus.PLANNED
    if due is not None:
        if last_instant(due) < now:
            return ThreadStatus.OVERDUE
        if first_instant(Moment(chapter=due.chapter)) <= now:
            return ThreadStatus.DUE
    return ThreadStatus.PAID_IN_PART if known["payoffs"] else ThreadStatus.OPEN
