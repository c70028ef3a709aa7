"""Bulk load: a whole world in one `knowledge:batch:upsert`, beside plain `executemany`."""

from __future__ import annotations

import resource
import sqlite3
from pathlib import Path

from bench.asking import opened
from bench.baselines import PlainSqlite, connect, entity_rows, relation_rows
from bench.measure import Figures, Results, figure, once
from bench.plan import STORY, Plan
from bench.world import World

LOAD = "bulk load, one call"


def measure(plan: Plan) -> Results:
    """Load the world into Fabula; this is also where the other measurements get it from."""
    world = World(plan.size)
    payload = {"projectId": STORY, "entities": world.entities, "relations": world.relations}
    with opened(plan) as memory:
        answer, first = once(lambda: memory.answer("knowledge:batch:upsert", payload))
        if answer.created_relation_count != len(world.relations):
            raise AssertionError("not everything was loaded")
    first["rows"] = len(world.entities) + len(world.relations)
    first["db_mb"] = megabytes(plan.db)
    first["peak_rss_mb"] = figure(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    return {LOAD: first}


def baseline(plan: Plan) -> dict[str, Results]:
    """`executemany` of ready rows into the KG document's tables, and of Fabula's own rows into its own."""
    world = World(plan.size)
    plain = PlainSqlite(plan.plain_db, STORY)
    plain.create_tables()
    rows, making = once(lambda: (entity_rows(STORY, world.entities), relation_rows(STORY, world.relations)))
    _, load = once(lambda: plain.load(*rows))
    plain.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    load["making_rows_seconds"] = making["seconds"]
    load["db_mb"] = megabytes(plan.plain_db)
    return {"sqlite executemany": {LOAD: load}, "executemany of Fabula's rows": {LOAD: _own_rows(plan)}}


def _own_rows(plan: Plan) -> Figures:
    """The same rows, indexes and log that Fabula writes, without Fabula: what its schema alone costs."""
    source = connect(plan.db)
    copy = plan.folder / "copy.db"
    target = connect(copy)
    made = source.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rootpage").fetchall()
    for (statement,) in made:
        target.execute(statement)
    tables = ("stories", "kg_relation_types", "kg_entities", "kg_relations", "story_steps", "story_changes")
    rows = {table: source.execute(f"SELECT * FROM {table}").fetchall() for table in tables}
    _, figures = once(lambda: _insert(target, rows))
    target.close()
    copy.unlink()
    return figures


def _insert(target: sqlite3.Connection, rows: dict[str, list[tuple[object, ...]]]) -> None:
    target.execute("BEGIN IMMEDIATE")
    for table, values in rows.items():
        marks = ",".join("?" * len(values[0]))
        target.executemany(f"INSERT INTO {table} VALUES ({marks})", values)
    target.execute("COMMIT")


def megabytes(path: Path) -> float:
    """How large a database file is, with its write-ahead log."""
    files = (path, path.with_name(path.name + "-wal"))
    return figure(sum(file.stat().st_size for file in files if file.exists()) / 1e6)
