"""Metrics of several server processes behind one port, summed by whichever of them is scraped.

Each process publishes its own in a file every two seconds and before every scrape. A process that replaces
another continues from the counts its predecessor published, so that no counter ever runs backwards.
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

from fabula.api.server_process import ServerProcess

PULSE_SECONDS = 2.0
# After this long without an update, the gauges of a process are outdated and left out of the sum.
SILENT_SECONDS = 10.0
_COUNTING = frozenset(("counter", "histogram"))
# Gauges whose sum would mean nothing: the least value is shown.
_LEAST = frozenset(("fabula_crew_up", "process_start_time_seconds", "process_max_fds"))

log = logging.getLogger("fabula.metrics")


class MetricSnapshot(CollectorRegistry):
    """A registry of metrics that were collected already."""

    def __init__(self, metrics: Iterable[Metric]) -> None:
        super().__init__()
        self._metrics = tuple(metrics)

    def collect(self) -> Iterator[Metric]:
        """The metrics that were collected."""
        return iter(self._metrics)


class AggregatedMetrics:
    """The metrics of one process, summed with those of the others."""

    def __init__(self, process: ServerProcess, own: Callable[[], Iterable[Metric]]) -> None:
        self._process, self._own = process, own
        self._inherited = [metric for metric in _read(process.metrics_file) if metric.type in _COUNTING]
        self._lock = threading.Lock()

    def publish(self) -> list[Metric]:
        """Write this process's metrics where the others find them, and return them."""
        with self._lock:
            metrics = aggregated([*self._own(), *self._inherited])
            file = self._process.metrics_file
            unfinished = file.with_suffix(".new")
            try:
                unfinished.write_bytes(generate_latest(MetricSnapshot(metrics)))
                unfinished.replace(file)
            except OSError as error:
                log.warning("metrics not published", extra={"reason": type(error).__name__})
            return metrics

    def aggregate(self) -> list[Metric]:
        """The metrics of all processes; those of this process are current."""
        mine, others = self.publish(), []
        for file in sorted(self._process.folder.glob("*.metrics")):
            if file != self._process.metrics_file:
                is_heard = _age(file) < SILENT_SECONDS
                others += [metric for metric in _read(file) if is_heard or metric.type in _COUNTING]
        return aggregated([*mine, *others])

    @contextmanager
    def publishing(self) -> Iterator[None]:
        """Publish the metrics periodically while the block runs, and once more at its end."""
        over = threading.Event()

        def pulse() -> None:
            while not over.wait(PULSE_SECONDS):
                self.publish()

        self.publish()
        thread = threading.Thread(target=pulse, daemon=True, name="metrics")
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()
            self.publish()


def aggregated(metrics: Iterable[Metric]) -> list[Metric]:
    """One sample for each name and set of labels: the sum, or the least where a sum would mean nothing."""
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
    except FileNotFoundError:  # nothing was published yet
        return []


def _age(file: Path) -> float:
    try:
        return time.time() - file.stat().st_mtime
    except FileNotFoundError:
        return 0.0
