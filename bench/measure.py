"""Times: taken one by one, told as percentiles; beside the wall clock the time of the processor."""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

ItemT = TypeVar("ItemT")
Figures = dict[str, float | int]
Results = dict[str, Figures]


class Series:
    """Samples of one thing done many times, in milliseconds."""

    def __init__(self) -> None:
        self.wall: list[float] = []
        self.cpu: list[float] = []
        self.sizes: dict[str, list[int]] = {}

    def time(self, action: Callable[..., Any], *given: Any, **named: Any) -> Any:
        """Do it once and note how long it took."""
        cpu, wall = time.process_time_ns(), time.perf_counter_ns()
        answer = action(*given, **named)
        self.wall.append((time.perf_counter_ns() - wall) / 1e6)
        self.cpu.append((time.process_time_ns() - cpu) / 1e6)
        return answer

    def note(self, **sizes: int) -> None:
        """Note how much the last answer held."""
        for name, size in sizes.items():
            self.sizes.setdefault(name, []).append(size)

    def figures(self) -> Figures:
        """The samples in a few numbers."""
        told: Figures = {
            "n": len(self.wall),
            "p50": figure(percentile(self.wall, 50)),
            "p95": figure(percentile(self.wall, 95)),
            "max": figure(max(self.wall)),
            "cpu_p50": figure(percentile(self.cpu, 50)),
            "cpu_p95": figure(percentile(self.cpu, 95)),
        }
        for name, sizes in self.sizes.items():
            told[f"{name}_p50"] = round(percentile(sizes, 50))
            told[f"{name}_p95"] = round(percentile(sizes, 95))
        return told


def percentile(samples: Sequence[float], share: float) -> float:
    """The smallest sample that so many of a hundred do not exceed."""
    ordered = sorted(samples)
    return ordered[max(0, math.ceil(share / 100 * len(ordered)) - 1)]


def figure(value: float) -> float:
    """A number with as many digits as it deserves."""
    return float(f"{value:.4g}")


def timed(
    items: Iterable[ItemT],
    action: Callable[[ItemT], Any],
    *,
    sizes: Callable[[Any], dict[str, int]] | None = None,
    seconds: float = 10.0,
    least: int = 2,
) -> Figures:
    """Do it for every item, or for as many as fit in the time; at least for so many."""
    series = Series()
    gc.collect()
    began = time.perf_counter()
    for item in items:
        answer = series.time(action, item)
        if sizes is not None:
            series.note(**sizes(answer))
        if len(series.wall) >= least and time.perf_counter() - began > seconds:
            break
    return series.figures()


def once(action: Callable[[], Any]) -> tuple[Any, Figures]:
    """Do something large once: seconds on the wall and of the processor."""
    gc.collect()
    cpu, wall = time.process_time(), time.perf_counter()
    answer = action()
    return answer, {
        "seconds": figure(time.perf_counter() - wall),
        "cpu_seconds": figure(time.process_time() - cpu),
    }
