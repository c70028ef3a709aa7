"""What is counted while the house runs: numbers and durations, and nothing of a story."""

from __future__ import annotations

import threading
from bisect import bisect_left
from dataclasses import dataclass, field
from typing import NamedTuple

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
TOKENS = (250.0, 500.0, 1000.0, 2000.0, 4000.0, 8000.0, 16000.0, 32000.0, 128000.0)


class Tally:
    """How often something happened, by a word of a closed list; threads may share it."""

    def __init__(self, *words: str) -> None:
        self._counts = dict.fromkeys(words, 0)
        self._lock = threading.Lock()

    def add(self, word: str, by: int = 1) -> None:
        """Note that it happened; a word that is not of the list is a fault of ours."""
        with self._lock:
            self._counts[word] += by

    def counts(self) -> dict[str, int]:
        """How often, by word."""
        with self._lock:
            return dict(self._counts)


class Spreading(NamedTuple):
    """How many values were not above each step, those above all last; and their sum."""

    steps: tuple[tuple[float, int], ...]
    total: float


class Spread:
    """How values are spread over steps; threads may share it."""

    def __init__(self, steps: tuple[float, ...]) -> None:
        self._steps = (*steps, float("inf"))
        self._counts = [0] * len(self._steps)
        self._total = 0.0
        self._lock = threading.Lock()

    def note(self, value: float) -> None:
        """Note a value."""
        with self._lock:
            self._counts[bisect_left(self._steps, value)] += 1
            self._total += value

    def spreading(self) -> Spreading:
        """All values noted so far."""
        with self._lock:
            counts, total = list(self._counts), self._total
        sums, so_far = [], 0
        for step, count in zip(self._steps, counts, strict=True):
            so_far += count
            sums.append((step, so_far))
        return Spreading(tuple(sums), total)


@dataclass(frozen=True, slots=True)
class Meters:
    """What the operations of one process note: the contexts they put together."""

    context_seconds: Spread = field(default_factory=lambda: Spread(SECONDS))
    context_tokens: Spread = field(default_factory=lambda: Spread(TOKENS))
