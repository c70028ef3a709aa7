"""ServerMetrics of several processes, added up: nothing counted twice, nothing lost, nothing backwards."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import example, given, settings
from hypothesis import strategies as st
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.parser import text_string_to_metric_families

from effort import examples
from fabula.api.metrics.aggregation import SILENT_SECONDS, AggregatedMetrics, MetricSnapshot
from fabula.api.server_process import ServerProcess


class Process:
    """One process with metrics of every kind."""

    def __init__(self, folder: Path, number: int) -> None:
        registry = CollectorRegistry()
        self.asked = Counter("asked", "", ("how",), registry=registry)
        self.took = Histogram("took", "", ("how",), buckets=(1, 5), registry=registry)
        self.held = Gauge("held", "", registry=registry)
        self.up = Gauge("fabula_crew_up", "", registry=registry)
        self.server = ServerProcess(folder, number, "any")
        self.shared = AggregatedMetrics(self.server, registry.collect)
        self.shared.publish()

    def shown(self) -> dict[tuple[str, ...], float]:
        text = generate_latest(MetricSnapshot(self.shared.aggregate())).decode()
        return {
            (sample.name, *sample.labels.values()): sample.value
            for family in text_string_to_metric_families(text)
            for sample in family.samples
            if not sample.name.endswith("_created")
        }


def test_whoever_is_asked_shows_what_all_have_counted(tmp_path: Path) -> None:
    here, there = Process(tmp_path, 0), Process(tmp_path, 1)
    for process, times in ((here, 2), (there, 3)):
        process.asked.labels("well").inc(times)
        for value in range(times):
            process.took.labels("well").observe(value)
        process.held.set(times)
        process.up.set(1)
    there.asked.labels("badly").inc()
    there.shared.publish()
    expected = {
        ("asked_total", "well"): 5.0,
        ("asked_total", "badly"): 1.0,
        ("took_bucket", "well", "1.0"): 4.0,
        ("took_bucket", "well", "5.0"): 5.0,
        ("took_bucket", "well", "+Inf"): 5.0,
        ("took_count", "well"): 5.0,
        ("took_sum", "well"): 4.0,
        ("held",): 5.0,
        ("fabula_crew_up",): 1.0,
    }
    assert here.shown() == there.shown() == expected
    here.up.set(0)
    assert here.shown()["fabula_crew_up",] == 0.0


def test_of_a_process_that_is_silent_the_counts_are_kept_and_the_rest_is_not(tmp_path: Path) -> None:
    here, there = Process(tmp_path, 0), Process(tmp_path, 1)
    there.asked.labels("well").inc(3)
    there.held.set(7)
    there.shared.publish()
    before = there.server.metrics_file.stat().st_mtime - SILENT_SECONDS - 1
    os.utime(there.server.metrics_file, (before, before))
    shown = here.shown()
    assert (shown["asked_total", "well"], shown["held",]) == (3.0, 0.0)


def test_a_folder_that_is_gone_leaves_its_own_metrics(tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    folder.mkdir()
    here = Process(folder, 0)
    here.asked.labels("well").inc()
    here.server.metrics_file.unlink()
    folder.rmdir()
    assert here.shown()["asked_total", "well"] == 1.0


@settings(max_examples=examples(25))
@given(
    st.lists(st.tuples(st.integers(0, 2), st.sampled_from(["count", "show", "leave", "die"])), max_size=40)
)
@example([(0, "count"), (0, "show"), (0, "die"), (0, "show"), (1, "show")])
def test_no_count_runs_backwards_whoever_dies_and_whoever_is_asked(steps: list[tuple[int, str]]) -> None:
    with TemporaryDirectory() as name:
        folder, counted, last = Path(name), 0, 0.0
        processes = [Process(folder, number) for number in range(3)]
        for number, step in steps:
            process = processes[number]
            if step == "count":
                process.asked.labels("well").inc()
                counted += 1
            elif step == "leave":
                process.shared.publish()
            elif step == "die":
                processes[number] = Process(folder, number)
            else:
                shown = process.shown().get(("asked_total", "well"), 0.0)
                assert last <= shown <= counted
                last = shown
