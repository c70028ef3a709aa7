"""Tables are distributed by story where there is Citus; where there is none, it is said and nothing changes.

No package registry has Citus. These tests ask a real PostgreSQL, with functions that note what Citus would be
asked for and refuse what it refuses; `FABULA_TEST_ENGINE=citus` runs the suites on a real one.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from fabula.errors import Conflict, InvalidInput
from fabula.memory import Memory
from fabula.store.migrate import HEAD
from fabula.store.place import PostgresPlace
from fabula.store.shard_tables import REFERENCE as REFERENCE_TABLES
from fabula.store.sharding import distribute, steps_from
from fabula.store.tables import metadata
from postgres import ENGINE, ask, blank_at, found, hang_up
from shards import REFERENCE, SHARDED

STAND_IN = (Path(__file__).parents[1] / "citus_stand_in.sql").read_text("utf-8")
on_postgresql = pytest.mark.skipif(ENGINE != "postgresql", reason="needs FABULA_TEST_ENGINE=postgresql")

LAYOUT = "SELECT table_name::text, citus_table_type, distribution_column, beside FROM citus_tables"
EVERYTHING = "SELECT relname, relkind FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY 1"


@pytest.fixture
def blank(tmp_path: Path) -> PostgresPlace:
    """A database without any table."""
    made = blank_at(tmp_path / "blank.db")
    assert isinstance(made, PostgresPlace)
    return made


@pytest.fixture
def place(blank: PostgresPlace) -> PostgresPlace:
    """One with a story, and with what stands in for Citus."""
    with Memory(blank) as memory:
        memory.story("雾港").entity.create(type="character", name="林远")
    ask(blank.url, STAND_IN)
    return blank


def test_a_file_is_not_distributed(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="Only a PostgreSQL"):
        distribute(tmp_path / "fabula.db")
    assert list(tmp_path.iterdir()) == []


def test_every_table_of_stories_follows_what_it_refers_to() -> None:
    assert REFERENCE_TABLES == REFERENCE
    steps = [step.table for step in steps_from({})]
    assert set(steps) == set(SHARDED) | REFERENCE
    for place, name in enumerate(steps):
        referred = {foreign.referred_table.name for foreign in metadata.tables[name].foreign_key_constraints}
        assert referred - {name} <= set(steps[:place]), name


def test_the_statements_are_those_of_citus() -> None:
    said = {step.table: step.statement for step in steps_from({})}
    assert said["users"] == "SELECT create_reference_table('users')"
    assert (
        said["stories"] == "SELECT create_distributed_table('stories', 'project_id', colocate_with => 'none')"
    )
    assert (
        said["kg_entities"]
        == "SELECT create_distributed_table('kg_entities', 'project_id', colocate_with => 'stories')"
    )


@on_postgresql
def test_without_citus_it_says_so_and_changes_nothing(blank: PostgresPlace) -> None:
    for is_dry_run in (True, False):
        with pytest.raises(InvalidInput, match="has no Citus") as refused:
            distribute(blank, is_dry_run=is_dry_run)
        assert "nothing else needs it" in str(refused.value.suggestion)
    assert found(blank, EVERYTHING, ()) == []


@on_postgresql
def test_a_plan_changes_nothing(place: PostgresPlace) -> None:
    before = found(place, EVERYTHING, ())
    plan = distribute(place, is_dry_run=True)
    assert {step.table for step in plan.steps} == set(SHARDED) | REFERENCE
    assert (plan.kept_count, plan.worker_count) == (0, 2)
    assert found(place, LAYOUT, ()) == []
    assert found(place, EVERYTHING, ()) == before


@on_postgresql
def test_all_tables_are_distributed_once_and_beside_the_stories(place: PostgresPlace) -> None:
    told: list[str] = []
    report = distribute(place, told.append)
    assert told == [step.table for step in report.steps]
    now = {name: (kind, column, beside) for name, kind, column, beside in found(place, LAYOUT, ())}
    beside = dict.fromkeys(SHARDED, ("distributed", "project_id", "stories"))
    beside |= {"stories": ("distributed", "project_id", "none")}
    beside |= dict.fromkeys(REFERENCE, ("reference", "<none>", None))
    assert now == beside
    again = distribute(place)
    assert (again.steps, again.kept_count) == ((), len(now))


@on_postgresql
def test_an_interrupted_run_goes_on(place: PostgresPlace) -> None:
    statements = [step.statement for step in steps_from({})][:5]
    ask(place.url, *statements)
    report = distribute(place)
    assert report.kept_count == 5
    assert distribute(place).steps == ()


@on_postgresql
def test_a_refusal_names_the_table_and_the_next_run_goes_on(place: PostgresPlace) -> None:
    ask(place.url, "ALTER TABLE citus_tables ADD CHECK (table_name::text != 'kg_entities')")
    with pytest.raises(Conflict, match="'kg_entities'"):
        distribute(place)
    ask(place.url, "ALTER TABLE citus_tables DROP CONSTRAINT citus_tables_table_name_check")
    distribute(place)
    assert distribute(place).steps == ()


@on_postgresql
@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("SELECT create_distributed_table('stories', 'title', 'none')", "another way: stories"),
        ("SELECT create_reference_table('stories')", "another way: stories"),
        ("INSERT INTO move_parts VALUES ('', 'source', 0, '')", "being moved"),
    ],
)
def test_what_would_fail_in_the_middle_is_found_before(
    place: PostgresPlace, statement: str, why: str
) -> None:
    ask(place.url, statement)
    before = found(place, LAYOUT, ())
    with pytest.raises(Conflict, match=why):
        distribute(place)
    assert found(place, LAYOUT, ()) == before


@on_postgresql
def test_nobody_may_be_connected(place: PostgresPlace) -> None:
    with Memory(place) as memory:
        assert len(memory.stories()) == 1
        with pytest.raises(Conflict, match="Others are connected"):
            distribute(place)
    hang_up(place.url)
    assert found(place, LAYOUT, ()) == []


# What undoes the newest migrations.
BACK_TO_0020 = (
    "DROP INDEX idx_scenes_pov",
    "ALTER TABLE scenes DROP COLUMN pov_id, DROP COLUMN notes, DROP COLUMN word_goal",
    "DROP TABLE job_hints",
    "DROP INDEX idx_kg_entities_dated_names, idx_kg_events_telling",
    "ALTER TABLE story_threads DROP COLUMN secrecy",
)


@on_postgresql
def test_what_a_migration_adds_is_distributed_like_the_rest(place: PostgresPlace) -> None:
    distribute(place)
    ask(
        place.url,
        "DELETE FROM citus_tables WHERE table_name = 'context_receipts'::regclass",
        "DROP TABLE context_receipts",
        *BACK_TO_0020,
        "UPDATE alembic_version SET version_num = '0019'",
    )
    Memory(place).close()
    assert found(place, "SELECT version_num FROM alembic_version", ()) == [(HEAD,)]
    layout = found(place, LAYOUT, ())
    assert ("context_receipts", "distributed", "project_id", "stories") in layout
    # Workers of all machines ask it about all stories.
    assert "job_hints" not in {row[0] for row in layout}
    assert distribute(place).steps == ()


@on_postgresql
def test_a_migration_of_what_is_not_distributed_distributes_nothing(place: PostgresPlace) -> None:
    ask(
        place.url,
        *BACK_TO_0020,
        "UPDATE alembic_version SET version_num = '0020'",
    )
    Memory(place).close()
    assert found(place, LAYOUT, ()) == []
