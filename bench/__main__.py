"""Run the measurements: `python -m bench [name …] [--sizes 500,5000,50000] [--quick] [--save NAME]`.

`python -m bench compare [name …] [--keep]` compares them with the committed ones and fails if any is slower.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from bench import (
    agents,
    bombs,
    bundles,
    checks,
    compare,
    context,
    context_http,
    detection,
    doors,
    doors_report,
    export,
    in_process,
    mirror,
    novel,
    retrieval,
    retrieval_report,
    retrieval_targets,
    routing,
    searching,
    service,
    service_report,
    world_info,
)
from bench.child import MAKES_DATABASES, MEASUREMENTS, prepare, run_child
from bench.context_report import ContextFound, save_context, show_context
from bench.measure import Results
from bench.report import save, show
from bench.retrieval_world import told
from bench.targets import Beside, Found

SIZES = "500,5000,50000"
QUICK_SIZES = "500,5000"
CONTEXTS = ("context", "detection")
RETRIEVAL = "retrieval"
BUNDLES = "bundles"
# Those that have a page of results of their own: what measures, and what writes the page.
REPORTING = (agents, bombs, checks, export, in_process, mirror, novel, routing, searching, world_info)
REPORTED = {
    **{one.NAME: (one, one) for one in REPORTING},
    service.NAME: (service, service_report),
    doors.NAME: (doors, doors_report),
}


def main() -> None:
    """Measure what was named; without a name the whole ground floor."""
    known = (*MEASUREMENTS, *CONTEXTS, RETRIEVAL, BUNDLES, *REPORTED)
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="name", help=f"of: {', '.join(known)}")
    parser.add_argument("--sizes", help=f"how many entities, {SIZES} unless said")
    parser.add_argument("--quick", action="store_true", help=f"only {QUICK_SIZES}")
    parser.add_argument("--save", metavar="NAME", help="keep the results as bench/results/NAME.*")
    parser.add_argument("--note", default="", help="what else the machine was doing, kept with the results")
    parser.add_argument("--keep", action="store_true", help="commit the ratios that `compare` finds")
    given = parser.parse_args()
    if given.names[:1] == [compare.NAME]:
        sys.exit(compare.compare(given.names[1:], keep=given.keep))
    unknown = set(given.names) - set(known)
    if unknown:
        parser.error(f"no measurement {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    sizes = [int(size) for size in (given.sizes or (QUICK_SIZES if given.quick else SIZES)).split(",")]
    if not given.names or set(given.names) & set(MEASUREMENTS):
        _ground_floor(given, sizes)
    if set(given.names) & set(CONTEXTS):
        _contexts(given, sizes)
    if RETRIEVAL in given.names:
        _retrieval(given, sizes)
    if BUNDLES in given.names:
        _bundles(given)
    for name, (measured, page) in REPORTED.items():
        if name in given.names:
            kept = given.save or (None if given.quick else name)
            page.report(measured.measure(quick=given.quick), kept, given.note)


def _bundles(given: argparse.Namespace) -> None:
    sizes = [int(size) for size in given.sizes.split(",")] if given.sizes else list(bundles.SIZES)
    sizes = sizes[:1] if given.quick else sizes
    found = {size: bundles.measure(size) for size in sizes}
    retrieval_report.show(bundles.tables(found))
    name = given.save or (BUNDLES if not given.sizes and not given.quick else None)
    if name:
        bundles.save(found, name, given.note)


def _ground_floor(given: argparse.Namespace, sizes: list[int]) -> None:
    names = [name for name in given.names if name in MEASUREMENTS] or list(MEASUREMENTS)
    found: Found = {}
    beside: Beside = {}
    for size in sizes:
        with tempfile.TemporaryDirectory(prefix="fabula-bench-") as folder:
            found[size], beside[size] = _measured(Path(folder), size, names, given.quick)
    show(found, beside)
    whole = not given.names and not given.sizes and not given.quick
    name = given.save or ("ground_floor" if whole else "quick" if given.quick else None)
    if name:
        save(found, beside, name, given.note)


def _contexts(given: argparse.Namespace, sizes: list[int]) -> None:
    found = ContextFound()
    if "context" in given.names:
        for size in sizes:
            found.context[size] = context.measure(size, quick=given.quick)
            _say(f"{size:,} entities: context")
        found.http = context_http.measure(quick=given.quick)
        _say("context over http")
    if "detection" in given.names:
        for entries in detection.QUICK_ENTRIES if given.quick else detection.ENTRIES:
            found.detection[entries] = detection.measure(entries)
            _say(f"{entries:,} entries: detection")
    show_context(found)
    whole = set(given.names) >= set(CONTEXTS) and not given.sizes and not given.quick
    name = given.save or ("context" if whole else "context_quick" if given.quick else None)
    if name:
        save_context(found, name, given.note)


def _retrieval(given: argparse.Namespace, sizes: list[int]) -> None:
    found = retrieval_targets.RetrievalFound()
    for size in sizes:
        found.held[size] = told(size).held
        found.sizes[size] = retrieval.measure(size, quick=given.quick)
        _say(f"{size:,} entities: retrieval")
    found.novel = retrieval.measure_novel(quick=given.quick)
    _say("a novel")
    tables = retrieval_targets.tables(found)
    retrieval_report.show(tables)
    name = given.save or (retrieval_report.NAME if not given.sizes and not given.quick else None)
    if name:
        note = f"**{given.note}**\n\n" if given.note else ""
        retrieval_report.keep("speed", tables, vars(found), note + retrieval_targets.NOTES, name)


def _measured(folder: Path, size: int, names: list[str], quick: bool) -> tuple[Results, dict[str, Results]]:
    _say(f"{size:,} entities: making the world")
    prepare(folder, size, quick=quick)
    found: Results = {}
    beside: dict[str, Results] = {}
    for name in MEASUREMENTS:
        if name not in names and name != MAKES_DATABASES:
            continue
        began = time.perf_counter()
        results = run_child(folder, name, "measure")
        others = run_child(folder, name, "baseline") or {}
        _say(f"{size:,} entities: {name} ({time.perf_counter() - began:.1f} s)")
        if name in names:
            found |= results
            for other, figures in others.items():
                beside.setdefault(other, {}).update(figures)
    return found, beside


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
