"""Rows of many ids are found by an index, however large the story is."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest
from sqlalchemy import select
from sqlalchemy.dialects import sqlite

from fabula.memory import Memory
from fabula.store.dialect import any_of
from fabula.store.tables import kg_entities


@pytest.mark.sqlite_only(reason="the plan of a query is told in each engine's own words")
def test_a_list_of_ids_is_looked_up_and_not_searched_for(memory: Memory) -> None:
    columns = kg_entities.c
    query = select(columns.name).where(columns.project_id == "p", any_of(columns.id, ["a", "b"]))
    statement = str(query.compile(dialect=sqlite.dialect()))
    with closing(sqlite3.connect(memory.place)) as connection:
        plan = connection.execute(f"EXPLAIN QUERY PLAN {statement}", ("p", '["a", "b"]')).fetchall()
    assert any("project_id=? AND id=?" in step[3] for step in plan), plan
