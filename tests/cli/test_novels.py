"""`fabula import` of a novel, `fabula extract`, `fabula jobs`: what they print, in two languages."""

from __future__ import annotations

import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from doors import environment, rows
from fabula.memory import Memory
from fabula.operations.manuscript.novel_import import ImportNovelRequest, import_novel
from forked import forked_python
from old_databases.opening import old_database
from waiting import PATIENCE

Run = Callable[..., Any]
PLAIN = {"FABULA_EMBEDDING_MODEL": "none"}
CHINESE = {**PLAIN, "FABULA_LANG": "zh"}
BODY = "林惊羽说道：“苏瑶，走吧。”苏瑶笑道：“好。”林惊羽看着苏瑶，没有再说话。\n"
NOVEL = "《雾港》\n\n第一章 灯\n\n" + BODY * 5 + "\n第二章 雨\n\n" + BODY * 5


@pytest.mark.long
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


@pytest.mark.long
def test_a_folder_of_chapters_is_a_novel_that_can_be_looked_at_first(run: Run, tmp_path: Path) -> None:
    folder, db = tmp_path / "雾港", tmp_path / "fabula.db"
    folder.mkdir()
    (folder / "10.txt").write_text("第十章 雨\n\n" + BODY * 5)
    (folder / "2.md").write_text("# 灯\n\n" + BODY * 5)
    tried = run("import", str(folder), "--dry-run", "--db", str(db), **PLAIN)
    assert (tried.code, "would have 2 chapters" in tried.out) == (0, True), tried.err
    assert rows(db, "SELECT count(*) FROM stories") == [0]
    done = run("import", str(folder), "--db", str(db), **PLAIN)
    assert "雾港: 2 chapters, 2 scenes (utf-8)." in done.out
    assert rows(db, "SELECT title FROM chapters ORDER BY chapter_index") == ["灯", "第十章 雨"]


@pytest.mark.long
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


@pytest.mark.long
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


@pytest.mark.long
def test_a_job_is_stopped_by_its_id(run: Run, tmp_path: Path) -> None:
    db = tmp_path / "fabula.db"
    assert run("jobs", "--db", str(db), **CHINESE).out.strip() == "没有任务。"
    with Memory(db) as memory:
        memory.call().jobs.crew.stand_by(0)
        memory.story("塔").scene(0, 0, BODY)
        job = memory.call().jobs.page(memory.stories()[0].id, 0, 1).items[0]
    stopped = run("jobs", "--cancel", job.id, "--db", str(db), **PLAIN)
    assert "cancelled" in stopped.out


@pytest.mark.long
def test_a_reading_that_was_cancelled_is_begun_again_by_the_same_command(run: Run, tmp_path: Path) -> None:
    file, db = tmp_path / "novel.txt", tmp_path / "fabula.db"
    file.write_text(NOVEL, "utf-8")
    with Memory(db) as memory:
        story = import_novel(memory.call(), ImportNovelRequest(text=NOVEL, title="雾港"))
        memory.call().jobs.cancel(str(story.task_id))
    done = run("import", str(file), "--title", "雾港", "--db", str(db), **PLAIN)
    assert (done.code, "going on where it was left" in done.out) == (0, True)
    assert "林惊羽" in done.out
    again = run("import", str(file), "--title", "雾港", "--db", str(db), **PLAIN)
    assert "read to the end" in again.out


@pytest.mark.slow
def test_a_reading_that_was_killed_again_and_again_goes_on(run: Run, tmp_path: Path) -> None:
    file, db = tmp_path / "novel.txt", tmp_path / "fabula.db"
    file.write_text(NOVEL, "utf-8")
    killed = "import os\nfrom fabula.operations.manuscript import novel_reading\n" + (
        "novel_reading.weighed = lambda *_: os.kill(os.getpid(), 9)\nfrom fabula.cli import main\nmain()"
    )
    arguments = ("import", str(file), "--title", "雾港", "--db", str(db))
    for _ in range(6):
        with forked_python(killed, *arguments, env=environment(**PLAIN), stdout=subprocess.DEVNULL) as died:
            assert died.wait(PATIENCE) == -9
    done = run("import", str(file), "--title", "雾港", "--db", str(db), **PLAIN)
    assert (done.code, "林惊羽" in done.out) == (0, True)
    assert rows(db, "SELECT status FROM jobs") == ["done"]


@pytest.mark.long
def test_doctor_finds_what_jobs_left_behind_and_repairs_it(run: Run, tmp_path: Path) -> None:
    db = tmp_path / "fabula.db"
    with Memory(db) as memory:
        for title in ("雾港", "读过"):
            job = str(import_novel(memory.call(), ImportNovelRequest(text=NOVEL, title=title)).task_id)
            if title == "读过":
                memory.call().jobs.crew.run_due()
            memory.call().jobs.cancel(job)
    with closing(sqlite3.connect(db)) as old:  # as a Fabula does that is older, and still running
        old.execute("INSERT INTO job_parts SELECT project_id, id, 3, x'00' FROM jobs")
        old.commit()
    found = run("doctor", "--db", str(db), **PLAIN)
    assert (found.code, found.out.count("1 parts of jobs")) == (1, 2)
    assert found.out.count("not read to the end") == 1
    assert rows(db, "SELECT count(*) FROM job_parts") == [2]
    mended = run("doctor", "--repair", "--db", str(db), **CHINESE)
    assert (mended.code, mended.out.count("残留已清除"), mended.out.count("已排入队列")) == (0, 2, 1)
    assert rows(db, "SELECT count(*) FROM job_parts") == [0]
    assert rows(db, "SELECT status FROM jobs ORDER BY created_at") == ["cancelled", "done", "queued"]
    sound = run("doctor", "--db", str(db), **PLAIN)
    assert (sound.code, "not read" in sound.out, "left behind" in sound.out) == (0, False, False)
    with Memory(db) as memory:
        memory.call().jobs.crew.run_due()
    assert rows(db, "SELECT DISTINCT stage FROM novel_readings") == ["read"]


@pytest.mark.long
def test_doctor_finds_an_old_database_healed_and_names_the_novels_that_are_unread(
    run: Run, tmp_path: Path
) -> None:
    db = str(old_database("unread_novels", tmp_path))
    found = run("doctor", "--db", db, **PLAIN)
    assert (found.code, "left behind" in found.out) == (0, False)
    assert found.out.count("not read to the end") == 5
    mended = run("doctor", "--repair", "--db", db, **PLAIN)
    assert (mended.code, mended.out.count("That is queued")) == (0, 5)
    with Memory(db) as memory:
        memory.call().jobs.crew.run_due()
    assert "not read" not in run("doctor", "--db", db, **PLAIN).out
    assert rows(Path(db), "SELECT DISTINCT entity_count FROM stories") == [2]
