"""A process that is killed in the middle of writing loses nothing that it was told is kept."""

from __future__ import annotations

import json
import random
import signal
import sqlite3
import subprocess
from pathlib import Path

import pytest

from fabula.memory import Memory
from fabula.store.place import DatabasePlace
from fabula.story_memory import StoryMemory
from forked import forked_python
from postgres import place_at

# Writes for ever and says each thing only after the answer is there.
WRITER = """
import json, sys
from fabula.memory import Memory

with Memory(sys.argv[1]) as memory:
    story = memory.story("长夜", id="story")
    number = story.entity.list(limit=1).total_count
    revision = story.history.list(limit=1).total_count

    def say(**what):
        print(json.dumps(what), flush=True)

    while True:
        number += 1
        entity = story.entity.create(type="character", name=f"人{sys.argv[2]}-{number}")
        say(id=entity.id, version=1, revision=(revision := revision + 1))
        changed = story.entity.update(id=entity.id, expected_version=1, patch={"description": "改" * 200})
        say(id=entity.id, version=2, revision=(revision := revision + 1))
        people = [{"type": "item", "name": f"物{sys.argv[2]}-{number}-{n}"} for n in range(20)]
        bonds = [
            {"sourceName": people[n]["name"], "targetName": people[n - 1]["name"], "relationType": "ally"}
            for n in range(20)
        ]
        made = story.batch.upsert(entities=people, relations=bonds)
        say(ids=[*made.entity_ids, *made.relation_ids], revision=(revision := revision + 1))
        if number % 2:
            story.history.undo()
            say(gone=[*made.entity_ids, *made.relation_ids], revision=(revision := revision + 1))
"""


def write_and_kill(db: DatabasePlace, generation: int, acknowledgements: int) -> list[dict[str, object]]:
    """What the writer said before it was killed, after at least this many times."""
    with forked_python(WRITER, str(db), str(generation), stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(acknowledgements)]
        process.send_signal(signal.SIGKILL)
        # What it managed to say until the signal reached it counts too, but for a line cut in two.
        rest = process.stdout.read().splitlines(keepends=True)
        assert process.wait() == -signal.SIGKILL
    lines = [json.loads(line) for line in said + rest if line.endswith("\n")]
    lines[-1]["last"] = True
    return lines


def check(db: DatabasePlace, said: list[dict[str, object]]) -> None:
    if isinstance(db, Path):
        with sqlite3.connect(db) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        connection.close()
    with Memory(db) as memory:
        story = StoryMemory(memory, "story")
        entities = {item.id: item.version for item in story.entity.list(limit=50_000).items}
        relations = {item.id: item.version for item in story.relation.list(limit=50_000).items}
        rows = entities | relations
        for number, what in enumerate(said):
            if "id" in what:
                assert rows[str(what["id"])] >= int(str(what["version"]))
            for key in what.get("ids", ()):
                later = said[number + 1 :]
                undone = any(key in other.get("gone", ()) for other in later)
                # An undo that was done but not yet acknowledged may have taken the last batch along.
                assert key in rows or undone or "last" in what
            for key in what.get("gone", ()):
                assert key not in rows
        (report,) = memory.audit()
        assert report.differing == ()
        steps = story.history.list(limit=1000)
        assert [step.revision for step in steps.items] == list(range(steps.total_count, 0, -1))
        assert steps.total_count >= max(int(str(what["revision"])) for what in said)


def kill_rounds(folder: Path, rounds: int, seed: int) -> None:
    chance = random.Random(seed)
    db, said = place_at(folder / "fabula.db"), list[dict[str, object]]()
    for generation in range(rounds):
        said += write_and_kill(db, generation, chance.randint(1, 30))
        check(db, said)
    with Memory(db) as memory:
        story = StoryMemory(memory, "story")
        after = story.entity.create(type="character", name="幸存者")
        assert story.entity.read(id=after.id).name == "幸存者"
        assert memory.audit()[0].differing == ()


@pytest.mark.slow
@pytest.mark.every_engine
def test_nothing_acknowledged_is_lost_when_the_writer_is_killed(tmp_path: Path) -> None:
    kill_rounds(tmp_path, rounds=4, seed=7)


@pytest.mark.slow
@pytest.mark.sqlite_only(reason="another engine keeps its own log of writes; once is enough there")
@pytest.mark.parametrize("seed", range(5))
def test_nothing_acknowledged_is_lost_however_often_the_writer_is_killed(tmp_path: Path, seed: int) -> None:
    kill_rounds(tmp_path, rounds=12, seed=seed)
