"""The service in figures: shown, kept in bench/results/, and put into docs/scaling.md."""

from __future__ import annotations

import json
import math
import os
import platform
import re
import sqlite3
from pathlib import Path
from typing import Any

from bench.measure import Figures
from bench.report import RESULTS, Row, TableOf, markdown, number
from bench.retrieval_report import show
from bench.service_load import CLIENTS
from bench.service_memory import ROOM_MB, SCENES

PAGE = Path(__file__).parent.parent / "docs" / "scaling.md"
BASELINE = "SQLite, 1"

# What is assumed of authors; everything on paper follows from it and from the figures.
AUTHORS = 100_000
ACTIVE_AT_PEAK = 0.05
ASSEMBLY_EVERY_S, SAVE_EVERY_S = 20, 10
STORIES_EACH, STORY_ENTITIES = 3, 2_000
BUSY_SHARE = 0.6
PROCESS_MB, CACHE_MB = 130, 2_000

NOTES = f"""\
{CLIENTS} clients in one process of their own keep their connections open and ask without a pause; times are
milliseconds by their clock. *of the baseline* is requests in a second over those of one process on SQLite in
the same run. *server cores* and *client cores* are processors kept busy: where both, and the database, come
near to the number of processors, the machine is the limit and not the server. PostgreSQL runs as it comes, on
the same machine; both engines wait for the disk at every commit. The large story has 2,000 entities, 8,000
relations and an entry for every entity; its texts have 10,000 characters. The small ones have 50 entities and
200 relations; their texts have 700. What saving a scene brings with it is switched off. Four processes on two
processors can be twice as quick as one, and a little more where one waits for its own lock. Single rows of
two runs on the same quiet machine differ by up to a third, those that wait for the disk most.
"""


def report(found: dict[str, Any], name: str | None, note: str) -> None:
    """Show the figures; under a name keep them, and put them into the page."""
    tables = [_load_table(found["load"]), _cost_table(found["costs"]), _paper(found)]
    show(tables)
    if not name:
        return
    about = (
        f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, {os.cpu_count()} processors"
    )
    parts = [about, *([f"**{note}**"] if note else []), NOTES.strip()]
    for title, columns, rows in tables:
        parts += [f"### {title}", markdown(columns, rows)]
    text = "\n\n".join(parts)
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{name}.md").write_text(f"# The service, measured\n\n{text}\n", "utf-8")
    kept = {"about": about, "note": note, **found}
    (RESULTS / f"{name}.json").write_text(json.dumps(kept, ensure_ascii=False, indent=1) + "\n", "utf-8")
    if name == "service":
        page = PAGE.read_text("utf-8")
        within = re.compile(r"(<!-- figures -->\n).*?(\n<!-- end of figures -->)", re.S)
        PAGE.write_text(within.sub(lambda frame: f"{frame[1]}\n{text}\n{frame[2]}", page), "utf-8")


def _load_table(load: dict[str, dict[str, Figures]]) -> TableOf:
    columns = ["request", "engine, processes", "in a second", "of the baseline", "p50", "p95"]
    columns += ["server ms", "database ms", "server cores", "client cores"]
    rows: list[Row] = []
    for kind in load[BASELINE]:
        base = load[BASELINE][kind]["per_second"]
        for place, kinds in load.items():
            one = kinds[kind]
            shown = [
                one["per_second"],
                one["per_second"] / base,
                one["p50"],
                one["p95"],
                one["server_cpu_ms"],
            ]
            shown += [one.get("database_cpu_ms"), one["server_cpu"], one["clients_cpu"]]
            rows.append([kind, place, *(number(value) for value in shown)])
    return "Requests in a second", columns, rows


def _cost_table(costs: dict[int, Figures]) -> TableOf:
    columns = ["entities", "KB on disk", "rows", "MB in memory", "by estimate"]
    columns += ["stories in a GB", "ms to open", f"MB of all when they may fill {ROOM_MB}"]
    rows: list[Row] = []
    for size, one in costs.items():
        in_a_gb = math.floor(1000 / max(float(one["mb_each"]), 0.001))
        cells = [one["bytes"] / 1000, one["rows"], one["mb_each"], one["weighed_mb_each"]]
        cells += [in_a_gb, one["first_ms"]]
        bounded = f"{number(one['bounded_mb'])} ({one['bounded_held']} of {one['count']} stay)"
        rows.append([f"{size:,}", *(number(value) for value in cells), bounded])
    title = f"One more story: four relations for each entity, {SCENES} scenes, the whole history on the disk"
    return title, columns, rows


def _paper(found: dict[str, Any]) -> TableOf:
    """What so many authors need, by the figures of four processes on PostgreSQL, else on SQLite."""
    load, costs = found["load"], {int(size): one for size, one in found["costs"].items()}
    place = next((name for name in reversed(load) if name.startswith("PostgreSQL")), BASELINE)
    kinds, story = load[place], costs[STORY_ENTITIES]
    active = AUTHORS * ACTIVE_AT_PEAK
    asks, saves = active / ASSEMBLY_EVERY_S, active / SAVE_EVERY_S
    assemble, save = kinds["assemble, large story"], kinds["scene save"]
    cores = (asks * assemble["server_cpu_ms"] + saves * save["server_cpu_ms"]) / 1000 / BUSY_SHARE
    base = asks * assemble.get("database_cpu_ms", 0) + saves * save.get("database_cpu_ms", 0)
    in_cache = active * story["mb_each"]
    disk = AUTHORS * STORIES_EACH * story["bytes"]
    processes = max(math.ceil(cores), math.ceil(in_cache / CACHE_MB))
    rows = [
        ["authors who write at the peak", number(active), f"{ACTIVE_AT_PEAK:.0%} of {AUTHORS:,}"],
        ["assemblies in a second", number(asks), f"one in {ASSEMBLY_EVERY_S} s, a story of 2,000 entities"],
        ["saves in a second", number(saves), f"one in {SAVE_EVERY_S} s"],
        ["cores for the servers", number(cores), f"server ms of {place}, {BUSY_SHARE:.0%} busy"],
        ["cores for the database", number(base / 1000 / BUSY_SHARE), "database ms of the same"],
        ["memory for compiled stories", f"{number(in_cache / 1000)} GB", "each story in one process only"],
        ["server processes", number(processes), f"one per core, {CACHE_MB / 1000:.0f} GB of stories each"],
        [
            "memory of the servers",
            f"{number((in_cache + processes * PROCESS_MB) / 1000)} GB",
            "with the processes",
        ],
        ["on disk", f"{number(disk / 1e12)} TB", f"{STORIES_EACH} stories of 2,000 entities each, as SQLite"],
    ]
    return f"On paper: {AUTHORS:,} authors", ["what", "how much", "because"], rows
