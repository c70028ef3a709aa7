"""When a projection catches up with a story: soon after a change, with increasing delays after failures."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from fabula.store.reader import Edition

FIRST_RETRY_SECONDS = 0.5
LONGEST_RETRY_SECONDS = 30.0


def retry_after(failures: int) -> float:
    """Return how long to wait after this many consecutive failures."""
    return min(LONGEST_RETRY_SECONDS, FIRST_RETRY_SECONDS * 2.0 ** (min(failures, 10) - 1))


@dataclass
class Schedule:
    """The stories that are due: unchanged for `quiet` seconds, or changed at least `longest` seconds ago."""

    quiet: float = 0.0
    longest: float = 0.0
    _seen: dict[str, Edition] = field(default_factory=dict)
    _since: dict[str, float] = field(default_factory=dict)
    _last: dict[str, float] = field(default_factory=dict)
    _not_before: dict[str, float] = field(default_factory=dict)
    _failures: dict[str, int] = field(default_factory=dict)

    def know(self, positions: Mapping[str, Edition]) -> None:
        """Record the projection's positions, so that they need not be queried story by story."""
        self._seen = dict(positions)

    def edition(self, story: str) -> Edition | None:
        """Return the edition of a story when it was last seen."""
        return self._seen.get(story)

    def due(self, now: float, current: Mapping[str, Edition]) -> list[str]:
        """Record the current editions, and return the changed stories that have waited long enough."""
        for story, edition in current.items():
            if self._seen.get(story) != edition:
                is_news = story in self._seen
                self._seen[story] = edition
                self._since.setdefault(story, now if is_news else now - self.longest)
                self._last[story] = now
        return [story for story in self._since if self._is_due(story, now)]

    def done(self, story: str) -> None:
        """Record that the projection has caught up with the story."""
        self._since.pop(story, None)
        self._failures.pop(story, None)
        self._not_before.pop(story, None)

    def failed(self, story: str, now: float) -> int:
        """Record a failure, delay the next attempt, and return the number of consecutive failures."""
        failures = self._failures[story] = self._failures.get(story, 0) + 1
        self._not_before[story] = now + retry_after(failures)
        return failures

    def keep(self, living: Collection[str]) -> None:
        """Forget deleted stories."""
        for story in self._seen.keys() - living:
            self.done(story)
            del self._seen[story]
            self._last.pop(story, None)

    def _is_due(self, story: str, now: float) -> bool:
        if now < self._not_before.get(story, now):
            return False
        return now - self._last[story] >= self.quiet or now - self._since[story] >= self.longest
