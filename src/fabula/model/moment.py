"""Positions in the manuscript: chapter and scene, both counted from 0."""

from __future__ import annotations

from pydantic import Field

from fabula.model.wire import Value

SCENE_BITS = 20
MAX_SCENE = (1 << SCENE_BITS) - 1
MAX_CHAPTER = (1 << 31) - 1
FOREVER = (MAX_CHAPTER + 1) << SCENE_BITS


class Moment(Value):
    """A position in the manuscript.

    A moment without a scene is the start of its chapter, except as the end of a period,
    where it means the whole chapter.
    """

    chapter: int = Field(ge=0, le=MAX_CHAPTER, strict=True)
    scene: int | None = Field(default=None, ge=0, le=MAX_SCENE, strict=True)


def instant_of(chapter: int, scene: int) -> int:
    """The position of a scene as one sortable number."""
    return (chapter << SCENE_BITS) | scene


def place_of(instant: int) -> tuple[int, int]:
    """The chapter and the scene of an instant."""
    return instant >> SCENE_BITS, instant & MAX_SCENE


def first_instant(moment: Moment | None) -> int:
    """The first instant of a moment, as the start of a period; -1, before everything, for None."""
    return -1 if moment is None else instant_of(moment.chapter, moment.scene or 0)


def last_instant(moment: Moment | None) -> int:
    """The last instant of a moment, as the end of a period; after everything for None."""
    if moment is None:
        return FOREVER
    return (moment.chapter << SCENE_BITS) | (MAX_SCENE if moment.scene is None else moment.scene)


def has_begun(since: Moment | None, now: int) -> bool:
    """Whether what is true since a moment is true at an instant or was before it."""
    return since is None or first_instant(since) <= now


def is_over(until: Moment | None, now: int) -> bool:
    """Whether what is true until a moment was last true before an instant."""
    return until is not None and last_instant(until) < now
