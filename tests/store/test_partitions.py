"""Every table of stories in sixteen parts by story, as an engine of many machines has them: all of it works,
and whoever asks about one story touches one part of each table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, MetaData, Text, create_engine, event, text
from sqlalchemy.schema import CreateTable

from fabula.memory import Memory, restore_memory
from fabula.model.story import Limits
from fabula.operations.job_repair import leftovers
from fabula.store.migrate import HEAD
from fabula.store.moving import move
from fabula.store.place import PostgresPlace
from fabula.store.tables import metadata
from postgres import ON_POSTGRESQL, blank_at
from shards import SHARDED, AnyEmbedder, work

pytestmark = [
    pytest.mark.skipif(not ON_POSTGRESQL, reason="needs FABULA_TEST_ENGINE=postgresql"),
    pytest.mark.slow,
    pytest.mark.every_engine,
]

PARTS = 16
PART = re.compile(r"(\w+)_part_\d+")

# The questions and changes that are about no one story: each part answers for itself.
OVER_ALL = {
    "the stories, the one changed last first": r"SELECT stories\..* FROM stories ORDER BY",
    "the stories of a user": r"SELECT stories\..* FROM stories JOIN story_members .*user_id = ",
    "what is new in the stories that somebody watches": r"SELECT .* FROM stories WHERE .*project_id = ANY",
    "who may watch them": r"SELECT .* FROM story_members WHERE .*project_id = ANY",
    "the stories that are gone": r"SELECT gone_stories\..* FROM gone_stories$",
    "a job by its id alone": r"SELECT jobs\..* FROM jobs JOIN stories .* WHERE jobs\.id = ",
    "the jobs that should have a hint": r"SELECT jobs\.project_id, jobs\.id, jobs\.status.* FROM jobs WHERE",
    "how many jobs": r"SELECT jobs\.status, count\(\*\) AS \w+ FROM jobs GROUP BY",
    "what jobs left behind": r"SELECT job_parts\.project_id, count\(\*\) AS \w+ FROM job_parts JOIN jobs",
    "the novels that nobody reads": r"SELECT novel_readings\.project_id FROM novel_readings WHERE ",
    "whether a move is under way": r"SELECT move_parts\..* FROM move_parts",
}


def partitioned(address: PostgresPlace, parts: int = PARTS) -> None:
    """Make today's schema with every table of stories in parts, from our own tables and nothing else."""
    made = MetaData()
    for table in metadata.sorted_tables:
        copied = table.to_metadata(made)
        for column in copied.columns:
            if isinstance(column.type, Text):
                column.type = Text(collation="C")
        if table.name in SHARDED:
            copied.dialect_options["postgresql"]["partition_by"] = "HASH (project_id)"
    engine = create_engine(address.url.replace("postgresql://", "postgresql+psycopg://"))
    with engine.begin() as connection:
        for table in made.sorted_tables:
            connection.execute(CreateTable(table))
            if table.name in SHARDED:
                for part in range(parts):
                    connection.execute(
                        text(
                            f"CREATE TABLE {table.name}_part_{part} PARTITION OF {table.name} "
                            f"FOR VALUES WITH (MODULUS {parts}, REMAINDER {part})"
                        )
                    )
            for index in table.indexes:
                index.create(connection)
        connection.execute(text("CREATE TABLE alembic_version (version_num TEXT PRIMARY KEY)"))
        connection.execute(text(f"INSERT INTO alembic_version VALUES ('{HEAD}')"))
    engine.dispose()


class Plans:
    """Every statement that was run, with the most parts of one table that a plan of it touched."""

    def __init__(self) -> None:
        self.parts: dict[str, int] = {}
        self._asked: dict[str, int] = {}

    def look(self, connection: Connection, _c: Any, statement: str, given: Any, _x: Any, many: bool) -> None:
        said = " ".join(statement.split())
        if not said.startswith(("SELECT", "UPDATE", "DELETE", "INSERT")) or self._asked.get(said, 0) >= 3:
            return
        self._asked[said] = self._asked.get(said, 0) + 1
        cursor = connection.connection.cursor()
        try:
            one = given[0] if many or isinstance(given, list) else given
            cursor.execute(f"EXPLAIN (FORMAT JSON) {statement}", one)
            (plan,) = cursor.fetchone() or (None,)
        finally:
            cursor.close()
        self.parts[said] = max(self.parts.get(said, 0), most_parts(plan))


def most_parts(plan: Any) -> int:
    """In how many parts of the table that is worst off a plan looks."""
    touched: dict[str, set[str]] = {}

    def walk(node: Any) -> None:
        if isinstance(node, dict):
            found = PART.fullmatch(str(node.get("Relation Name", "")))
            if found:
                touched.setdefault(found[1], set()).add(found[0])
            for value in node.values():
                walk(value)
        elif isinstance(node, list):
            for value in node:
                walk(value)

    walk(plan)
    return max(map(len, touched.values()), default=0)


def ask_as_a_crew(memory: Memory) -> None:
    """Ask what those who do jobs ask, of all stories."""
    call = memory.call()
    ledger = call.jobs.crew.ledger
    ledger.mend_hints()
    ledger.release_gone()
    ledger.bring_near()
    ledger.due(set())
    with call.store.read() as reader:
        reader.jobs.next_time()
        reader.jobs.by_status()
        reader.gone_stories()
    leftovers(call)


@contextmanager
def planning() -> Iterator[Plans]:
    plans = Plans()
    event.listen(Engine, "before_cursor_execute", plans.look)
    try:
        yield plans
    finally:
        event.remove(Engine, "before_cursor_execute", plans.look)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> PostgresPlace:
    """A database whose tables are in parts."""
    made = blank_at(tmp_path_factory.mktemp("parts") / "parts.db")
    assert isinstance(made, PostgresPlace)
    partitioned(made)
    return made


def test_everything_works_in_parts_and_a_story_is_in_one(address: PostgresPlace, tmp_path: Path) -> None:
    # Every statement is explained, which a busy machine does slowly.
    limits = Limits(query_timeout_ms=120_000)
    with planning() as plans, Memory(address, vectors_by=AnyEmbedder(), limits=limits) as memory:
        work(memory, tmp_path)
        ask_as_a_crew(memory)
    with Memory(address) as memory:
        backup, made = memory.backup(tmp_path / "all.backup")
        revisions = {story.id: story.revision for story in memory.stories()}
    assert made.revisions == revisions
    one_story = {said for said, parts in plans.parts.items() if parts == 1}
    assert len(one_story) > 80
    # What is asked of all parts is a closed list, in both directions.
    over_all = {said for said, parts in plans.parts.items() if parts > 1}
    unknown = [said for said in over_all if not any(re.match(one, said) for one in OVER_ALL.values())]
    assert unknown == []
    unasked = [what for what, one in OVER_ALL.items() if not any(re.match(one, said) for said in over_all)]
    assert unasked == []

    # And there and back: into parts from a backup, and out of them by a move.
    elsewhere = blank_at(tmp_path / "elsewhere.db")
    assert isinstance(elsewhere, PostgresPlace)
    partitioned(elsewhere, parts=3)
    restore_memory(backup, elsewhere)
    move(elsewhere, tmp_path / "moved.db")
    with Memory(tmp_path / "moved.db") as memory:
        assert {story.id: story.revision for story in memory.stories()} == revisions
        assert [report.differing for report in memory.audit()] == [()] * len(revisions)


def test_the_parts_refuse_what_the_whole_would(address: PostgresPlace) -> None:
    """Keys, uniques and references are as many as on one machine."""
    import psycopg

    with Memory(address) as memory:
        story = memory.story("测试")
        lin = story.entity.create(type="character", name="林远")
        with psycopg.connect(address.url, autocommit=True) as connection:
            for statement in (
                "DELETE FROM stories",
                f"UPDATE kg_entities SET project_id = 'nobody' WHERE id = '{lin.id}'",
                "INSERT INTO kg_entities SELECT project_id, 'another', type, name, name_key FROM kg_entities",
            ):
                with pytest.raises(psycopg.IntegrityError):
                    connection.execute(statement)
