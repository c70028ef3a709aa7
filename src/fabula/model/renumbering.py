"""How chapter and scene numbers change when a scene or chapter is moved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple, Protocol

from fabula.model.moment import Moment

ScenePlace = tuple[int, int]

# A place before the first chapter, which is always free.
ASIDE: ScenePlace = (-1, 0)


class Renumbering(Protocol):
    """A move as a one-to-one mapping of chapter numbers and scene places."""

    @property
    def span(self) -> tuple[int, int]:
        """The first and the last chapter that it touches."""

    def chapter(self, chapter: int) -> int:
        """The new number of a chapter."""

    def scene(self, chapter: int, scene: int) -> ScenePlace:
        """The new place of a scene."""


class ChapterMove(NamedTuple):
    """A chapter takes the number of another; the chapters between shift by one."""

    source: int
    target: int

    @property
    def span(self) -> tuple[int, int]:
        """The first and the last chapter that it touches."""
        return min(self), max(self)

    def chapter(self, chapter: int) -> int:
        """The new number of a chapter."""
        return _turned(chapter, self.source, self.target)

    def scene(self, chapter: int, scene: int) -> ScenePlace:
        """The new place of a scene."""
        return self.chapter(chapter), scene


class SceneMove(NamedTuple):
    """A scene moves to a place; the gap behind it closes, and scenes from the target on shift by one."""

    source: ScenePlace
    target: ScenePlace

    @property
    def span(self) -> tuple[int, int]:
        """The first and the last chapter that it touches."""
        ends = (self.source[0], self.target[0])
        return min(ends), max(ends)

    def chapter(self, chapter: int) -> int:
        """Chapters keep their numbers."""
        return chapter

    def scene(self, chapter: int, scene: int) -> ScenePlace:
        """The new place of a scene."""
        (from_chapter, from_scene), (to_chapter, to_scene) = self
        if (chapter, scene) == self.source:
            return self.target
        if from_chapter == to_chapter == chapter:
            return chapter, _turned(scene, from_scene, to_scene)
        if chapter == from_chapter and scene > from_scene:
            return chapter, scene - 1
        if chapter == to_chapter and scene >= to_scene:
            return chapter, scene + 1
        return chapter, scene


def renumbered(moment: Moment | None, move: Renumbering) -> Moment | None:
    """The moment after a move: it follows its scene, or its chapter if it names no scene."""
    if moment is None:
        return None
    if moment.scene is None:
        return Moment.trusted(chapter=move.chapter(moment.chapter), scene=None)
    chapter, scene = move.scene(moment.chapter, moment.scene)
    return Moment.trusted(chapter=chapter, scene=scene)


def without_collision(moves: Mapping[ScenePlace, ScenePlace]) -> Iterator[tuple[ScenePlace, ScenePlace]]:
    """The moves in an order in which each target is free when its turn comes.

    In a cycle, one scene is parked at `ASIDE` meanwhile.
    """
    waiting = {old: new for old, new in moves.items() if old != new}
    while waiting:
        row = [next(iter(waiting))]
        while (ahead := waiting[row[-1]]) in waiting and ahead != row[0]:
            row.append(ahead)
        is_ring = waiting[row[-1]] == row[0]
        if is_ring:
            yield row[0], ASIDE
        for old in reversed(row[is_ring:]):
            yield old, waiting[old]
        if is_ring:
            yield ASIDE, waiting[row[0]]
        for old in row:
            del waiting[old]


def _turned(number: int, source: int, target: int) -> int:
    """A number after the item at `source` has moved to `target` in the same sequence."""
    if number == source:
        return target
    if source < number <= target:
        return number - 1
    return number + 1 if target <= number < source else number
