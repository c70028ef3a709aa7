"""`fabula story`, `doctor` and `schemas`: what people look after their stories with."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from doors import fabula, rows
from fabula.operations.catalogue import OPERATIONS

ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def _begin(folder: Path, title: str, *options: str) -> str:
    done = fabula("story", "new", title, "--db", "novel.db", *options, cwd=folder)
    assert done.returncode == 0, done.stderr
    assert title in done.stdout
    found = ID.search(done.stdout)
    assert found, done.stdout
    return found[0]


def test_stories_are_begun_listed_and_deleted(tmp_path: Path) -> None:
    nothing = fabula("story", "list", "--db", "novel.db", cwd=tmp_path)
    assert "fabula story new" in nothing.stdout
    story = _begin(tmp_path, "海港")
    other = _begin(
        tmp_path, "A night voyage [/red] of more than fifty characters, told twice", "--language", "en"
    )
    kept = "SELECT title, language FROM stories WHERE project_id=?"
    assert rows(tmp_path / "novel.db", kept, story) == [("海港", "zh")]
    listed = fabula("story", "list", "--db", "novel.db", cwd=tmp_path)
    assert story in listed.stdout
    assert other in listed.stdout
    assert "海港" in listed.stdout
    gone = fabula("story", "delete", story, "--yes", "--db", "novel.db", cwd=tmp_path)
    assert (gone.returncode, gone.stdout) == (0, "Deleted.\n")
    assert rows(tmp_path / "novel.db", "SELECT project_id FROM stories") == [other]


def test_a_deletion_is_asked_about(tmp_path: Path) -> None:
    story = _begin(tmp_path, "海港")
    kept = fabula("story", "delete", story, "--db", "novel.db", cwd=tmp_path, stdin="n\n")
    assert kept.returncode == 0
    assert "海港" in kept.stdout
    assert "Nothing was deleted." in kept.stdout
    assert rows(tmp_path / "novel.db", "SELECT project_id FROM stories") == [story]
    gone = fabula("story", "delete", story, "--db", "novel.db", cwd=tmp_path, stdin="y\n", FABULA_LANG="zh")
    assert "已删除" in gone.stdout
    assert rows(tmp_path / "novel.db", "SELECT project_id FROM stories") == []


def test_a_story_that_does_not_exist_cannot_be_deleted(tmp_path: Path) -> None:
    done = fabula("story", "delete", "nowhere", "--yes", "--db", "novel.db", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("NOT_FOUND: There is no story 'nowhere'.\nWhat to do: ")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("title", ["", "\u200b", "长" * 257])
def test_a_title_that_is_none_is_refused(tmp_path: Path, title: str) -> None:
    done = fabula("story", "new", title, "--db", "novel.db", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("VALIDATION_ERROR: title: ")
    assert "What to do: " in done.stderr
    assert "Traceback" not in done.stderr
    assert rows(tmp_path / "novel.db", "SELECT * FROM stories") == []


def test_a_language_that_is_none_is_refused(tmp_path: Path) -> None:
    done = fabula("story", "new", "Brume", "--language", "fr", "--db", "novel.db", cwd=tmp_path)
    assert done.returncode == 2


def test_refusals_in_chinese(tmp_path: Path) -> None:
    done = fabula("story", "delete", "nowhere", "--yes", "--db", "novel.db", cwd=tmp_path, FABULA_LANG="zh")
    assert done.returncode == 1
    assert "建议：" in done.stderr


def test_the_database_of_the_settings_is_meant_without_db(tmp_path: Path) -> None:
    fabula("story", "new", "海港", cwd=tmp_path, FABULA_DB=str(tmp_path / "set.db"))
    assert rows(tmp_path / "set.db", "SELECT title FROM stories") == ["海港"]
    (tmp_path / "fabula.toml").write_text('db = "written.db"\n')
    fabula("story", "new", "夜航", cwd=tmp_path)
    assert rows(tmp_path / "written.db", "SELECT title FROM stories") == ["夜航"]


def test_doctor_finds_a_sound_house(tmp_path: Path) -> None:
    _begin(tmp_path, "海[港]")
    done = fabula("doctor", "--db", "novel.db", cwd=tmp_path, FABULA_MAX_ENTITIES="1234", COLUMNS="160")
    assert done.returncode == 0, done.stderr
    assert "海[港]: " in done.stdout
    assert "agree with the change log" in done.stdout
    assert "FABULA_MAX_ENTITIES" in done.stdout
    assert "1234" in done.stdout


def test_doctor_finds_rows_that_nobody_wrote(tmp_path: Path) -> None:
    story = _begin(tmp_path, "海港")
    line = {
        "channel": "knowledge:entity:create",
        "payload": {"projectId": story, "type": "item", "name": "铃"},
    }
    fabula("ipc", "--db", "novel.db", cwd=tmp_path, stdin=json.dumps(line) + "\n")
    with closing(sqlite3.connect(tmp_path / "novel.db")) as connection, connection:
        connection.execute("UPDATE kg_entities SET description='偷改'")
    done = fabula("doctor", "--db", "novel.db", cwd=tmp_path)
    assert done.returncode == 1
    assert "disagree with the change log" in done.stdout


def test_schemas_are_written(tmp_path: Path) -> None:
    done = fabula("schemas", "out.json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    document = json.loads((tmp_path / "out.json").read_text("utf-8"))
    for operation in OPERATIONS.values():
        assert document["$defs"][operation.request.__name__]["type"] == "object"
        assert document["$defs"][operation.response.__name__]["type"] == "object"
    first = (tmp_path / "out.json").read_bytes()
    fabula("schemas", "out.json", cwd=tmp_path)
    assert (tmp_path / "out.json").read_bytes() == first


BAD_SETTINGS = [
    ({"FABULA_MAX_ENTITIES": "many"}, "FABULA_MAX_ENTITIES"),
    ({"FABULA_MAX_ENTITIES": "-5"}, "FABULA_MAX_ENTITIES"),
    ({"FABULA_LOG_LEVEL": "loud"}, "FABULA_LOG_LEVEL"),
]


@pytest.mark.parametrize(("settings", "named"), BAD_SETTINGS)
def test_a_setting_that_is_none_is_named(tmp_path: Path, settings: dict[str, str], named: str) -> None:
    done = fabula("story", "list", "--db", "novel.db", cwd=tmp_path, **settings)
    assert done.returncode == 1
    assert done.stderr.startswith(f"VALIDATION_ERROR: {named} ")
    assert "What to do: " in done.stderr


@pytest.mark.parametrize("written", ["max_dragons = 5\n", "not toml at all", 'max_entities = "many"\n'])
def test_a_settings_file_that_is_none_is_named(tmp_path: Path, written: str) -> None:
    (tmp_path / "fabula.toml").write_text(written)
    done = fabula("story", "list", "--db", "novel.db", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("VALIDATION_ERROR: ")
    assert "What to do: " in done.stderr
    assert "Traceback" not in done.stderr
