"""Nothing is kept or asked that an engine sharded by story (Citus, YugabyteDB, CockroachDB) could not do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, Sequence, Table, Text, event

from fabula.memory import Memory
from fabula.store.driver import NAMED
from fabula.store.tables import metadata
from postgres import blank_at, place_at
from shards import REFERENCE, SHARDED, AnyEmbedder, work

FORBIDDEN = re.compile(
    r"\b(LISTEN|NOTIFY|TRIGGER|SEQUENCE|SERIAL|BIGSERIAL|NEXTVAL|IDENTITY|AUTOINCREMENT|PLPGSQL|DEFERRABLE"
    r"|EXCLUDE|GIST|PG_ADVISORY\w*|LAST_INSERT_ROWID|LASTVAL|(?<!WITHOUT )ROWID|CTID|RECURSIVE|NATURAL"
    r"|CROSS JOIN)\b",
    re.IGNORECASE,
)
# The few questions about all stories: each shard answers for itself, and its answers are put together.
OVER_ALL = re.compile(
    r"\b(FROM|UPDATE) (stories|story_members|jobs|gone_stories|move_parts)\b", re.IGNORECASE
)
# Whose stories are asked for: each shard looks up its own.
ASKED_OVER_ALL = {"idx_story_members_user"}
NAME = "|".join(sorted(SHARDED, key=len, reverse=True))
USES = re.compile(rf"\b(?:FROM|JOIN|UPDATE|INTO) ({NAME})\b", re.IGNORECASE)
OWN = re.compile(r"\bproject_id\b\"? = (?:\?|%|:|\$)", re.IGNORECASE)
JOINS = re.compile(
    r"\bJOIN (\w+)(?: AS \w+)? ON (.*?)(?= (?:LEFT )?(?:OUTER )?JOIN | WHERE | ORDER | GROUP |$)"
)
TOGETHER = re.compile(r"\w+\.project_id = \w+\.project_id")


def columns_of(keyed: Any) -> list[str]:
    return [column.name for column in keyed.columns]


@pytest.mark.parametrize("table", SHARDED.values(), ids=str)
def test_every_key_begins_with_the_story(table: Table) -> None:
    assert columns_of(table.primary_key)[0] == "project_id"
    for index in table.indexes:
        assert columns_of(index)[0] == "project_id" or index.name in ASKED_OVER_ALL, index.name
        assert "project_id" in columns_of(index) or not index.unique, index.name
    for foreign in table.foreign_key_constraints:
        pairs = [(one.parent.name, one.column.name) for one in foreign.elements]
        assert pairs[0] == ("project_id", "project_id"), pairs
        assert foreign.referred_table.name in SHARDED
        assert not foreign.deferrable


@pytest.mark.parametrize("table", metadata.tables.values(), ids=str)
def test_no_number_is_given_by_the_database(table: Table) -> None:
    for column in table.columns:
        assert column.identity is None
        assert column.computed is None
        assert column.onupdate is None
        assert not isinstance(column.default, Sequence)
        if column.primary_key and not isinstance(column.type, Text):
            assert column.autoincrement is False


class Heard:
    """Every statement that was run, and which stories each transaction wrote to."""

    def __init__(self) -> None:
        self.statements: set[str] = set()
        self.written: list[set[str]] = []
        self._open: dict[int, set[str]] = {}

    def hear(
        self, connection: Connection, _c: Any, statement: str, given: Any, context: Any, _m: bool
    ) -> None:
        said = " ".join(statement.split())
        self.statements.add(said)
        if said.startswith(("INSERT", "UPDATE", "DELETE")) and USES.search(
            said.replace("DELETE FROM", "FROM")
        ):
            self._open.setdefault(id(connection), set()).update(stories_in(given, context))

    def end(self, connection: Connection) -> None:
        self.written.append(self._open.pop(id(connection), set()))


def stories_in(given: Any, context: Any) -> set[str]:
    """The ids of stories among the parameters of a statement."""
    named = getattr(context, "compiled_parameters", None) or ([given] if isinstance(given, dict) else [])
    named = [one for one in context.execution_options.get(NAMED, ()) if one] or named
    found = set()
    for one in named:
        for name, value in one.items():
            if re.fullmatch(r"project_id(_\d+)?|story|story_id", name) and value:
                found.update(value if isinstance(value, list) else [value])
    if not named and given:
        found.update(row[0] for row in (given if isinstance(given, list) else [given]))
    return found


@contextmanager
def listening() -> Iterator[Heard]:
    heard = Heard()
    ears = (("before_cursor_execute", heard.hear), ("commit", heard.end), ("rollback", heard.end))
    for what, ear in ears:
        event.listen(Engine, what, ear)
    try:
        yield heard
    finally:
        for what, ear in ears:
            event.remove(Engine, what, ear)


@pytest.fixture(scope="module")
def heard(tmp_path_factory: pytest.TempPathFactory) -> Heard:
    folder = tmp_path_factory.mktemp("sharding")
    with Memory(place_at(folder / "fabula.db"), vectors_by=AnyEmbedder()) as memory, listening() as heard:
        work(memory, folder)
    assert len(heard.statements) > 80
    return heard


@pytest.mark.long
def test_no_statement_asks_for_what_a_shard_lacks(heard: Heard) -> None:
    assert [said for said in heard.statements if FORBIDDEN.search(said)] == []


def test_no_statement_of_the_schema_does(tmp_path: Path) -> None:
    with listening() as heard:
        Memory(blank_at(tmp_path / "blank.db")).close()
    made = [said for said in heard.statements if said.startswith("CREATE TABLE")]
    assert len(made) >= len(metadata.tables)
    assert [said for said in heard.statements if FORBIDDEN.search(said)] == []


def test_every_statement_names_its_story_once_for_each_table(heard: Heard) -> None:
    for said in heard.statements:
        if said.startswith(("SELECT", "UPDATE", "DELETE")):
            used = len(USES.findall(said))
            bound = len(OWN.findall(said)) + len(TOGETHER.findall(said))
            assert bound >= used or OVER_ALL.search(said), said


def test_only_rows_of_one_story_are_joined(heard: Heard) -> None:
    joins = [(said, join) for said in heard.statements for join in JOINS.findall(said)]
    assert joins
    for said, (table, condition) in joins:
        assert table in REFERENCE or TOGETHER.search(condition), said


def test_a_transaction_writes_to_one_story(heard: Heard) -> None:
    assert max(map(len, heard.written)) == 1
