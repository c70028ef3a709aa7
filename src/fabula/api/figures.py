"""`/metrics`: figures of one server process for Prometheus; numbers only, and only so many of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from fabula.errors import FabulaError
from fabula.memory import Memory
from fabula.meters import SECONDS, Spread
from fabula.model.job import JobStatus
from fabula.operations.working.condition import condition, jobs_by_status
from fabula.store.failures import retries

MEDIA_TYPE = CONTENT_TYPE_LATEST
# When a series began is of no use to anybody, and makes the page twice as long.
disable_created_metrics()  # type: ignore[no-untyped-call]
_METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))


class Figures:
    """What one process counts: its requests, and the house that answers them."""

    def __init__(self, memory: Memory, version: str, process: int | None = None) -> None:
        self._process = process
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "fabula_requests", "Requests answered.", ("method", "route", "status"), registry=self._registry
        )
        self._seconds = Histogram(
            "fabula_request_seconds",
            "Seconds until an answer began.",
            ("route",),
            buckets=SECONDS,
            registry=self._registry,
        )
        self._open = Gauge("fabula_requests_open", "Requests being answered.", registry=self._registry)
        self._registry.register(_House(memory, version))
        ProcessCollector(registry=self._registry)

    @contextmanager
    def under_way(self) -> Iterator[None]:
        """Count a request as long as it is being answered."""
        with self._open.track_inprogress():
            yield

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request that was answered."""
        # Anybody may invent a method; every name would be a series for ever.
        self._requests.labels(method if method in _METHODS else "other", route, status).inc()
        self._seconds.labels(route).observe(seconds)

    def shown(self) -> bytes:
        """All figures in the format of Prometheus; of one of several processes they bear its number."""
        if self._process is None:
            return generate_latest(self._registry)
        return generate_latest(_Numbered(self._registry, self._process))


class _Numbered(CollectorRegistry):
    """Figures that another process has, too: without its number they would seem to run backwards."""

    def __init__(self, registry: CollectorRegistry, number: int) -> None:
        super().__init__()
        self._registry, self._number = registry, str(number)

    def collect(self) -> Iterator[Metric]:
        """The same figures, each with the number of the process."""
        for metric in self._registry.collect():
            samples = metric.samples
            metric.samples = [one._replace(labels={**one.labels, "process": self._number}) for one in samples]
            yield metric


class _House(Collector):
    """What the memory knows of itself, looked up when somebody asks."""

    def __init__(self, memory: Memory, version: str) -> None:
        self._memory, self._version = memory, version

    def describe(self) -> Iterator[Metric]:
        """Nothing: registering the collector must not need the database."""
        return iter(())

    def collect(self) -> Iterator[Metric]:
        """Every figure; those of a database that does not answer are left out."""
        yield InfoMetricFamily("fabula", "The version that runs.", {"version": self._version})
        call = self._memory.call()
        meters, indexes = call.meters, call.indexes
        yield _histogram(
            "fabula_context_seconds", "Seconds to put a context together.", meters.context_seconds
        )
        yield _histogram("fabula_context_tokens", "Tokens of the contexts.", meters.context_tokens)
        held = indexes.held()
        yield GaugeMetricFamily("fabula_index_stories", "Stories compiled in memory.", held.stories)
        yield GaugeMetricFamily("fabula_index_entities", "Entities of those stories.", held.entities)
        yield _counter("fabula_index_lookups", "How an index was come by.", "how", indexes.lookups.counts())
        departed = indexes.departures.counts()
        yield _counter("fabula_index_departures", "Stories that left memory, and why.", "why", departed)
        yield _counter("fabula_store_retries", "Writes that met another.", "how", retries.counts())
        found = condition(call)
        yield GaugeMetricFamily("fabula_database_up", "Whether the database answers.", found.database)
        yield GaugeMetricFamily("fabula_crew_up", "Whether jobs are being done here.", found.crew)
        with suppress(FabulaError):
            yield _gauge("fabula_jobs", "Jobs by status.", "status", jobs_by_status(call))


def _histogram(name: str, meaning: str, spread: Spread) -> HistogramMetricFamily:
    spreading = spread.spreading()
    steps = [("+Inf" if step == float("inf") else f"{step:g}", count) for step, count in spreading.steps]
    return HistogramMetricFamily(name, meaning, buckets=steps, sum_value=spreading.total)


def _gauge(name: str, meaning: str, label: str, counts: Mapping[JobStatus, int]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, meaning, labels=[label])
    for word, count in counts.items():
        family.add_metric([word], count)
    return family


def _counter(name: str, meaning: str, label: str, counts: dict[str, int]) -> CounterMetricFamily:
    family = CounterMetricFamily(name, meaning, labels=[label])
    for word, count in counts.items():
        family.add_metric([word], count)
    return family
