"""The indexes of the stories in use: a projection that its readers bring up to date before it answers."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

from fabula.index.story_index import FOLLOWED, LEAST_FOLLOWED, StoryIndex
from fabula.meters import LabelledCounter
from fabula.store.changes import Changes, changes_between
from fabula.store.kinds import (
    CHAPTER,
    ONTOLOGY,
    PROPOSAL,
    RELATION_TYPE,
    WAIVER,
)
from fabula.store.reader import Edition, Reader

# After so many single reads at a revision that the index has not reached, it pays to bring it there.
OUTDATED_READS = 4


class Held(NamedTuple):
    """The size of the cache: stories, their entities, and about how many bytes they take."""

    stories: int
    entities: int
    bytes: int


@dataclass(slots=True)
class _Place:
    """A story's slot in the cache: its users and waiters, its index if compiled, and its size in bytes.

    `outdated` counts the single reads that found the index behind.
    """

    lock: threading.Lock = field(default_factory=threading.Lock)
    users: int = 0
    index: StoryIndex | None = None
    weight: int = 0
    outdated: int = 0


class StoryIndexes:
    """A cache of story indexes, bounded in bytes; the least recently used is evicted first.

    Indexes in use and the most recently used one stay, so that a story larger than the bound still works.
    """

    name = "index"
    kinds = frozenset(FOLLOWED)
    waived = frozenset({CHAPTER, ONTOLOGY, PROPOSAL, RELATION_TYPE, WAIVER})
    most_changes = LEAST_FOLLOWED

    def __init__(self, room: int) -> None:
        self._room = room
        self._weight = 0
        self._places: OrderedDict[str, _Place] = OrderedDict()
        self._lock = threading.Lock()
        # Found up to date, brought up to date from the log, compiled from the rows; and evicted.
        self.lookups = LabelledCounter("found", "followed", "compiled")
        self.departures = LabelledCounter("room")

    def held(self) -> Held:
        """The current size of the cache."""
        with self._lock:
            indexes = [place.index for place in self._places.values() if place.index is not None]
            weight = self._weight
        return Held(len(indexes), sum(len(index.roster) for index in indexes), weight)

    @contextmanager
    def lease(self, reader: Reader, project_id: str) -> Iterator[StoryIndex]:
        """The story's index as of the reader's view, for one user at a time.

        Graph walks hold the interpreter's lock anyway, so taking turns costs nothing and the index
        may be changed in place.
        """
        with self._taken(project_id) as place:
            # An index whose update failed may be half updated, and is not kept.
            index, place.index = place.index, None
            place.index = self._current(index, reader, project_id)
            yield place.index

    @contextmanager
    def glimpse(self, reader: Reader, project_id: str) -> Iterator[StoryIndex | None]:
        """The story's index if it is compiled, free, and at the newest revision; else None, without delay.

        For answers that take a few rows: to compile the story, or to wait for others, would take longer. An
        index that is asked again and again at the same revision is brought up to date.
        """
        place = self._places.get(project_id)
        if place is None or not place.lock.acquire(blocking=False):
            yield None
            return
        try:
            yield self._newest(place, reader, project_id)
        finally:
            place.lock.release()

    def _newest(self, place: _Place, reader: Reader, project_id: str) -> StoryIndex | None:
        index = place.index
        if index is None:
            return None
        edition = reader.edition(project_id)
        if index.edition == edition:
            place.outdated = 0
            self.lookups.add("found")
            return index
        place.outdated += 1
        if place.outdated < OUTDATED_READS or index.edition.revision > edition.revision:
            return None
        place.outdated = 0
        place.index = None
        place.index = self._followed(index, reader, project_id, edition)
        return place.index

    def position(self, story: str) -> Edition:
        """Which edition of a story is compiled; an empty one if none is."""
        with self._taken(story) as place:
            return Edition("", 0) if place.index is None else place.index.edition

    def apply(self, story: str, changes: Changes, report: object = None) -> bool:
        """Bring the index of a story up to date; one that readers have moved on or let go is left alone."""
        with self._taken(story) as place:
            index = place.index
            if index is not None and index.edition == changes.since:
                place.index = None
                place.index = index if index.apply(changes) else None
        return True

    def rebuild(self, story: str, report: object = None) -> bool:
        """Let go of a story: the next reader compiles it from the rows."""
        self.forget(story)
        return True

    def forget(self, project_id: str) -> None:
        """Drop the index of a story."""
        with self._taken(project_id) as place:
            place.index = None

    @contextmanager
    def _taken(self, project_id: str) -> Iterator[_Place]:
        """A story's slot for one user at a time; afterwards it counts as most recently used."""
        with self._lock:
            place = self._places.setdefault(project_id, _Place())
            place.users += 1
        try:
            with place.lock:
                yield place
        finally:
            with self._lock:
                place.users -= 1
                self._settle(project_id, place)

    def _settle(self, project_id: str, place: _Place) -> None:
        weight = 0 if place.index is None else place.index.weight
        self._weight += weight - place.weight
        place.weight = weight
        self._places.move_to_end(project_id)
        if place.index is None and not place.users:
            del self._places[project_id]
        if self._weight > self._room:
            self._make_room()

    def _make_room(self) -> None:
        """Evict the least recently used stories until the others fit."""
        *others, _ = self._places.items()
        for project_id, place in others:
            if self._weight <= self._room:
                return
            if not place.users:
                del self._places[project_id]
                self._weight -= place.weight
                self.departures.add("room")

    def _current(self, index: StoryIndex | None, reader: Reader, project_id: str) -> StoryIndex:
        edition = reader.edition(project_id)
        if index is not None and index.edition.revision > edition.revision:
            reader.renew()
            edition = reader.edition(project_id)
        if index is not None and index.edition == edition:
            self.lookups.add("found")
            return index
        if index is not None and self._followed(index, reader, project_id, edition) is not None:
            return index
        self.lookups.add("compiled")
        return StoryIndex(reader, project_id)

    def _followed(
        self, index: StoryIndex, reader: Reader, project_id: str, edition: Edition
    ) -> StoryIndex | None:
        """Bring an index to an edition from the log; None if it is better to compile it anew."""
        changes = changes_between(reader, project_id, index.edition, edition, index.most_changes)
        if changes is None or not index.apply(changes):
            return None
        self.lookups.add("followed")
        return index
