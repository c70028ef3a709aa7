"""`fabula import` and `fabula export` with lorebooks and cards of other programs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Run = Callable[..., Any]
DB = ("--db", "novel.db")
CARD = {
    "spec": "chara_card_v2",
    "spec_version": "2.0",
    "data": {
        "name": "Mira",
        "description": "She keeps the lamp.",
        "character_book": {
            "name": "Lamps",
            "entries": [{"keys": ["oil"], "content": "It burns.", "enabled": True, "priority": 3}],
        },
    },
}


def test_a_card_comes_in_and_goes_out_again(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mira.json").write_text(json.dumps(CARD), "utf-8")
    trial = run("import", "mira.json", "--dry-run", *DB)
    assert trial.out.startswith("Nothing was written. Mira would take in 1 entries; 0 are there already.\n")
    done = run("import", "mira.json", *DB)
    assert done.code == 0, done.err
    assert "These fields work only in their program; they are kept: priority (1)" in done.out
    out = run("export", "Mira", "--format", "card-v2", *DB)
    assert (out.code, out.out) == (0, "Written: Lamps.json\n"), out.err
    assert json.loads((tmp_path / "Lamps.json").read_bytes()) == CARD
    again = run("import", "Mira", "mira.json", *DB, FABULA_LANG="zh")
    assert "已存在：Mira, oil" in again.out
    report = run("export", "Mira", "--format", "csv", "--book", "Lamps", "--report", *DB)
    assert report.out == "Nothing is lost in this format.\n"
    assert run("export", "Mira", "--format", "csv", "--book", "none", *DB).err.startswith(
        "VALIDATION_ERROR: "
    )
    asked = run("export", "Mira", "--format", "novelai", *DB)
    assert asked.code != 0
    assert "This story has 2 lorebooks with entries" in asked.err
    assert "Lamps (1)" in asked.err


def test_a_folder_of_notes_is_a_lorebook(run: Run, tmp_path: Path) -> None:
    (tmp_path / "notes" / ".obsidian").mkdir(parents=True)
    (tmp_path / "notes" / "Mira.md").write_text("---\naliases: [Mi]\n---\nShe waits.\n", "utf-8")
    (tmp_path / "notes" / ".obsidian" / "x.md").write_text("hidden", "utf-8")
    done = run("import", "notes", *DB)
    assert done.out.startswith("notes: 1 entries taken in, 0 there already.\nFormat: markdown\n"), done.err
