"""`fabula import`, `fabula schema` and `fabula ontology`: what they print, in two languages."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from fabula.cli.import_texts import IMPORT_TEXTS
from fabula.memory import Memory
from postgres import place_at

Run = Callable[..., Any]
LIBRARY = files("fabula.samples").joinpath("library.ontology.yaml").read_text("utf-8")
BUNDLE = """\
- {type: Character, name: Ann}
- {type: Item, name: Bell}
- {type: OWNS, source: {type: Character, name: Ann}, target: {type: Item, name: Bell}}
- {type: Item, action: delete, name: Oar}
"""


@pytest.fixture
def db(tmp_path: Path) -> Path:
    with Memory(place_at(tmp_path / "novel.db")) as memory:
        memory.story("Harbour", language="en")
    (tmp_path / "bundle.yaml").write_text(BUNDLE)
    return tmp_path / "novel.db"


@pytest.mark.long
def test_a_bundle_is_tried_and_imported_and_the_file_stays(run: Run, db: Path, tmp_path: Path) -> None:
    tried = run("import", "Harbour", "bundle.yaml", "--dry-run", "--db", str(db))
    assert (tried.code, tried.out.split(".")[0]) == (0, "Nothing was written")
    done = run("import", "Harbour", "bundle.yaml", "--db", str(db))
    assert done.code == 0
    assert "2 nodes (2 new, 0 deleted), 1 edges (1 new, 0 deleted)" in done.out
    assert "1 items to delete were not there" in done.out
    assert (tmp_path / "bundle.yaml").read_text() == BUNDLE
    (tmp_path / "bundle.json").write_text(json.dumps([{"type": "Item", "name": "𠮷"}]))
    assert run("import", "Harbour", "bundle.json", "--db", str(db)).code == 0
    said = run("import", "Harbour", "bundle.yaml", "--db", str(db), LANG="zh_CN.UTF-8")
    assert "2 个节点（新增 0，删除 0）" in said.out


def test_every_error_is_printed_with_its_line(run: Run, db: Path, tmp_path: Path) -> None:
    (tmp_path / "bundle.yaml").write_text("- {type: Human, name: Ann}\n\n- {type: Item}\n")
    refused = run("import", "Harbour", "bundle.yaml", "--db", str(db))
    assert refused.code == 1
    assert refused.err.splitlines()[:2] == [
        "1: Entity type 'Human' is not defined. Did you mean 'Character'?",
        '3: Validation error at [1].name: "name" is required',
    ]
    assert "BUNDLE_INVALID" in refused.err


def test_a_bundle_needs_a_story_and_a_file(run: Run, db: Path) -> None:
    assert "fabula import STORY FILE" in run("import", "bundle.yaml", "--db", str(db)).err
    assert "VALIDATION_ERROR" in run("import", "Harbour", "nothing.yaml", "--db", str(db)).err


def test_a_lorebook_is_recognised_tried_and_taken_in(run: Run, db: Path, tmp_path: Path) -> None:
    entries = [{"entryKey": "Mr Salt", "content": "Weighs names."}, {"entryKey": "Nothing"}]
    (tmp_path / "lore.json").write_text(json.dumps({"entries": entries}))
    tried = run("import", "Harbour", "lore.json", "--dry-run", "--db", str(db))
    assert tried.out.startswith("Nothing was written. Harbour would take in 1 entries")
    done = run("import", "Harbour", "lore.json", "--db", str(db))
    assert (done.code, done.out) == (0, "Harbour: 1 entries taken in, 0 there already.\n")
    assert done.err.startswith("2. Nothing: ")
    assert run("import", "lore.json", "--db", str(db), LANG="zh_CN.UTF-8").out.startswith(
        "《lore》：导入 1 个"
    )


def test_the_schema_is_shown_with_an_example(run: Run, db: Path) -> None:
    told = json.loads(run("schema", "Harbour", "--db", str(db)).out)
    assert told["full_bundle_schema"]["type"] == "array"
    assert told["example_yaml"].startswith("- type: Character")


@pytest.mark.long
def test_an_ontology_is_checked_set_and_shown(run: Run, db: Path, tmp_path: Path) -> None:
    (tmp_path / "library.yaml").write_text(LIBRARY)
    run("import", "Harbour", "bundle.yaml", "--db", str(db))
    checked = run("ontology", "check", "Harbour", "library.yaml", "--db", str(db))
    assert "Nothing was changed." in checked.out
    assert "New types: Document, Person, Organisation, REFERENCES" in checked.out
    assert "3 things in the story do not fit" in checked.out
    assert "item 'Bell' type: Entity type 'item' is not defined." in checked.out
    assert "nodes:\n  Character:" in run("ontology", "show", "Harbour", "--db", str(db)).out
    assert run("ontology", "set", "Harbour", "library.yaml", "--db", str(db)).code == 0
    assert run("ontology", "show", "Harbour", "--db", str(db)).out == LIBRARY
    (tmp_path / "library.yaml").write_text(LIBRARY.replace("identity: [email]", "identity: [mail]"))
    wrong = run("ontology", "set", "Harbour", "library.yaml", "--db", str(db))
    assert (wrong.code, "did you mean 'email'?" in wrong.err) == (1, True)


def test_every_text_exists_in_both_languages() -> None:
    for english, chinese in IMPORT_TEXTS.values():
        assert english.isascii()
        assert not chinese.isascii()
