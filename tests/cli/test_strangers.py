"""A database of another program, or what is none, named to a command: refused, and nothing is written."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import typer

from doors import fabula
from fabula.cli.main import app
from fabula.formats.ontology_file import write_ontology
from fabula.memory import Memory
from fabula.model.fiction import FICTION

Run = Callable[..., Any]

# What commands need besides the database to be complete.
ARGUMENTS = {
    "check": ["story"],
    "context": ["story"],
    "search": ["story", "word"],
    "threads": ["story"],
    "embed": ["story"],
    "import": ["novel.txt"],
    "export": ["story"],
    "extract": ["story"],
    "schema": ["story"],
    "ontology show": ["story"],
    "ontology check": ["story", "ontology.yaml"],
    "ontology set": ["story", "ontology.yaml"],
    "story new": ["title"],
    "story delete": ["story"],
    "story share": ["story", "lin", "editor"],
    "user add": ["lin"],
    "user token": ["lin"],
    "user revoke": ["lin"],
    "mirror drop": ["story"],
    "timeline": ["story"],
    "knows": ["story", "name"],
    "receipt list": ["story"],
    "receipt show": ["story", "receipt"],
    "receipt diff": ["story", "receipt", "receipt"],
    "receipt replay": ["story", "receipt"],
}
# Makes a database where there is none, and looks into no other.
MAKES_ONE = "restore"
# Refuses every file, whatever is in it.
TAKES_NO_FILE = "distribute"
# Sets up the log of its process for good.
LOGGING = ("serve", "ipc", "mcp")


def commands() -> Iterator[str]:
    """Every command that opens a database."""

    def walk(command: Any, path: list[str]) -> Iterator[str]:
        for name, below in getattr(command, "commands", {}).items():
            yield from walk(below, [*path, name])
        if any("--db" in option.opts for option in command.params):
            yield " ".join(path)

    return walk(typer.main.get_command(app), [])


OPENING = sorted(set(commands()) - {MAKES_ONE, TAKES_NO_FILE})

STRANGERS = {
    "tables of their own": ["CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)"],
    "tables that are called like ours": ["CREATE TABLE users (id)", "CREATE TABLE jobs (id)"],
    "a schema that is counted like ours": [
        "CREATE TABLE alembic_version (version_num TEXT)",
        "INSERT INTO alembic_version VALUES ('0009')",
        "CREATE TABLE stories (id)",
    ],
    "two schemas": [
        "CREATE TABLE alembic_version (version_num TEXT)",
        "INSERT INTO alembic_version VALUES ('a'), ('b')",
    ],
    "a view": ["CREATE VIEW seen AS SELECT 1"],
    "a log of writes": ["PRAGMA journal_mode = WAL", "CREATE TABLE notes (id)"],
}


def strangers_file(folder: Path, what: str = "tables of their own") -> Path:
    path = folder / "strange #1?.db"
    with closing(sqlite3.connect(path)) as connection:
        for statement in STRANGERS[what]:
            connection.execute(statement)
        connection.commit()
    return path


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def test_the_walk_sees_the_commands() -> None:
    assert {"serve", "ipc", "mcp", "doctor", "backup", "jobs", "story list", "mirror sync"} <= set(OPENING)


@pytest.fixture
def refused(run: Run, tmp_path: Path) -> Callable[[str, Path], str]:
    """What a command says when it is given a database that it does not open; nothing is written anywhere."""
    given = tmp_path / "given"
    given.mkdir()
    (given / "novel.txt").write_text("第一章 灯\n\n林惊羽来了。\n", "utf-8")
    (given / "ontology.yaml").write_text(write_ontology(FICTION), "utf-8")

    def said(command: str, db: Path) -> str:
        before = files(tmp_path)
        words = [str(given / word) if "." in word else word for word in ARGUMENTS.get(command, [])]
        settings = {"FABULA_GRAPH": "neo4j", "FABULA_NEO4J_URI": "bolt://127.0.0.1:9"}
        arguments = (*command.split(), *words, "--db", str(db))
        if command in LOGGING:
            done = fabula(*arguments, cwd=tmp_path, **settings)
            code, said = done.returncode, done.stderr
        else:
            code, _, said = run(*arguments, **settings)
        assert (code, "Traceback" in said, files(tmp_path)) == (1, False, before)
        return said

    return said


@pytest.mark.parametrize("command", OPENING)
def test_every_command_refuses_a_database_of_another_program(
    refused: Callable[[str, Path], str], tmp_path: Path, command: str
) -> None:
    db = strangers_file(tmp_path)
    said = refused(command, db)
    assert f"VALIDATION_ERROR: {db} is a database of another program, not of Fabula.\n" in said
    assert "What to do: Nothing was written." in said


@pytest.mark.parametrize("what", STRANGERS)
def test_whatever_another_program_keeps_is_refused_and_left_alone(
    run: Run, tmp_path: Path, what: str
) -> None:
    db = strangers_file(tmp_path, what)
    before = files(tmp_path)
    done = run("story", "new", "灯", "--db", str(db), FABULA_LANG="zh")
    assert (done.code, "VALIDATION_ERROR" in done.err, "建议" in done.err) == (1, True, True)
    assert files(tmp_path)[db.name] == before[db.name]


def test_stories_are_moved_neither_from_nor_to_another_program(run: Run, tmp_path: Path) -> None:
    strange, own = strangers_file(tmp_path), tmp_path / "own.db"
    Memory(own).close()
    for source, target in ((strange, tmp_path / "new.db"), (own, strange)):
        done = run("move", "--from", str(source), "--to", str(target))
        assert (done.code, "of another program" in done.err) == (1, True)


@pytest.mark.parametrize("command", OPENING)
def test_every_command_says_so_of_what_is_no_database(
    refused: Callable[[str, Path], str], tmp_path: Path, command: str
) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear reader, " * 400)
    said = refused(command, letter)
    assert f"INTERNAL_ERROR: {letter} is damaged, or no database of Fabula.\n" in said
    assert "If another file was meant, name that." in said


def test_a_folder_and_a_place_below_a_file_are_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for db in (tmp_path, tmp_path / "file" / "fabula.db"):
        done = run("story", "list", "--db", str(db))
        assert (done.code, "VALIDATION_ERROR" in done.err, "What to do" in done.err) == (1, True, True)
