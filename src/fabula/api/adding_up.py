"""The figures of several processes behind one port, added up by whichever of them is asked.

Each leaves its own in a file every few moments, and before it shows them. A process that is started in the
place of another goes on counting from what that one left, so that no count ever runs backwards.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import Metric
from prometheus_client.parser import text_string_to_metric_families

from fabula.api.siblings import Sibling

PULSE_SECONDS = 2.0
# Of a process that has not been heard from for so long, it is not known how much it holds at the moment.
SILENT_SECONDS = 10.0
_COUNTING = frozenset(("counter", "histogram"))
# To be added up they would mean nothing.
_LEAST = frozenset(("fabula_crew_up", "process_start_time_seconds", "process_max_fds"))

log = logging.getLogger("fabula.figures")


class Figured(CollectorRegistry):
    """Figures as they are at hand."""

    def __init__(self, metrics: Iterable[Metric]) -> None:
        super().__init__()
        self._metrics = tuple(metrics)

    def collect(self) -> Iterator[Metric]:
        """The figures."""
        return iter(self._metrics)


class SharedFigures:
    """The figures of one process together with those of its siblings."""

    def __init__(self, sibling: Sibling, own: Callable[[], Iterable[Metric]]) -> None:
        self._sibling, self._own = sibling, own
        self._inherited = [metric for metric in _read(sibling.figures) if metric.type in _COUNTING]
        self._lock = threading.Lock()

    def leave(self) -> list[Metric]:
        """Leave this process's figures where the others find them; the figures."""
        with self._lock:
            metrics = added_up([*self._own(), *self._inherited])
            file = self._sibling.figures
            unfinished = file.with_suffix(".new")
            try:
                unfinished.write_bytes(generate_latest(Figured(metrics)))
                unfinished.replace(file)
            except OSError as error:
                log.warning("not left", extra={"reason": type(error).__name__})
            return metrics

    def all(self) -> list[Metric]:
        """The figures of all processes, those of this one as they are now."""
        mine, others = self.leave(), []
        for file in sorted(self._sibling.folder.glob("*.figures")):
            if file != self._sibling.figures:
                is_heard = _age(file) < SILENT_SECONDS
                others += [metric for metric in _read(file) if is_heard or metric.type in _COUNTING]
        return added_up([*mine, *others])

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Leave the figures again and again for as long as this lasts, and a last time at its end."""
        over = threading.Event()

        def pulse() -> None:
            while not over.wait(PULSE_SECONDS):
                self.leave()

        self.leave()
        thread = threading.Thread(target=pulse, daemon=True, name="figures")
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()
            self.leave()


def added_up(metrics: Iterable[Metric]) -> list[Metric]:
    """One figure for each name and labels: the sum, or the least where a sum would mean nothing."""
    found: dict[str, Metric] = {}
    samples: dict[str, dict[tuple[object, ...], int]] = {}
    for metric in metrics:
        if metric.name not in found:
            found[metric.name] = Metric(metric.name, metric.documentation, metric.type)
            samples[metric.name] = {}
        known, places = found[metric.name].samples, samples[metric.name]
        for sample in metric.samples:
            place = places.setdefault((sample.name, *sorted(sample.labels.items())), len(known))
            if place == len(known):
                known.append(sample)
            else:
                both = known[place].value, sample.value
                known[place] = known[place]._replace(value=min(both) if metric.name in _LEAST else sum(both))
    return list(found.values())


def _read(file: Path) -> list[Metric]:
    try:
        return list(text_string_to_metric_families(file.read_text("utf-8")))
    except FileNotFoundError:  # nobody has left anything yet
        return []


def _age(file: Path) -> float:
    try:
        return time.time() - file.stat().st_mtime
    except FileNotFoundError:
        return 0.0
