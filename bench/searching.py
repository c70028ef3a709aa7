"""The search field, in-process, beside plain SQLite: a name, a code inside a text, two characters inside one.

Every twentieth entity has a code in its description, and another one a pair of rare characters; *common pair*
takes two adjacent characters of any description. A hit is an answer that has the entity which was meant.
"""

from __future__ import annotations

import json
import os
import platform
import random
import re
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import psutil

from bench.measure import Figures, Results, Series
from bench.plan import STORY
from bench.processes import found_by
from bench.report import RESULTS, TableOf, markdown, number
from bench.retrieval_report import show
from bench.retrieval_world import LIMITS, told
from bench.world import SEED, World
from fabula.memory import Memory
from fabula.operations.search.search import search_story

NAME = "search"
SMALL, LARGE = 10_000, 50_000
RELATIONS = 24_000
ASKED = 300
EVERY = 20
PLAIN = ", plain SQLite"
# What is aimed at: the processor's median and its 95th percentile, in milliseconds.
AIMS = {
    SMALL: {"name": (0.5, 1.0), "code": (1.0, 2.0), "pair": (1.0, 2.0)},
    LARGE: dict.fromkeys(("name", "code", "pair"), (3.0, 6.0)),
}

NOTES = """\
Milliseconds of the processor. *plain SQLite* has an index on names, FTS5 with trigrams for codes, and LIKE
for pairs of characters, which FTS5 does not find. The story of 10,000 entities has 24,000 relations; that of
50,000 has 200,000 relations, 50,000 events and 20,000 passages. *before* is search without postings.
"""

Query = tuple[str, str]


def measure(*, quick: bool) -> dict[str, Results]:
    """Both stories, each in a process of its own; the small one only if it is to be quick."""
    sizes = (SMALL,) if quick else (SMALL, LARGE)
    return {str(size): found_by("bench.searching", str(size)) for size in sizes}


def _changed(world: World) -> Iterator[tuple[dict[str, Any], str, str]]:
    """Entities with a code or a pair added to what they say: (entity, kind, what was added)."""
    for place in range(0, world.size - 2, EVERY):
        nth = place // EVERY
        code, pair = f"QX{place:05d}", f"{chr(0x7A00 + nth % 512)}{chr(0x8000 + nth // 512 * 64 + nth % 61)}"
        for entity, kind, added in (
            (world.entities[place], "code", code),
            (world.entities[place + 2], "pair", pair),
        ):
            yield {**entity, "description": f"{entity['description']}（编号{added}）"}, kind, added


def _queries(world: World, changed: Sequence[tuple[dict[str, Any], str, str]]) -> dict[str, list[Query]]:
    rng = random.Random(f"search:{SEED}")
    asked: dict[str, list[Query]] = {
        "name": [(one["name"], one["id"]) for one in rng.sample(world.entities, ASKED)]
    }
    for kind in ("code", "pair"):
        own = [(added, entity["id"]) for entity, other, added in changed if other == kind]
        asked[kind] = rng.sample(own, min(ASKED, len(own)))
    pairs = [
        (rng.choice(found), "")
        for one in rng.sample(world.entities[::2], ASKED)
        if (found := re.findall(r"[\u4e00-\u9fff]{2}", one["description"]))
    ]
    return {**asked, "common pair": pairs}


def _run(size: int) -> Results:
    world = World(size)
    changed = list(_changed(world))
    with tempfile.TemporaryDirectory(prefix="fabula-bench-") as folder:
        db, plain_db = Path(folder) / "fabula.db", Path(folder) / "plain.db"
        if size == LARGE:
            shutil.copy(told(size).db, db)
        with Memory(db, limits=LIMITS) as memory:
            if size != LARGE:
                memory.story("Search", id=STORY, language="zh")
                _send(memory, entities=world.entities)
                _send(memory, relations=world.relations[:RELATIONS])
            _send(memory, entities=[entity for entity, _, _ in changed])
        texts = {one["id"]: one for one in world.entities} | {one["id"]: one for one, _, _ in changed}
        queries = _queries(world, changed)
        baseline = _baseline(plain_db, list(texts.values()), queries)
        with Memory(db, limits=LIMITS) as memory:
            return {**_asked(memory, queries), **baseline, "memory": _memory()}


def _send(memory: Memory, **payload: Any) -> None:
    memory.answer("knowledge:batch:upsert", {"projectId": STORY, **payload})


def _asked(memory: Memory, queries: dict[str, list[Query]]) -> Results:
    def ids(text: str) -> list[str]:
        return [hit.id for hit in search_story(memory.call(), project_id=STORY, q=text).items]

    return {kind: _timed(ids, own) for kind, own in queries.items()}


def _baseline(db: Path, entities: Sequence[dict[str, Any]], queries: dict[str, list[Query]]) -> Results:
    run = sqlite3.connect(db)
    run.execute("CREATE TABLE e(id TEXT PRIMARY KEY, name TEXT, description TEXT)")
    run.execute("CREATE INDEX names ON e(name)")
    run.execute("CREATE VIRTUAL TABLE f USING fts5(id UNINDEXED, description, tokenize='trigram')")
    run.executemany("INSERT INTO e VALUES(?,?,?)", [(e["id"], e["name"], e["description"]) for e in entities])
    run.executemany("INSERT INTO f VALUES(?,?)", [(e["id"], e["description"]) for e in entities])
    run.commit()
    like = "SELECT id FROM e WHERE description LIKE '%' || ? || '%' LIMIT 20"
    ways = {
        "name": "SELECT id FROM e WHERE name = ? LIMIT 20",
        "code": "SELECT id FROM f WHERE f MATCH ? ORDER BY rank LIMIT 20",
        "pair": like,
        "common pair": like,
    }
    return {
        f"{kind}{PLAIN}": _timed(lambda text, q=ways[kind]: [k for (k,) in run.execute(q, (text,))], own)
        for kind, own in queries.items()
    }


def _timed(ids: Callable[[str], list[str]], queries: Sequence[Query]) -> Figures:
    series, hits = Series(), 0
    for text, _ in queries[:10]:
        ids(text)
    for text, meant in queries:
        found = series.time(ids, text)
        hits += meant in found if meant else bool(found)
    return {**series.figures(), "hit_rate": round(hits / len(queries), 4)}


def _memory() -> Figures:
    return {"rss_mb": psutil.Process().memory_info().rss >> 20}


def report(found: dict[str, Results], name: str | None, note: str) -> None:
    """Print it, and keep it beside what was measured before."""
    file = RESULTS / f"{name or NAME}.json"
    known = json.loads(file.read_text("utf-8")) if file.exists() else {}
    before = known.get("before", {})
    tables = [_table(size, results, before.get(size, {})) for size, results in found.items()]
    show(tables)
    if name is None:
        return
    about = {
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "processors": os.cpu_count(),
    }
    whole = {"about": {**about, "note": note}, "before": before, "now": found}
    file.write_text(json.dumps(whole, ensure_ascii=False, indent=1) + "\n", "utf-8")
    parts = ["# The search field, measured", *([f"**{note}**"] if note else []), NOTES.strip()]
    for title, columns, rows in tables:
        parts += [f"## {title}", markdown(columns, rows)]
    (RESULTS / f"{name}.md").write_text("\n\n".join(parts) + "\n", "utf-8")


def _table(size: str, results: Results, before: Results) -> TableOf:
    columns = [
        "search for",
        "cpu p50",
        "cpu p95",
        "hit rate",
        "plain SQLite p50",
        "its hit rate",
        "before p50 / p95",
    ]
    rows = []
    for kind in ("name", "code", "pair", "common pair"):
        own, plain, old = results[kind], results[f"{kind}{PLAIN}"], before.get(kind)
        aim = AIMS[int(size)].get(kind)
        rows.append(
            [
                f"{kind}{'' if aim is None else ' (aim {:g} / {:g})'.format(*aim)}",
                *(number(own[key]) for key in ("cpu_p50", "cpu_p95", "hit_rate")),
                *(number(plain[key]) for key in ("cpu_p50", "hit_rate")),
                "" if old is None else f"{number(old['cpu_p50'])} / {number(old['cpu_p95'])}",
            ]
        )
    return (
        f"{int(size):,} entities, {results['memory']['rss_mb']:,.0f} MB with the measurement's own data",
        columns,
        rows,
    )


if __name__ == "__main__":
    print(json.dumps(_run(int(sys.argv[1]))))
