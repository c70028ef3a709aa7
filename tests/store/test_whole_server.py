"""What `fabula doctor` says of a PostgreSQL database as a whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabula.cli.maintenance import _look_at_place
from fabula.memory import Memory
from fabula.store.damage import damaged
from fabula.store.migrate import HEAD
from fabula.store.place import PostgresPlace
from fabula.store.whole_server import look_at_server
from postgres import ON_POSTGRESQL, ask, blank_at

pytestmark = pytest.mark.skipif(not ON_POSTGRESQL, reason="needs FABULA_TEST_ENGINE=postgresql")


@pytest.fixture
def address(tmp_path: Path) -> PostgresPlace:
    """A database of its own, which may be spoilt."""
    made = blank_at(tmp_path / "whole.db")
    assert isinstance(made, PostgresPlace)
    Memory(made).close()
    return made


def test_a_sound_database_is_named_with_its_server(
    address: PostgresPlace, capsys: pytest.CaptureFixture[str]
) -> None:
    seen = look_at_server(address)
    assert (seen.encoding, seen.schema, seen.faults) == ("UTF8", HEAD, ())
    assert ("unsafe", "fsync = off") in seen.cautions  # as the server of these tests is started
    with Memory(address) as memory:
        assert _look_at_place(memory) == 0
    said = capsys.readouterr().out
    assert f"PostgreSQL {seen.version.split()[0]}" in said
    assert "file" not in said


def test_what_is_not_as_it_was_made_is_found(
    address: PostgresPlace, capsys: pytest.CaptureFixture[str]
) -> None:
    ask(
        address.url,
        "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'idx_chapters_place'::regclass",
        'ALTER TABLE scenes ALTER COLUMN title TYPE TEXT COLLATE "POSIX"',
        "DROP TABLE gone_stories",
        "ALTER TABLE story_steps ADD CONSTRAINT unchecked CHECK (change_count >= 0) NOT VALID",
    )
    assert look_at_server(address).faults == (
        ("table", "gone_stories"),
        ("column", "scenes.title"),
        ("index", "idx_chapters_place"),
        ("constraint", "story_steps.unchecked"),
    )
    with Memory(address) as memory:
        assert _look_at_place(memory) == 4
    said = capsys.readouterr().out
    assert "REINDEX INDEX idx_chapters_place" in said
    assert "as Fabula made them" not in said


def test_a_database_that_cannot_hold_every_letter_is_found(tmp_path: Path, address: PostgresPlace) -> None:
    server = address.url.rsplit("/", 1)[0]
    name = f"{address.url.rsplit('/', 1)[1]}_latin"
    how = "TEMPLATE template0 ENCODING LATIN1 LOCALE_PROVIDER libc LOCALE 'C'"
    ask(f"{server}/postgres", f"CREATE DATABASE {name} {how}")
    try:
        Memory(f"{server}/{name}").close()
        assert look_at_server(PostgresPlace(f"{server}/{name}")).faults == (("encoding", "LATIN1"),)
    finally:
        ask(f"{server}/postgres", f"DROP DATABASE {name} WITH (FORCE)")


def test_damage_of_a_server_is_told_without_a_word_of_files() -> None:
    refusal = damaged(PostgresPlace("postgresql://fabula:secret@db/stories"), ["invalid page"])
    said = f"{refusal.message} {refusal.suggestion}"
    assert "file" not in said
    assert "secret" not in said
    assert "fabula restore" in said
