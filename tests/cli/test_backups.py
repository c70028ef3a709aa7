"""`fabula backup`, `fabula restore`, and what `fabula doctor` says of a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from doors import everything
from fabula.memory import Memory

pytestmark = pytest.mark.sqlite_only(reason="the commands are tried on files")

Run = Callable[..., Any]


@pytest.fixture
def novel(tmp_path: Path) -> Path:
    with Memory(tmp_path / "novel.db") as memory:
        story = memory.story("雾港", id="story")
        people = [{"type": "character", "name": f"人{n}", "description": "灯" * 300} for n in range(60)]
        story.batch.upsert(entities=people, relations=[])
    return tmp_path / "novel.db"


@pytest.mark.long
def test_there_and_back(run: Run, novel: Path, tmp_path: Path) -> None:
    done = run("backup", "--db", str(novel))
    assert done.code == 0
    (backup,) = (tmp_path / "backups").iterdir()
    assert done.out.startswith(f"Written: {backup} (")
    assert "1 stories" in done.out
    done = run("restore", str(backup), "--db", "other.db", FABULA_LANG="zh")
    assert done.code == 0
    assert done.out.startswith("已还原：other.db，备份时间 ")
    assert everything(tmp_path / "other.db") == everything(novel)


@pytest.mark.long
def test_a_backup_goes_where_it_is_told_to_and_over_nothing(run: Run, novel: Path, tmp_path: Path) -> None:
    assert run("backup", "safe.backup", "--db", str(novel)).code == 0
    again = run("backup", "safe.backup", "--db", str(novel))
    assert (again.code, again.err.splitlines()[0]) == (1, "VALIDATION_ERROR: safe.backup is there already.")
    assert run("backup", "safe.backup", "--overwrite", "--db", str(novel)).code == 0
    over = run("restore", "safe.backup", "--db", str(novel))
    assert over.err.startswith(f"CONFLICT: {novel} is there already.")


@pytest.mark.long
def test_only_so_many_are_kept(run: Run, novel: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    for day in range(1, 5):
        (folder / f"fabula-2020010{day}T033000Z.backup").touch()
    done = run("backup", "--keep", "2", "--db", str(novel))
    assert done.code == 0
    assert done.out.splitlines()[1] == f"Removed: {folder / 'fabula-20200103T033000Z.backup'}"
    assert len(list(folder.iterdir())) == 2
    named = run("backup", "safe.backup", "--keep", "2", "--db", str(novel))
    assert (named.code, named.err.splitlines()[0][:40]) == (1, "VALIDATION_ERROR: --keep is for a folder")
    assert not (tmp_path / "safe.backup").exists()


@pytest.mark.long
def test_doctor_says_that_a_file_is_whole_and_where_its_backup_is(run: Run, novel: Path) -> None:
    assert "No backup is known." in run("doctor", "--db", str(novel)).out
    run("backup", "safe.backup", "--db", str(novel))
    done = run("doctor", "--db", str(novel))
    assert done.code == 0
    assert f"{novel}: the file is whole.\nThe newest backup is {novel.parent / 'safe.backup'}." in done.out


@pytest.mark.long
def test_doctor_finds_damage_and_ends_with_a_failure(run: Run, novel: Path) -> None:
    run("backup", "safe.backup", "--db", str(novel))
    size = novel.stat().st_size
    with novel.open("r+b") as file:
        file.seek(size // 2)
        file.write(b"\xa5" * 20_000)
    done = run("doctor", "--db", str(novel), COLUMNS="200")
    assert done.code == 1
    assert "the file is whole" not in done.out
    assert str(novel.parent / "safe.backup") in done.out + done.err
    assert "Traceback" not in done.err
