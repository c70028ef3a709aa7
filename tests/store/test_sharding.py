"""Nothing is kept or asked that an engine sharded by story (Citus, YugabyteDB, CockroachDB) could not do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import numpy as np
import pytest
from sqlalchemy import Connection, Engine, Sequence, Table, Text, event

from fabula import store
from fabula.memory import Memory
from fabula.model.account import Role
from fabula.operations.accounts import add_user, create_token
from fabula.operations.finding.embedding import start_embedding
from fabula.operations.lore.lore_values import LorebookEntryCreate
from fabula.operations.lore.lorebook import create_entry, list_entries
from fabula.operations.members import MemberPut, list_members, put_member, remove_member
from fabula.operations.stories import delete_story, list_stories
from fabula.operations.whole.export_story import export_folder
from fabula.samples import load_sample
from fabula.store.lore_reader import EntryFilter
from fabula.store.tables import metadata
from plain_embedder import PlainEmbedder, vector_of
from postgres import blank_at, place_at

# Tables may stand in more than one file of the store.
for module in iter_modules(store.__path__):
    import_module(f"{store.__name__}.{module.name}")

# Small, and copied whole to every shard; `story_members` says whose a story is, and is asked from both ends.
REFERENCE = {"users", "user_tokens", "story_members"}
SHARDED = {table.name: table for table in metadata.tables.values() if table.name not in REFERENCE}
FORBIDDEN = re.compile(
    r"\b(LISTEN|NOTIFY|TRIGGER|SEQUENCE|SERIAL|BIGSERIAL|NEXTVAL|IDENTITY|AUTOINCREMENT|PLPGSQL|DEFERRABLE"
    r"|EXCLUDE|GIST|PG_ADVISORY\w*|LAST_INSERT_ROWID|LASTVAL|(?<!WITHOUT )ROWID|CTID|RECURSIVE|NATURAL"
    r"|CROSS JOIN)\b",
    re.IGNORECASE,
)
# The few questions about all stories: each shard answers for itself, and its answers are put together.
OVER_ALL = re.compile(r"\b(FROM|UPDATE) (stories|jobs|gone_stories|move_parts)\b", re.IGNORECASE)
NAME = "|".join(sorted(SHARDED, key=len, reverse=True))
USES = re.compile(rf"\b(?:FROM|JOIN|UPDATE|INTO) ({NAME})\b", re.IGNORECASE)
OWN = re.compile(r"\bproject_id\b\"? = (?:\?|%|:|\$)", re.IGNORECASE)
JOINS = re.compile(
    r"\bJOIN (\w+)(?: AS \w+)? ON (.*?)(?= (?:LEFT )?(?:OUTER )?JOIN | WHERE | ORDER | GROUP |$)"
)
TOGETHER = re.compile(r"\w+\.project_id = \w+\.project_id")


class AnyEmbedder(PlainEmbedder):
    """One that takes questions, too."""

    def embed(self, texts: Any, *, kind: Any = "document") -> Any:
        return np.array([vector_of(text) for text in texts])


def columns_of(keyed: Any) -> list[str]:
    return [column.name for column in keyed.columns]


@pytest.mark.parametrize("table", SHARDED.values(), ids=str)
def test_every_key_begins_with_the_story(table: Table) -> None:
    assert columns_of(table.primary_key)[0] == "project_id"
    for index in table.indexes:
        assert columns_of(index)[0] == "project_id", index.name
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
    found = set()
    for one in named:
        for name, value in one.items():
            if re.fullmatch(r"project_id(_\d+)?|story|story_id", name) and value:
                found.update(value if isinstance(value, list) else [value])
    if not named and given and isinstance(given, list):
        found.update(row[0] for row in given)
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


def work(memory: Memory, folder: Path) -> None:
    """A little of everything that is done with stories."""
    sample = load_sample(memory, "harbor.zh")
    story = memory.story("另一个", id="other")
    lin = story.entity.create(type="character", name="林远", aliases=["阿远"])
    su = story.entity.create(type="character", name="苏晴")
    twin = story.entity.create(type="character", name="苏小姐")
    story.relation.create(source_entity_id=lin.id, target_entity_id=su.id, relation_type="师徒")
    story.relation.list(filter={"entityId": lin.id})
    story.state.create(entity_id=lin.id, description="受伤", since={"chapter": 3})
    met = story.event.create(summary="相遇。", roles=["阿远", "未来的人"], moment={"chapter": 1})
    story.event.list(filter={"entityId": lin.id, "keyword": "相遇", "since": {"chapter": 0}})
    story.event.companions(entity_id=lin.id)
    story.entity.merge(target_entity_id=su.id, source_entity_ids=[twin.id])
    story.history.undo()
    story.history.redo()
    story.history.list(id=su.id)
    story.entity.impact(id=lin.id)
    story.entity.list(filter={"keyword": "林", "type": "character"})
    story.query.subgraph(center_entity_id=lin.id)
    story.query.relevant(excerpt="林远与苏晴")
    story.query.validate()
    create_entry(memory.call(), story.id, LorebookEntryCreate(entry_key="雾", content="常年有雾。"))
    list_entries(memory.call(), story.id, EntryFilter(keyword="雾"), 0, 10)
    story.scene(0, 0, text="林远走进雾里，苏晴跟在后面。")
    story.context(text="林远回头。", chapter=0, scene=1)
    story.search("雾")
    story.extract(text="林远遇见了沈舟。沈舟说：“林远，跟我来。”")
    story.event.delete(id=met.id)
    add_user(memory.call(), "lin")
    reader = memory.identify(create_token(memory.call(), "lin").secret)
    put_member(memory.call(), story.id, "lin", MemberPut(role=Role.READER))
    assert [known.id for known in list_stories(memory.call(reader))] == [story.id]
    list_members(memory.call(), story.id)
    remove_member(memory.call(), story.id, "lin")
    start_embedding(memory.call(), sample.id)
    export_folder(memory.call(), sample.id, folder / "out")
    memory.audit()
    delete_story(memory.call(), story.id)


@pytest.fixture(scope="module")
def heard(tmp_path_factory: pytest.TempPathFactory) -> Heard:
    folder = tmp_path_factory.mktemp("sharding")
    with Memory(place_at(folder / "fabula.db"), vectors_by=AnyEmbedder()) as memory, listening() as heard:
        work(memory, folder)
    assert len(heard.statements) > 80
    return heard


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
