"""`fabula story`, `doctor` and `schemas`: what people look after their stories with."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from doors import rows
from fabula.memory import Memory
from fabula.operations.catalogue import CHANNELS
from postgres import place_at

Run = Callable[..., Any]
ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def _begin(run: Run, title: str, *options: str) -> str:
    done = run("story", "new", title, "--db", "novel.db", *options)
    assert done.code == 0, done.err
    assert title in done.out
    found = ID.search(done.out)
    assert found, done.out
    return found[0]


@pytest.mark.long
def test_stories_are_begun_listed_and_deleted(run: Run, tmp_path: Path) -> None:
    nothing = run("story", "list", "--db", "novel.db")
    assert "fabula story new" in nothing.out
    story = _begin(run, "海港")
    other = _begin(run, "A [/red] title of more than fifty characters, told twice over", "--language", "en")
    kept = "SELECT title, language FROM stories WHERE project_id=?"
    assert rows(tmp_path / "novel.db", kept, story) == [("海港", "zh")]
    listed = run("story", "list", "--db", "novel.db")
    assert story in listed.out
    assert other in listed.out
    assert "海港" in listed.out
    gone = run("story", "delete", story, "--yes", "--db", "novel.db")
    assert (gone.code, gone.out) == (0, "Deleted.\n")
    assert rows(tmp_path / "novel.db", "SELECT project_id FROM stories") == [other]


@pytest.mark.long
def test_a_deletion_is_asked_about(run: Run, tmp_path: Path) -> None:
    story = _begin(run, "海港")
    kept = run("story", "delete", story, "--db", "novel.db", stdin="n\n")
    assert kept.code == 0
    assert "海港" in kept.out
    assert "Nothing was deleted." in kept.out
    assert rows(tmp_path / "novel.db", "SELECT project_id FROM stories") == [story]
    gone = run("story", "delete", story, "--db", "novel.db", stdin="y\n", FABULA_LANG="zh")
    assert "已删除" in gone.out
    assert rows(tmp_path / "novel.db", "SELECT project_id FROM stories") == []


def test_a_story_that_does_not_exist_cannot_be_deleted(run: Run) -> None:
    done = run("story", "delete", "nowhere", "--yes", "--db", "novel.db")
    assert done.code == 1
    assert done.out == ""
    assert done.err.startswith("NOT_FOUND: There is no story 'nowhere'.\nWhat to do: ")
    assert "Traceback" not in done.err


@pytest.mark.parametrize("title", ["", "\u200b", "长" * 257])
def test_a_title_that_is_none_is_refused(run: Run, tmp_path: Path, title: str) -> None:
    done = run("story", "new", title, "--db", "novel.db")
    assert done.code == 1
    assert done.err.startswith("VALIDATION_ERROR: title: ")
    assert "What to do: " in done.err
    assert "Traceback" not in done.err
    assert rows(tmp_path / "novel.db", "SELECT * FROM stories") == []


def test_a_language_that_is_none_is_refused(run: Run) -> None:
    done = run("story", "new", "Brume", "--language", "fr", "--db", "novel.db")
    assert done.code == 2


def test_refusals_in_chinese(run: Run) -> None:
    done = run("story", "delete", "nowhere", "--yes", "--db", "novel.db", FABULA_LANG="zh")
    assert done.code == 1
    assert "建议：" in done.err


@pytest.mark.long
def test_the_database_of_the_settings_is_meant_without_db(run: Run, tmp_path: Path) -> None:
    run("story", "new", "海港", FABULA_DB=str(tmp_path / "set.db"))
    assert rows(tmp_path / "set.db", "SELECT title FROM stories") == ["海港"]
    (tmp_path / "fabula.toml").write_text('db = "written.db"\n')
    run("story", "new", "夜航")
    assert rows(tmp_path / "written.db", "SELECT title FROM stories") == ["夜航"]


@pytest.mark.long
def test_doctor_finds_a_sound_house(run: Run) -> None:
    _begin(run, "海[港]")
    done = run("doctor", "--db", "novel.db", FABULA_MAX_ENTITIES="1234")
    assert done.code == 0, done.err
    assert "海[港]: " in done.out
    assert "agree with the change log" in done.out
    assert "FABULA_MAX_ENTITIES" in done.out
    assert "1234" in done.out


@pytest.mark.long
def test_doctor_finds_rows_that_nobody_wrote(run: Run, tmp_path: Path) -> None:
    story = _begin(run, "海港")
    with Memory(place_at(tmp_path / "novel.db")) as memory:
        memory.answer("knowledge:entity:create", {"projectId": story, "type": "item", "name": "铃"})
    with closing(sqlite3.connect(tmp_path / "novel.db")) as connection, connection:
        connection.execute("UPDATE kg_entities SET description='偷改'")
    done = run("doctor", "--db", "novel.db")
    assert done.code == 1
    assert "disagree with the change log" in done.out


@pytest.mark.long
def test_schemas_are_written(run: Run, tmp_path: Path) -> None:
    done = run("schemas", "out.json")
    assert done.code == 0, done.err
    document = json.loads((tmp_path / "out.json").read_text("utf-8"))
    for operation in CHANNELS.values():
        assert document["$defs"][operation.request.__name__]["type"] == "object"
        assert document["$defs"][operation.response.__name__]["type"] == "object"
    first = (tmp_path / "out.json").read_bytes()
    run("schemas", "out.json")
    assert (tmp_path / "out.json").read_bytes() == first


BAD_SETTINGS = [
    ({"FABULA_MAX_ENTITIES": "many"}, "FABULA_MAX_ENTITIES"),
    ({"FABULA_MAX_ENTITIES": "-5"}, "FABULA_MAX_ENTITIES"),
    ({"FABULA_LOG_LEVEL": "loud"}, "FABULA_LOG_LEVEL"),
]


@pytest.mark.parametrize(("settings", "named"), BAD_SETTINGS)
def test_a_setting_that_is_none_is_named(
    run: Run, tmp_path: Path, settings: dict[str, str], named: str
) -> None:
    done = run("story", "list", "--db", "novel.db", **settings)
    assert done.code == 1
    assert done.err.startswith(f"VALIDATION_ERROR: {named} ")
    assert "What to do: " in done.err


@pytest.mark.parametrize("written", ["max_dragons = 5\n", "not toml at all", 'max_entities = "many"\n'])
def test_a_settings_file_that_is_none_is_named(run: Run, tmp_path: Path, written: str) -> None:
    (tmp_path / "fabula.toml").write_text(written)
    done = run("story", "list", "--db", "novel.db")
    assert done.code == 1
    assert done.err.startswith("VALIDATION_ERROR: ")
    assert "What to do: " in done.err
    assert "Traceback" not in done.err
