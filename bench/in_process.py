"""One call at a time in this process, beside plain SQLite in the same run: 10,000 entities, 24,000 relations.

Plain SQLite does one transaction for each write on one connection with the same settings; it checks nothing,
knows no events and keeps no log. The time is the processor's, because other programs disturb it least.
"""

from __future__ import annotations

import json
import os
import platform
import resource
import sqlite3
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench.asking import asker, empty_shelves, opened
from bench.baselines import PlainSqlite, entity_rows, relation_rows
from bench.crud import CHANGED
from bench.measure import Figures, Results, Series, figure, once, timed
from bench.plan import STORY, Plan, plan_for
from bench.report import RESULTS, markdown
from bench.retrieval_report import show
from bench.world import World
from fabula.memory import Memory

NAME = "in_process"
BEFORE = "in_process_before"
SIZE, RELATIONS = 10_000, 24_000
QUICK_SIZE, QUICK_RELATIONS = 1_000, 2_400
MOST_NODES = 500
WRITERS = 16
EACH = 60
LOAD = "bulk load"
TWO_HOPS = f"2 hops, answers up to {MOST_NODES}"
TOGETHER = f"entities created by {WRITERS} writers, a second"
ALONE = "entities created by one writer, a second"
# What is aimed at: the processor's median and, where there is one, its 95th percentile, in milliseconds.
AIMS: dict[str, tuple[float, float | None]] = {
    "entity create": (0.6, None),
    "relation create": (0.6, None),
    "entry create": (0.6, None),
    "entity update": (0.8, None),
    "relation update": (0.8, None),
    "entity read": (0.10, None),
    "entity read, again": (0.10, None),
    "entity delete": (3.0, 3.0),
    f"{TWO_HOPS}, again": (0.5, 5.0),
}
LOAD_AIM_S = 1.2


def measure(*, quick: bool) -> dict[str, Results]:
    """Fabula and plain SQLite, each on its own file with the same world."""
    size, relations = (QUICK_SIZE, QUICK_RELATIONS) if quick else (SIZE, RELATIONS)
    world = World(size)
    world.relations = world.relations[:relations]
    with tempfile.TemporaryDirectory(prefix="fabula-bench-") as folder:
        plan = replace(plan_for(world, Path(folder), quick=quick), quick=quick)
        plain = _plain(plan, world)
        with opened(plan) as memory:
            return {"fabula": _fabula(plan, world, memory), "plain sqlite": plain}


def _fabula(plan: Plan, world: World, memory: Memory) -> Results:
    ask = asker(memory)
    payload = {"projectId": STORY, "entities": world.entities, "relations": world.relations}
    _, load = once(lambda: memory.answer("knowledge:batch:upsert", payload))
    results: Results = {LOAD: load}
    ask("query:subgraph", centerEntityId=plan.hubs[0], k=1)
    results |= _two_hops(plan, memory)
    empty_shelves(memory)
    results["entity read"] = timed(plan.read, lambda key: ask("entity:read", id=key))
    results["entity read, again"] = timed(plan.read, lambda key: ask("entity:read", id=key))
    results["entity create"] = timed(plan.new_entities, lambda entity: ask("entity:create", **entity))
    made = []
    results["relation create"] = timed(
        plan.new_relations, lambda relation: made.append(ask("relation:create", **relation))
    )
    story = memory.story("", id=STORY)
    words = [(f"{entity['name']} {n}", entity["description"]) for n, entity in enumerate(plan.new_entities)]
    results["entry create"] = timed(words, lambda word: story.entry(word[0], word[1], keywords=[word[0]]))
    known = [(key, ask("entity:read", id=key).version) for key in plan.updated]
    results["entity update"] = timed(
        known,
        lambda one: ask("entity:update", id=one[0], expectedVersion=one[1], patch={"description": CHANGED}),
    )
    results["relation update"] = timed(
        made, lambda one: ask("relation:update", id=one.id, patch={"description": CHANGED})
    )
    results["entity delete"] = timed(plan.deleted, lambda key: ask("entity:delete", id=key))
    results[ALONE] = _rate(lambda name: ask("entity:create", type="concept", name=name), 1)
    results[TOGETHER] = _rate(lambda name: ask("entity:create", type="concept", name=name), WRITERS)
    results["memory"] = {"peak_rss_mb": _peak()}
    return results


def _two_hops(plan: Plan, memory: Memory) -> Results:
    ask, first, again = asker(memory), Series(), Series()
    for start in plan.starts["2"]:
        empty_shelves(memory)
        for series in (first, again):
            answer = series.time(ask, "query:subgraph", centerEntityId=start, k=2)
            if answer.node_count <= MOST_NODES:
                series.note(nodes=answer.node_count)
            else:
                del series.wall[-1], series.cpu[-1]
    return {f"{TWO_HOPS}, first": first.figures(), f"{TWO_HOPS}, again": again.figures()}


def _rate(create: Callable[[str], Any], writers: int) -> Figures:
    """How many writes a second so many threads get through, and the processor's time for each."""

    def write(number: int) -> None:
        for count in range(EACH):
            create(f"together {writers} {number} {count}")

    threads = [threading.Thread(target=write, args=(number,)) for number in range(writers)]
    cpu, began = time.process_time(), time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    done, seconds = writers * EACH, time.perf_counter() - began
    return {"rate": round(done / seconds), "cpu_ms": figure((time.process_time() - cpu) / done * 1000)}


def _plain(plan: Plan, world: World) -> Results:
    plain = PlainSqlite(plan.plain_db, STORY)
    plain.create_tables()
    rows = entity_rows(STORY, world.entities), relation_rows(STORY, world.relations)
    _, load = once(lambda: plain.load(*rows))
    entities = [{**entity, "id": f"n{number}"} for number, entity in enumerate(plan.new_entities)]
    relations = [{**relation, "id": f"n{number}"} for number, relation in enumerate(plan.new_relations)]
    hops = Series()
    for start in plan.starts["2"]:
        if len(hops.time(plain.subgraph, start, 2)[0]) > MOST_NODES:
            del hops.wall[-1], hops.cpu[-1]
    update = timed(plan.updated, lambda key: plain.update(key, CHANGED))
    read = timed(plan.read, plain.read)
    return {
        LOAD: load,
        "entity create": timed(entities, plain.create),
        "relation create": timed(relations, plain.relate),
        "entity update": update,
        "entity read": read,
        "entity read, again": read,
        "entity delete": timed(plan.deleted, plain.delete),
        f"{TWO_HOPS}, first": hops.figures(),
        f"{TWO_HOPS}, again": hops.figures(),
    }


def _peak() -> float:
    return figure(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


COLUMNS = ["call", "plain SQLite", "before", "Fabula", "aim", "on the wall"]


def report(found: dict[str, Results], name: str | None, note: str) -> None:
    """Print the figures beside those from before statements were made once, and keep them under a name."""
    known = RESULTS / f"{BEFORE}.json"
    before = json.loads(known.read_text("utf-8"))["found"]["fabula"] if known.exists() else {}
    plain = found["plain sqlite"]
    rows = [
        [call, _told(plain.get(call)), _told(before.get(call)), _told(figures), _aim(call), _wall(figures)]
        for call, figures in found["fabula"].items()
    ]
    show([("In process, CPU ms p50 / p95", COLUMNS, rows)])
    if name is None:
        return
    RESULTS.mkdir(exist_ok=True)
    about = {
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "processors": os.cpu_count(),
        "note": note,
    }
    kept = {"about": about, "found": found}
    (RESULTS / f"{name}.json").write_text(json.dumps(kept, ensure_ascii=False, indent=1) + "\n", "utf-8")
    page = [
        "# One call at a time, in process",
        f"Python {about['python']}, SQLite {about['sqlite']}, {about['processors']} processors. {note}",
        "A story of 10,000 entities and 24,000 relations. Milliseconds of the processor, median / 95th"
        " percentile; the wall clock's median beside them. *Before* is the same script at the commit before"
        " statements were made once. Every write is on the disk when it returns, on both sides.",
        markdown(COLUMNS, rows),
    ]
    (RESULTS / f"{name}.md").write_text("\n\n".join(page) + "\n", "utf-8")


def _told(figures: Figures | None) -> str:
    if figures is None:
        return "–"
    if "seconds" in figures:
        return f"{figures['cpu_seconds']} s"
    if "rate" in figures:
        return f"{figures['rate']:,} (CPU {figures['cpu_ms']} each)"
    if "peak_rss_mb" in figures:
        return f"{figures['peak_rss_mb']} MB"
    return f"{figures['cpu_p50']} / {figures['cpu_p95']}"


def _wall(figures: Figures) -> str:
    return (
        str(figures["p50"]) if "p50" in figures else f"{figures['seconds']} s" if "seconds" in figures else ""
    )


def _aim(call: str) -> str:
    if call == LOAD:
        return f"≤ {LOAD_AIM_S} s"
    if call not in AIMS:
        return ""
    median, high = AIMS[call]
    return f"≤ {median}" if high is None else f"≤ {median} / p95 ≤ {high}"
