"""The schema: the same from the scripts as from the tables, whoever opens the file first."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, Inspector, inspect, text

from fabula import store
from fabula.errors import Conflict, InvalidInput
from fabula.memory import Memory
from fabula.store import migrate
from fabula.store.engines import engine_at
from fabula.store.tables import metadata
from forked import forked_python
from postgres import blank_at

# Tables may stand in more than one file of the store.
for module in iter_modules(store.__path__):
    import_module(f"{store.__name__}.{module.name}")

CONFIG = Config()
CONFIG.set_main_option("script_location", str(Path(migrate.__file__).parent / "migrations"))
SCRIPTS = ScriptDirectory.from_config(CONFIG)
# Who people are is kept beside the stories, not in one of them.
NOT_OF_A_STORY = {"alembic_version", "users", "user_tokens", "story_members", "job_hints"}


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    made = engine_at(blank_at(tmp_path / "fabula.db"), writes=True)
    yield made
    made.dispose()


def upgrade(engine: Engine, revision: str) -> None:
    """What a Fabula of that time did."""
    config = Config()
    config.set_main_option("script_location", str(CONFIG.get_main_option("script_location")))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)


def indexes(found: Inspector, table: str) -> dict[str, tuple[tuple[str | None, ...], bool]]:
    return {
        str(index["name"]): (tuple(index["column_names"]), bool(index["unique"]))
        for index in found.get_indexes(table)
    }


@pytest.mark.long
@pytest.mark.parametrize("past", [None, *(script.revision for script in SCRIPTS.walk_revisions())])
def test_every_past_schema_becomes_that_of_the_tables(engine: Engine, past: str | None) -> None:
    if past is not None:
        upgrade(engine, past)
    migrate.migrate(engine)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


@pytest.mark.long
def test_indexes_have_the_names_and_columns_of_the_tables(engine: Engine, tmp_path: Path) -> None:
    upgrade(engine, migrate.HEAD)
    declared = engine_at(blank_at(tmp_path / "declared.db"), writes=True)
    migrate.migrate(declared)
    written, wanted = inspect(engine), inspect(declared)
    for table in metadata.tables:
        assert indexes(written, table) == indexes(wanted, table)
        assert written.get_pk_constraint(table) == wanted.get_pk_constraint(table)
        assert written.get_foreign_keys(table) == wanted.get_foreign_keys(table)
        assert written.get_check_constraints(table) == wanted.get_check_constraints(table)
    declared.dispose()


@pytest.mark.sqlite_only(reason="asks SQLite for its plan")
def test_lists_are_read_in_the_order_of_their_index(engine: Engine) -> None:
    migrate.migrate(engine)
    with engine.connect() as connection:
        for table in ("kg_entities", "kg_relations"):
            plan = connection.execute(
                text(
                    f"EXPLAIN QUERY PLAN SELECT * FROM {table} WHERE project_id = 'p' "
                    "ORDER BY updated_at DESC, id LIMIT 10"
                )
            ).all()
            assert not [row for row in plan if "TEMP B-TREE" in str(row)]


def test_the_newest_script_is_the_one_the_store_asks_for() -> None:
    assert SCRIPTS.get_heads() == [migrate.HEAD]


@pytest.mark.sqlite_only(reason="asks SQLite for the version of its schema")
def test_a_second_opening_changes_nothing(engine: Engine) -> None:
    migrate.migrate(engine)
    with engine.connect() as connection:
        before = connection.execute(text("PRAGMA schema_version")).scalar_one()
    migrate.migrate(engine)
    with engine.connect() as connection:
        assert connection.execute(text("PRAGMA schema_version")).scalar_one() == before


def test_a_newer_schema_is_refused_and_left_alone(engine: Engine, tmp_path: Path) -> None:
    migrate.migrate(engine)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(Conflict) as refused:
        Memory(blank_at(tmp_path / "fabula.db"))
    assert refused.value.code == "CONFLICT"
    assert refused.value.details == {"schema": "9999", "newestKnown": migrate.HEAD}
    assert "newer" in (refused.value.suggestion or "")
    with engine.connect() as connection:
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one() == "9999"


@pytest.mark.parametrize(
    "tables",
    [
        ["CREATE TABLE users (id TEXT)"],
        [
            "CREATE TABLE alembic_version (version_num TEXT)",
            "INSERT INTO alembic_version VALUES ('a'), ('b')",
        ],
    ],
    ids=["tables called like ours", "a schema of their own"],
)
def test_a_database_of_another_program_is_refused_and_left_alone(
    engine: Engine, tmp_path: Path, tables: list[str]
) -> None:
    with engine.begin() as connection:
        for statement in tables:
            connection.execute(text(statement))
        before = inspect(connection).get_table_names()
    with pytest.raises(InvalidInput, match="another program") as refused:
        Memory(blank_at(tmp_path / "fabula.db"))
    assert refused.value.details == {"reason": "not_fabula"}
    assert inspect(engine).get_table_names() == before


def keys_of(found: Inspector, table: str) -> Iterator[tuple[str, Any]]:
    yield "primary key", found.get_pk_constraint(table)["constrained_columns"]
    for foreign in found.get_foreign_keys(table):
        yield "foreign key", foreign["constrained_columns"]
        yield "foreign key", foreign["referred_columns"]
    for unique in found.get_unique_constraints(table):
        yield "unique", unique["column_names"]
    for index in found.get_indexes(table):
        yield f"index {index['name']}", index["column_names"]


def test_every_key_of_a_story_begins_with_the_story(engine: Engine) -> None:
    migrate.migrate(engine)
    found = inspect(engine)
    tables = set(found.get_table_names()) - NOT_OF_A_STORY
    assert {"stories", "kg_entities", "kg_relations", "story_steps", "story_changes"} <= tables
    astray = [
        (table, what, columns)
        for table in sorted(tables)
        for what, columns in keys_of(found, table)
        if columns[0] != "project_id"
    ]
    assert astray == []


OPENER = """
import sys
from pathlib import Path
from fabula.memory import Memory

sys.stdin.readline()
with Memory(sys.argv[1]) as memory:
    story = memory.story(sys.argv[2])
    print(story.entity.create(type="character", name=sys.argv[2]).name)
"""


@pytest.mark.slow
@pytest.mark.every_engine
def test_processes_that_open_a_blank_file_together_all_can(tmp_path: Path) -> None:
    names = [f"p{number}" for number in range(4)]
    processes = [
        forked_python(
            OPENER,
            str(blank_at(tmp_path / "new" / "fabula.db")),
            name,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for name in names
    ]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    answers = [process.communicate(timeout=300) for process in processes]
    assert answers == [(f"{name}\n", "") for name in names]
    with Memory(blank_at(tmp_path / "new" / "fabula.db")) as memory:
        assert {story.title for story in memory.stories()} == set(names)
