"""The indexes of the stories in use, each brought up to date before it answers."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from fabula.index.story_index import StoryIndex
from fabula.meters import Tally
from fabula.store.reader import Edition, Reader


class Held(NamedTuple):
    """How much is compiled: stories, and entities of all of them."""

    stories: int
    entities: int


class StoryIndexes:
    """A bounded number of story indexes; the one used longest ago goes first."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._indexes: OrderedDict[str, StoryIndex] = OrderedDict()
        self._locks: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()
        # Found as it was, brought up to date from the log, compiled from the rows; and let go to make room.
        self.lookups = Tally("found", "followed", "compiled")
        self.departures = Tally("room")

    def held(self) -> Held:
        """How much is compiled at the moment."""
        with self._lock:
            indexes = list(self._indexes.values())
        return Held(len(indexes), sum(len(index.roster) for index in indexes))

    @contextmanager
    def lease(self, reader: Reader, project_id: str) -> Iterator[StoryIndex]:
        """The story's index as of the reader's view, for one user at a time.

        The walks hold the interpreter's lock anyway, so taking turns costs nothing and the index
        may be changed in place.
        """
        with self._lock_of(project_id):
            yield self._current(reader, project_id)

    def forget(self, project_id: str) -> None:
        """Let go of a story."""
        with self._lock_of(project_id), self._lock:
            self._indexes.pop(project_id, None)

    def _lock_of(self, project_id: str) -> threading.Lock:
        with self._lock:
            return self._locks.setdefault(project_id, threading.Lock())

    def _current(self, reader: Reader, project_id: str) -> StoryIndex:
        with self._lock:
            index = self._indexes.get(project_id)
        edition = reader.edition(project_id)
        if index is not None and index.edition.revision > edition.revision:
            reader.renew()
            edition = reader.edition(project_id)
        was_current = index is not None and index.edition == edition
        if index is None or not _brought_up_to(index, reader, edition):
            self.lookups.add("compiled")
            index = StoryIndex(reader, project_id)
        else:
            self.lookups.add("found" if was_current else "followed")
        with self._lock:
            self._indexes[project_id] = index
            self._indexes.move_to_end(project_id)
            while len(self._indexes) > self._capacity:
                self._indexes.popitem(last=False)
                self.departures.add("room")
        return index


def _brought_up_to(index: StoryIndex, reader: Reader, edition: Edition) -> bool:
    if index.edition == edition:
        return True
    if index.edition.began != edition.began or index.edition.revision > edition.revision:
        return False
    return index.follow(reader, edition)
