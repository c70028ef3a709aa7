"""`fabula export` and `fabula import` of whole stories."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fabula.memory import Memory
from postgres import place_at

Run = Callable[..., Any]
DB = ("--db", "novel.db")


@pytest.fixture
def told(tmp_path: Path) -> None:
    with Memory(place_at(tmp_path / "novel.db")) as memory:
        story = memory.story("海港", id="harbour")
        story.entity.create(type="character", name="江离", attributes={"age": 27})
        story.scene(0, 0, "雾。")


@pytest.mark.usefixtures("told")
def test_a_story_goes_out_and_comes_in_again(run: Run, tmp_path: Path) -> None:
    done = run("export", "海港", *DB)
    assert (done.code, done.out) == (0, "海港: 6 files written, 0 removed, 0 as they were.\n"), done.err
    assert (tmp_path / "海港/entities/character/江离.yaml").is_file()
    again = run("export", "harbour", "海港", *DB, FABULA_LANG="zh")
    assert again.out == "海港：写入 0 个文件，移除 0 个，6 个未变。\n"
    taken = run("import", "海港", *DB)
    assert taken.code == 0, taken.err
    assert re.search(r"Imported: 海港 \(.+\), 1 entities, 0 relations, 1 scenes\.", taken.out)
    with Memory(place_at(tmp_path / "novel.db")) as memory:
        assert [story.entity_count for story in memory.stories()] == [1, 1]


@pytest.mark.usefixtures("told")
@pytest.mark.parametrize("form", ["zip", "json"])
def test_a_story_in_one_file(run: Run, tmp_path: Path, form: str) -> None:
    done = run("export", "海港", "--format", form, *DB)
    assert (done.code, done.out) == (0, f"Written: 海港.{form}\n"), done.err
    file = tmp_path / f"海港.{form}"
    held = zipfile.ZipFile(file).namelist() if form == "zip" else list(json.loads(file.read_bytes()))
    assert "entities/character/江离.yaml" in held
    assert run("import", f"海港.{form}", *DB).code == 0
    assert run("import", "harbour", f"海港.{form}", *DB).err.startswith("CONFLICT: ")


@pytest.mark.long
@pytest.mark.usefixtures("told")
def test_a_bundle_of_a_story(run: Run, tmp_path: Path) -> None:
    assert run("export", "海港", "out.yaml", "--format", "bundle", *DB).code == 0
    text = (tmp_path / "out.yaml").read_text("utf-8")
    assert text == "- type: Character\n  name: 江离\n  attributes: {age: 27}\n"
    run("story", "new", "新", *DB)
    assert run("import", "新", "out.yaml", *DB).code == 0


@pytest.mark.usefixtures("told")
def test_files_of_somebody_else_are_replaced_only_when_asked(run: Run, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out/story.yaml").write_text("mine")
    refused = run("export", "海港", "out", *DB)
    assert (refused.code, refused.out) == (1, "")
    assert "--overwrite" in refused.err
    assert (tmp_path / "out/story.yaml").read_text() == "mine"
    assert run("export", "海港", "out", "--overwrite", *DB).code == 0
    assert "海港" in (tmp_path / "out/story.yaml").read_text("utf-8")


@pytest.mark.long
@pytest.mark.usefixtures("told")
def test_a_place_that_cannot_be_written_to_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    for words in (("file",), ("file/out",), ("nowhere/out.zip", "--format", "zip")):
        refused = run("export", "海港", *words, *DB)
        assert (refused.code, refused.err[:18]) == (1, "VALIDATION_ERROR: "), words
        assert "Traceback" not in refused.err


@pytest.mark.usefixtures("told")
def test_every_mistake_in_a_folder_is_shown_with_its_place(run: Run, tmp_path: Path) -> None:
    run("export", "海港", "out", *DB)
    (tmp_path / "out/story.yaml").write_text("fabula: 1\ntitle: 海\nlanguage: fr\n", "utf-8")
    (tmp_path / "out/entities/x.yaml").write_text("type: item\n", "utf-8")
    refused = run("import", "out", *DB)
    assert refused.code == 1
    assert "story.yaml, 3: language: " in refused.err
    assert "entities/x.yaml: name: Field required" in refused.err
    assert "BUNDLE_INVALID: " in refused.err
    assert "Traceback" not in refused.err


@pytest.mark.usefixtures("told")
def test_what_is_no_story_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "no.zip").write_bytes(b"nothing")
    for source in ("empty", "no.zip", "nowhere.zip"):
        refused = run("import", source, *DB)
        assert (refused.code, refused.err[:18]) == (1, "VALIDATION_ERROR: ")


@pytest.mark.usefixtures("told")
def test_the_folder_of_the_settings_follows(run: Run, tmp_path: Path) -> None:
    run("story", "new", "新", *DB, FABULA_EXPORT_DIR="shadow")
    assert (tmp_path / "shadow/新/story.yaml").is_file()
