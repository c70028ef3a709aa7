"""Counters and histograms of a running process; they hold numbers only, no story content."""

from __future__ import annotations

import threading
from bisect import bisect_left
from dataclasses import dataclass, field
from typing import NamedTuple

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
TOKENS = (250.0, 500.0, 1000.0, 2000.0, 4000.0, 8000.0, 16000.0, 32000.0, 128000.0)


class LabelledCounter:
    """A thread-safe counter with a fixed set of labels."""

    def __init__(self, *words: str) -> None:
        self._counts = dict.fromkeys(words, 0)
        self._lock = threading.Lock()

    def add(self, word: str, by: int = 1) -> None:
        """Count an occurrence; raises KeyError for an unknown label."""
        with self._lock:
            self._counts[word] += by

    def counts(self) -> dict[str, int]:
        """The counts by label."""
        with self._lock:
            return dict(self._counts)


class Spreading(NamedTuple):
    """The cumulative count of values up to each bound, infinity last, and the sum of all values."""

    steps: tuple[tuple[float, int], ...]
    total: float


class Spread:
    """A thread-safe histogram with fixed bounds."""

    def __init__(self, steps: tuple[float, ...]) -> None:
        self._steps = (*steps, float("inf"))
        self._counts = [0] * len(self._steps)
        self._total = 0.0
        self._lock = threading.Lock()

    def note(self, value: float) -> None:
        """Record a value."""
        with self._lock:
            self._counts[bisect_left(self._steps, value)] += 1
            self._total += value

    def spreading(self) -> Spreading:
        """The cumulative counts of all values recorded so far."""
        with self._lock:
            counts, total = list(self._counts), self._total
        sums, so_far = [], 0
        for step, count in zip(self._steps, counts, strict=True):
            so_far += count
            sums.append((step, so_far))
        return Spreading(tuple(sums), total)


@dataclass(frozen=True, slots=True)
class Meters:
    """The measurements of one process: what became of operations, and how long and large contexts were."""

    operations: LabelledCounter = field(
        default_factory=lambda: LabelledCounter("answered", "refused", "failed")
    )
    context_seconds: Spread = field(default_factory=lambda: Spread(SECONDS))
    context_tokens: Spread = field(default_factory=lambda: Spread(TOKENS))
