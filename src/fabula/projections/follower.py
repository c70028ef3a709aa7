"""The one follower of the change log in a process: it looks for every projection, and each catches up.

What is written in this process rings the store's bell and is looked at right away; what other processes
write is found by looking every half second, with one question about all stories. Each projection catches up
in a thread of its own, so that one that is slow or broken keeps no other waiting. What goes wrong is logged
once and tried again; it never reaches the one who changed the story.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from fabula.errors import FabulaError, NotFound
from fabula.projections.projection import Projection, catch_up
from fabula.projections.schedule import Schedule, retry_after
from fabula.store.export_reader import editions
from fabula.store.reader import Edition
from fabula.store.store import Store

LOOK_EVERY_SECONDS = 0.5
# What is written quickly one after the other is looked at together.
LEAST_PAUSE_SECONDS = 0.05
# A database that does not answer is asked less and less often.
LONGEST_PAUSE_SECONDS = 5.0
# The status of an error that is not about one story: the projection, or the database, cannot be reached.
UNAVAILABLE = 503

log = logging.getLogger("fabula.follower")


class Look(NamedTuple):
    """How far stories are: all of interest if the look is whole, else those that changed in this process."""

    editions: Mapping[str, Edition]
    is_whole: bool
    gone: Collection[str] = ()


NOTHING_SEEN = Look({}, is_whole=False)


@dataclass(frozen=True)
class Way:
    """How a projection is followed.

    `stories` are those of interest, None for all. `positions` says where the projection is in all stories at
    once, where that is cheaper than asking for each. `look` is called at every look. One that `finishes` is
    brought up to date with what changed since it was followed before it ends.
    """

    projection: Projection
    quiet: float = 0.0
    longest: float = 0.0
    finishes: bool = False
    stories: Callable[[], Collection[str] | None] = lambda: None
    positions: Callable[[], Mapping[str, Edition]] = field(default=dict)
    look: Callable[[Look], object] = lambda look: None


class Follower:
    """Lets projections follow the stories of a store for as long as there is any."""

    def __init__(self, store: Store, monotonic: Callable[[], float]) -> None:
        self._store, self._monotonic = store, monotonic
        self._lock = threading.Lock()
        self._lanes: list[_Lane] = []
        self._rung: set[str] = set()
        self._bell = threading.Event()
        self._thread: threading.Thread | None = None
        self._unfollowed: list[_Lane] = []
        self._closing = threading.Event()

    def follow(self, way: Way) -> Callable[[], None]:
        """Let a projection follow from now on; what ends that without waiting for it."""
        lane = _Lane(self._store, way, self._monotonic, self._editions(None) if way.finishes else {})
        with self._lock:
            if self._closing.is_set():
                return lambda: None
            self._lanes.append(lane)
            lane.start()
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, daemon=True, name="follower")
                self._thread.start()
        return lambda: self._unfollow(lane)

    def close(self) -> None:
        """Stop looking, let every projection end what it is at, and finish those that are to be finished."""
        with self._lock:
            self._closing.set()
            lanes, self._lanes, thread = self._lanes, [], self._thread
        self._bell.set()
        if thread is not None:
            thread.join()
        for lane in lanes:
            lane.stop()
        for lane in (*lanes, *self._unfollowed):
            lane.join()

    def _unfollow(self, lane: _Lane) -> None:
        lane.stop()
        with self._lock:
            if lane in self._lanes:
                self._lanes.remove(lane)
                self._unfollowed = [lane, *(one for one in self._unfollowed if one.is_alive())]
        self._bell.set()

    def _ring(self, story: str) -> None:
        with self._lock:
            if any(lane.is_interested_in(story) for lane in self._lanes):
                self._rung.add(story)
                self._bell.set()

    def _watch(self) -> None:
        """Look until nobody follows any more."""
        unhear = self._store.hear(self._ring)
        pause, whole_at = LOOK_EVERY_SECONDS, self._monotonic()
        while lanes := self._still_following(unhear):
            now = self._monotonic()
            is_whole = now >= whole_at
            look = self._look(lanes, is_whole=is_whole)
            if is_whole:
                pause = min(LONGEST_PAUSE_SECONDS, 2 * pause) if look is None else LOOK_EVERY_SECONDS
                whole_at = now + pause
            for lane in lanes:
                lane.take(NOTHING_SEEN if look is None else look)
            self._closing.wait(LEAST_PAUSE_SECONDS)
            self._bell.wait(max(0.0, whole_at - self._monotonic()))

    def _still_following(self, unhear: Callable[[], None]) -> list[_Lane]:
        """Those who follow; if nobody does, this thread ends and the next who follows begins another."""
        self._bell.clear()
        with self._lock:
            if not self._lanes:
                unhear()
                self._thread = None
            return list(self._lanes)

    def _look(self, lanes: Collection[_Lane], *, is_whole: bool) -> Look | None:
        """How far stories are; None if that cannot be known now."""
        with self._lock:
            rung, self._rung = self._rung, set()
        try:
            if not is_whole:
                found = self._editions(rung)
                return Look(found, is_whole=False, gone=rung - found.keys())
            wanted = [lane.stories() for lane in lanes]
            asked = None if None in wanted else {story for some in wanted for story in some or ()}
            return Look(self._editions(asked), is_whole=True)
        except FabulaError:  # whoever knows the database has logged it
            return None
        except Exception:
            log.exception("failed")
            return None

    def _editions(self, asked: Collection[str] | None) -> dict[str, Edition]:
        if asked is not None and not asked:
            return {}
        with self._store.read() as reader:
            return editions(reader, asked)


class _Lane:
    """One projection on its way through the stories, in a thread of its own."""

    def __init__(
        self, store: Store, way: Way, monotonic: Callable[[], float], begun: Mapping[str, Edition]
    ) -> None:
        self._store, self._way, self._monotonic, self._begun = store, way, monotonic, begun
        self._schedule = Schedule(way.quiet, way.longest)
        self._knows_positions = False
        self._failures, self._not_before = 0, 0.0
        self._looks: list[Look] = []
        self._wake = threading.Condition()
        self._leaving = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True, name=f"follower-{way.projection.name}")

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def take(self, look: Look) -> None:
        """Let the lane see what was seen, when it has time; of whole looks the newest is enough."""
        with self._wake:
            if look.is_whole:
                self._looks.clear()
            self._looks.append(look)
            self._wake.notify()

    def stop(self) -> None:
        """Let the lane end as soon as it can."""
        self._leaving.set()
        with self._wake:
            self._wake.notify()

    def is_alive(self) -> bool:
        """Whether the lane has not ended yet."""
        return self._thread.is_alive()

    def join(self) -> None:
        """Wait until the lane has ended."""
        self._thread.join()

    def stories(self) -> Collection[str] | None:
        """The stories of interest; None for all."""
        return self._way.stories()

    def is_interested_in(self, story: str) -> bool:
        """Whether a change of this story is of interest."""
        wanted = self._way.stories()
        return wanted is None or story in wanted

    def _run(self) -> None:
        while not self._leaving.is_set():
            with self._wake:
                self._wake.wait_for(lambda: self._looks or self._leaving.is_set())
                looks, self._looks = self._looks, []
            for look in looks:
                self._round(look)
        if self._way.finishes:
            self._finish()

    def _round(self, look: Look) -> None:
        """Do what is due; if the projection itself cannot be reached, leave it alone for a while."""
        if self._leaving.is_set():
            return
        now = self._monotonic()
        wanted = self._way.stories()
        seen = {story: at for story, at in look.editions.items() if wanted is None or story in wanted}
        try:
            if now >= self._not_before:
                if not self._knows_positions:
                    self._schedule.know(self._way.positions())
                    self._knows_positions = True
                self._way.look(look)
            due = self._schedule.due(now, seen)
            if look.is_whole:
                self._schedule.keep(seen)
            if now >= self._not_before:
                for story in due:
                    self._catch_up(story)
                self._failures = 0
        except Exception as error:
            self._failures += 1
            self._not_before = self._monotonic() + retry_after(self._failures)
            self._knows_positions = False
            if self._failures == 1:
                self._tell_failure(error)

    def _catch_up(self, story: str) -> None:
        """Catch up with one story; one that fails keeps no other waiting."""
        if self._leaving.is_set():
            return
        try:
            expected = self._schedule.edition(story)
            if catch_up(self._store, self._way.projection, story, self._goes_on, expected=expected):
                self._schedule.done(story)
        except NotFound:
            self._schedule.done(story)
        except Exception as error:
            if isinstance(error, FabulaError) and error.status == UNAVAILABLE:
                raise
            if self._schedule.failed(story, self._monotonic()) == 1:
                self._tell_failure(error, story)

    def _goes_on(self, done: int, total: int) -> bool:
        return not self._leaving.is_set()

    def _finish(self) -> None:
        """Catch up with every story that changed since the beginning."""
        try:
            with self._store.read() as reader:
                current = editions(reader)
            changed = [story for story, edition in current.items() if edition != self._begun.get(story)]
        except Exception as error:
            self._tell_failure(error)
            return
        for story in changed:
            try:
                catch_up(self._store, self._way.projection, story)
            except NotFound:
                continue
            except Exception as error:
                if self._schedule.failed(story, self._monotonic()) == 1:
                    self._tell_failure(error, story)

    def _tell_failure(self, error: Exception, story: str | None = None) -> None:
        """Log the first of a row of failures: codes and places, no text of the story."""
        is_known = isinstance(error, FabulaError | OSError)
        reason = error.message if isinstance(error, FabulaError) else str(error) if is_known else None
        log.warning(
            "not followed",
            extra={"projection": self._way.projection.name, "projectId": story, "reason": reason},
            exc_info=None if is_known else error,
        )
