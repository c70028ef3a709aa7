"""`fabula import` of a novel, `fabula extract`, `fabula jobs`: what they print, in two languages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from doors import rows
from fabula.memory import Memory

Run = Callable[..., Any]
PLAIN = {"FABULA_EMBEDDING_MODEL": "none"}
CHINESE = {**PLAIN, "FABULA_LANG": "zh"}
BODY = "林惊羽说道：“苏瑶，走吧。”苏瑶笑道：“好。”林惊羽看着苏瑶，没有再说话。\n"
NOVEL = "《雾港》\n\n第一章 灯\n\n" + BODY * 5 + "\n第二章 雨\n\n" + BODY * 5


def test_a_novel_is_stored_read_and_shown(run: Run, tmp_path: Path) -> None:
    file, db = tmp_path / "novel.txt", tmp_path / "fabula.db"
    file.write_bytes(NOVEL.encode("gb18030"))
    done = run("import", str(file), "--db", str(db), **PLAIN)
    assert done.code == 0, done.err
    assert "雾港: 2 chapters, 2 scenes (gb18030)." in done.out
    assert "林惊羽" in done.out
    assert "wait for review" in done.out
    again = run("import", str(file), "--db", str(db), **CHINESE)
    assert "《雾港》已经在库中" in again.out
    assert "并已读完" in again.out
    assert rows(db, "SELECT count(*) FROM stories") == [1]
    listed = run("jobs", "雾港", "--db", str(db), **PLAIN)
    assert "novel-reading" in listed.out
    assert "100%" in listed.out


def test_a_file_without_a_text_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text(" \n")
    refused = run("import", str(tmp_path / "empty.txt"), "--db", str(tmp_path / "fabula.db"), **PLAIN)
    assert (refused.code, "VALIDATION_ERROR" in refused.err) == (1, True)
    for content in (b"", b"\0" * 9, b"\x89PNG" + bytes(range(256)) * 40):
        (tmp_path / "picture.txt").write_bytes(content)
        refused = run("import", str(tmp_path / "picture.txt"), "--db", str(tmp_path / "fabula.db"), **PLAIN)
        assert (refused.code, "picture.txt" in refused.err) == (1, True)
    absent = run("import", str(tmp_path / "absent.txt"), "--db", str(tmp_path / "fabula.db"), **PLAIN)
    assert absent.code == 1


def test_saved_scenes_are_looked_through_once(run: Run, tmp_path: Path) -> None:
    db = tmp_path / "fabula.db"
    with Memory(db) as memory:
        story = memory.story("塔")
        for scene in range(2):
            story.scene(0, scene, BODY * 2)
    first = run("extract", "塔", "--db", str(db), **PLAIN)
    assert "2 scenes looked through" in first.out
    assert "林惊羽" in str(rows(db, "SELECT entity_name FROM entity_extractions"))
    again = run("extract", "塔", "--chapter", "0", "--scene", "1", "--db", str(db), **CHINESE)
    assert "读了 1 个场景：新增 0 条提议" in again.out
    nowhere = run("extract", "塔", "--chapter", "7", "--db", str(db), **PLAIN)
    assert (nowhere.code, "NOT_FOUND" in nowhere.err) == (1, True)


def test_a_job_is_stopped_by_its_id(run: Run, tmp_path: Path) -> None:
    db = tmp_path / "fabula.db"
    assert run("jobs", "--db", str(db), **CHINESE).out.strip() == "没有任务。"
    with Memory(db) as memory:
        memory.call().jobs.crew.stand_by(0)
        memory.story("塔").scene(0, 0, BODY)
        job = memory.call().jobs.page(memory.stories()[0].id, 0, 1).items[0]
    stopped = run("jobs", "--cancel", job.id, "--db", str(db), **PLAIN)
    assert "cancelled" in stopped.out
