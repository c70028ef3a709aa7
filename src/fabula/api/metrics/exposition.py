"""`/metrics` in the Prometheus format: numbers only, and a bounded number of series."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress

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

from fabula.api.metrics.aggregation import AggregatedMetrics, MetricSnapshot
from fabula.api.server_process import ServerProcess
from fabula.errors import FabulaError
from fabula.memory import Memory
from fabula.meters import SECONDS, Spread
from fabula.model.job import JobStatus
from fabula.operations.readiness import condition, jobs_by_status
from fabula.store.failures import retries

MEDIA_TYPE = CONTENT_TYPE_LATEST
# The creation time of each series is of no use here and would double the size of the page.
disable_created_metrics()  # type: ignore[no-untyped-call]
_METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))


class ServerMetrics:
    """The metrics of this server: of one process, or of all processes behind the port."""

    def __init__(self, memory: Memory, version: str, process: ServerProcess | None = None) -> None:
        self._registry = CollectorRegistry()
        self._shared = CollectorRegistry()
        self._shared.register(_SharedState(memory, version))
        self._aggregated = None if process is None else AggregatedMetrics(process, self._registry.collect)
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
        self._series: dict[tuple[str, str, int], tuple[Counter, Histogram]] = {}
        self.open_requests = Gauge(
            "fabula_requests_open", "Requests being answered.", registry=self._registry
        )
        self._registry.register(_ProcessState(memory))
        ProcessCollector(registry=self._registry)

    def record(self, method: str, route: str, status: int, seconds: float) -> None:
        """Record a request that was answered."""
        # Clients may invent methods, and every name would be a series forever.
        kind = (method if method in _METHODS else "other", route, status)
        series = self._series.get(kind)
        if series is None:
            series = self._series[kind] = (self._requests.labels(*kind), self._seconds.labels(route))
        count, spread = series
        count.inc()
        spread.observe(seconds)

    def exposition(self) -> bytes:
        """All metrics in the Prometheus text format."""
        counted = self._registry.collect() if self._aggregated is None else self._aggregated.aggregate()
        return generate_latest(MetricSnapshot((*counted, *self._shared.collect())))

    def publishing(self) -> AbstractContextManager[None]:
        """Publish these metrics to the other processes while the block runs."""
        return nullcontext() if self._aggregated is None else self._aggregated.publishing()


class _ProcessState(Collector):
    """What this process knows about its own work, looked up at each scrape."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def describe(self) -> Iterator[Metric]:
        """Nothing: the metrics are looked up at each scrape."""
        return iter(())

    def collect(self) -> Iterator[Metric]:
        """Every metric of this process."""
        call = self._memory.call()
        meters, indexes = call.meters, call.indexes
        outcomes = meters.operations.counts()
        yield _counter(
            "fabula_operations", "Operations of all doors, by what became of them.", "outcome", outcomes
        )
        yield _histogram(
            "fabula_context_seconds", "Seconds to put a context together.", meters.context_seconds
        )
        yield _histogram("fabula_context_tokens", "Tokens of the contexts.", meters.context_tokens)
        held = indexes.held()
        yield GaugeMetricFamily("fabula_index_stories", "Stories compiled in memory.", held.stories)
        yield GaugeMetricFamily("fabula_index_entities", "Entities of those stories.", held.entities)
        yield GaugeMetricFamily("fabula_index_bytes", "About what they weigh.", held.bytes)
        yield _counter("fabula_index_lookups", "How an index was come by.", "how", indexes.lookups.counts())
        departed = indexes.departures.counts()
        yield _counter("fabula_index_departures", "Stories that left memory, and why.", "why", departed)
        tried = retries.counts()
        yield _counter("fabula_store_retries", "Writes that met another or lost their line.", "how", tried)
        standing = call.jobs.crew.is_standing
        yield GaugeMetricFamily("fabula_crew_up", "Whether jobs are being done here.", standing)


class _SharedState(Collector):
    """What is the same for all processes, looked up at each scrape."""

    def __init__(self, memory: Memory, version: str) -> None:
        self._memory, self._version = memory, version

    def describe(self) -> Iterator[Metric]:
        """Nothing: registering the collector must not need the database."""
        return iter(())

    def collect(self) -> Iterator[Metric]:
        """Every shared metric; without those of the database if it does not respond."""
        yield InfoMetricFamily("fabula", "The version that runs.", {"version": self._version})
        call = self._memory.call()
        answers = condition(call).database
        yield GaugeMetricFamily("fabula_database_up", "Whether the database answers.", answers)
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
