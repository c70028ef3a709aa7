"""A file in which bits are wrong: it is said, and the backup brings everything back."""

from __future__ import annotations

import random
import shutil
from collections import Counter
from pathlib import Path

import pytest

from doors import everything, fabula, serving
from fabula.errors import DatabaseDamaged, FabulaError
from fabula.memory import Memory, restore_memory
from fabula.store.kinds import KINDS
from fabula.store.rowkind import Row
from faulty import Tell, rounds

pytestmark = pytest.mark.sqlite_only(reason="the file itself is damaged")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with Memory(tmp_path / "fabula.db") as memory:
        story = memory.story("雾港", id="story")
        people = [{"type": "character", "name": f"人{n}", "description": "灯塔" * 50} for n in range(60)]
        story.batch.upsert(entities=people, relations=[])
        memory.backup(tmp_path / "safe.backup")
    return tmp_path / "fabula.db"


def told(path: Path) -> list[Row]:
    """Everything of all stories that an author can have written."""
    with Memory(path) as memory, memory.call().store.read() as reader:
        return [kind.image(row) for kind in KINDS.values() for row in reader.rows_of(kind, "story")]


def test_bits_flipped_anywhere(path: Path, tell: Tell) -> None:
    before, whole = told(path), path.read_bytes()
    chance, found, count = random.Random(5), Counter[str](), rounds(40, 400)
    for number in range(count):
        damaged = bytearray(whole)
        for _ in range(chance.choice((1, 1, 8, 64))):
            damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
        copy = path.with_name(f"damaged-{number}.db")
        copy.write_bytes(damaged)
        how = _looked_through(copy)
        if how == "harmless":
            assert told(copy) == before, "damage that nobody noticed"
        found[how] += 1
        copy.unlink()
    assert found["refused at opening"] + found["found by doctor"] > count / 4
    tell(
        f"bits of the file flipped, {count} times",
        ", ".join(f"{n} {how}" for how, n in sorted(found.items())),
    )


def _looked_through(path: Path) -> str:
    """How damage shows: when the file is opened, when it is looked through, or not at all."""
    try:
        memory = Memory(path)
    except FabulaError:
        return "refused at opening"
    with memory:
        try:
            wrong = memory.complaints() or [one for report in memory.audit() for one in report.differing]
        except FabulaError:
            return "found by doctor"
        return "found by doctor" if wrong else "harmless"


@pytest.mark.parametrize("how", ["header", "cut", "zeroed", "inside"])
def test_the_way_back(path: Path, tmp_path: Path, tell: Tell, how: str) -> None:
    before, size = everything(path), path.stat().st_size
    with path.open("r+b") as file:
        if how == "cut":
            file.truncate(size // 2)
        else:
            file.seek({"header": 0, "zeroed": 4096, "inside": size // 3}[how])
            file.write(b"\0" * (size // 3) if how == "zeroed" else b"\xa5" * 5000)
    done = fabula("serve", "--port", "0", "--db", str(path), cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith(f"INTERNAL_ERROR: {path} is damaged")
    assert f"fabula restore {tmp_path / 'safe.backup'}" in done.stderr
    assert "Traceback" not in done.stderr
    restored = tmp_path / "restored.db"
    restore_memory(tmp_path / "safe.backup", restored)
    assert everything(restored) == before
    tell(f"file damaged ({how}), server refuses, backup restored", "the same rows as before")


def test_damaged_while_it_is_served(path: Path, tmp_path: Path, tell: Tell) -> None:
    shutil.copy(path, tmp_path / "whole.db")
    with serving(tmp_path) as server:
        assert server.client.get("/api/v2/stories/story").status_code == 200
        pages = path.stat().st_size // 4096
        with path.open("r+b") as file:
            for page in range(1, pages):
                file.seek(page * 4096)
                file.write(b"\xa5" * 64)
        answers = {server.client.get("/api/v2/stories").status_code for _ in range(10)}
        assert answers <= {200, 500}
        assert server.client.get("/api/v2/health").status_code == 200, "the server itself lives"
        server.end()
        assert not any("Traceback" in line for line in server.lines)
    with pytest.raises(DatabaseDamaged):
        _opened_and_read(path)
    tell("file damaged while it is served", "errors are told, the server lives")


def _opened_and_read(path: Path) -> None:
    with Memory(path) as memory:
        memory.audit()
