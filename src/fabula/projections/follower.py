"""The follower of the change log: one per process, which lets every projection catch up.

Writes in this process notify the follower at once; those of other processes are found by polling every half
second, with one query for all stories. Each projection catches up in a thread of its own, so that a slow or
broken one does not delay the others. Failures are logged once and retried; they never reach the caller who
changed the story.
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
# Writes in quick succession are handled together.
LEAST_PAUSE_SECONDS = 0.05
# A database that does not respond is polled less and less often.
LONGEST_PAUSE_SECONDS = 5.0
# The status of an error not about one story: the projection or the database is unreachable.
UNAVAILABLE = 503

log = logging.getLogger("fabula.follower")


class Look(NamedTuple):
    """The editions of stories: of all followed ones if `is_whole`, else of those changed in this process."""

    editions: Mapping[str, Edition]
    is_whole: bool
    gone: Collection[str] = ()


NOTHING_SEEN = Look({}, is_whole=False)


@dataclass(frozen=True)
class Way:
    """How a projection is followed.

    `stories` returns the stories to follow, None for all. `positions` returns the projection's positions in
    all stories at once, where that is cheaper than asking for each. `look` is called on every poll. If
    `finishes` is set, the projection catches up with everything that changed meanwhile before it ends.
    """

    projection: Projection
    quiet: float = 0.0
    longest: float = 0.0
    finishes: bool = False
    stories: Callable[[], Collection[str] | None] = lambda: None
    positions: Callable[[], Mapping[str, Edition]] = field(default=dict)
    look: Callable[[Look], object] = lambda look: None


class Follower:
    """Lets projections follow the stories of a store while there are any projections."""

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
        """Start following; the returned function stops it without waiting."""
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
        """Stop polling, wait for every projection, and finish those that are to be finished."""
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
        """Poll until no projection follows any more."""
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
        """Return the active lanes; if there are none, this thread ends and the next lane starts another."""
        self._bell.clear()
        with self._lock:
            if not self._lanes:
                unhear()
                self._thread = None
            return list(self._lanes)

    def _look(self, lanes: Collection[_Lane], *, is_whole: bool) -> Look | None:
        """Return the editions of stories; None if the database cannot be read."""
        with self._lock:
            rung, self._rung = self._rung, set()
        try:
            if not is_whole:
                found = self._editions(rung)
                return Look(found, is_whole=False, gone=rung - found.keys())
            wanted = [lane.stories() for lane in lanes]
            asked = None if None in wanted else {story for some in wanted for story in some or ()}
            return Look(self._editions(asked), is_whole=True)
        except FabulaError:  # already logged by the store
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
    """One projection catching up with its stories, in a thread of its own."""

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
        """Start the thread."""
        self._thread.start()

    def take(self, look: Look) -> None:
        """Queue a poll result; a complete one replaces all earlier ones."""
        with self._wake:
            if look.is_whole:
                self._looks.clear()
            self._looks.append(look)
            self._wake.notify()

    def stop(self) -> None:
        """Ask the thread to end as soon as it can."""
        self._leaving.set()
        with self._wake:
            self._wake.notify()

    def is_alive(self) -> bool:
        """Whether the thread is still running."""
        return self._thread.is_alive()

    def join(self) -> None:
        """Wait until the thread has ended."""
        self._thread.join()

    def stories(self) -> Collection[str] | None:
        """Return the stories to follow; None for all."""
        return self._way.stories()

    def is_interested_in(self, story: str) -> bool:
        """Whether this story is followed."""
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
        """Catch up with the stories that are due; if the projection is unreachable, back off."""
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
        """Catch up with one story; its failure does not delay the others."""
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
        """Catch up with every story that changed since the projection started following."""
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
        """Log the first of consecutive failures, without any text of the story."""
        is_known = isinstance(error, FabulaError | OSError)
        reason = error.message if isinstance(error, FabulaError) else str(error) if is_known else None
        log.warning(
            "not followed",
            extra={"projection": self._way.projection.name, "projectId": story, "reason": reason},
            exc_info=None if is_known else error,
        )
