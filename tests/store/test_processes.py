"""Several processes on one file agree."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fabula.memory import Memory
from fabula.operations.stories import delete_story
from fabula.story_memory import StoryMemory
from forked import forked_python

pytestmark = pytest.mark.slow


STRICT_IPC = """
import warnings
from fabula.cli import main

warnings.simplefilter("error")
main()
"""


class Neighbour:
    """Another process on the same file, asked over `fabula ipc`."""

    def __init__(self, db: Path, errors: Path) -> None:
        with errors.open("wb") as sink:
            self._process = forked_python(
                STRICT_IPC, "ipc", "--db", str(db), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=sink
            )
        self._count = 0

    def ask(self, channel: str, **payload: Any) -> Any:
        """The data of an answer, or its error."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._count += 1
        message = {"id": self._count, "channel": f"knowledge:{channel}", "payload": payload}
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        assert answer["id"] == self._count
        return answer["data"] if answer["ok"] else answer["error"]

    def close(self) -> None:
        """Let it end by itself."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        assert self._process.wait(timeout=30) == 0
        assert self._process.stdout is not None
        self._process.stdout.close()


@pytest.fixture
def neighbour(memory: Memory, tmp_path: Path) -> Iterator[Neighbour]:
    other = Neighbour(memory.place, tmp_path / "errors.txt")
    yield other
    other.close()


def around(other: Neighbour, story: StoryMemory, center: str) -> tuple[set[str], set[str]]:
    found = other.ask("query:subgraph", projectId=story.id, centerEntityId=center, k=2)
    return {item["id"] for item in found["entities"]}, {item["id"] for item in found["relations"]}


def told(other: Neighbour, story: StoryMemory, excerpt: str) -> list[str]:
    found = other.ask("query:relevant", projectId=story.id, excerpt=excerpt, maxEntities=50)
    return [item["name"] for item in found["items"]]


def way(other: Neighbour, story: StoryMemory, source: str, target: str) -> list[str]:
    found = other.ask("query:path", projectId=story.id, sourceEntityId=source, targetEntityId=target)
    return list(found["pathEntityIds"])


def person(story: StoryMemory, name: str, **fields: Any) -> str:
    return str(story.entity.create(type="character", name=name, **fields).id)


def relate(story: StoryMemory, source: str, target: str) -> str:
    made = story.relation.create(source_entity_id=source, target_entity_id=target, relation_type="ally")
    return str(made.id)


def test_another_process_sees_every_change_as_it_happens(story: StoryMemory, neighbour: Neighbour) -> None:
    one, two = person(story, "林远", description="青云宗弟子"), person(story, "苏晴")
    assert around(neighbour, story, one) == ({one}, set())
    assert told(neighbour, story, "林远与苏晴在青云宗") == ["林远", "苏晴"]
    assert way(neighbour, story, one, two) == []

    bond = relate(story, one, two)
    assert around(neighbour, story, one) == ({one, two}, {bond})
    assert way(neighbour, story, one, two) == [one, two]
    assert neighbour.ask("query:validate", projectId=story.id)["cycles"] == []

    back = relate(story, two, one)
    (cycle,) = neighbour.ask("query:validate", projectId=story.id)["cycles"]
    assert cycle[0] == cycle[-1]
    assert set(cycle) == {one, two}

    version = story.entity.read(id=one).version
    story.entity.update(
        id=one,
        expected_version=version,
        patch={"name": "沈舟", "description": "渡口船夫", "aliases": ["老沈"]},
    )
    assert told(neighbour, story, "林远在青云宗") == []
    assert told(neighbour, story, "老沈") == ["沈舟"]
    assert told(neighbour, story, "渡口") == ["沈舟"]
    shown = neighbour.ask("query:subgraph", projectId=story.id, centerEntityId=two, k=1)["entities"]
    assert {item["name"] for item in shown} == {"沈舟", "苏晴"}

    story.entity.delete(id=two)
    assert around(neighbour, story, one) == ({one}, set())
    gone = neighbour.ask("query:subgraph", projectId=story.id, centerEntityId=two, k=1)
    assert gone["code"] == "NOT_FOUND"

    story.history.undo()
    assert around(neighbour, story, one) == ({one, two}, {bond, back})
    assert told(neighbour, story, "苏晴") == ["苏晴"]

    story.entity.update(
        id=two, expected_version=story.entity.read(id=two).version, patch={"ai_context_level": "never"}
    )
    assert told(neighbour, story, "苏晴") == []
    story.history.undo()
    story.history.undo(revision=story.history.list(id=back).items[-1].revision)
    assert told(neighbour, story, "苏晴") == ["苏晴"]
    assert around(neighbour, story, one) == ({one, two}, {bond})


def test_the_other_process_writes_and_this_one_sees_it(story: StoryMemory, neighbour: Neighbour) -> None:
    one = person(story, "林远")
    assert story.query.subgraph(center_entity_id=one).node_count == 1
    two = neighbour.ask("entity:create", projectId=story.id, type="character", name="苏晴")["id"]
    neighbour.ask(
        "relation:create", projectId=story.id, sourceEntityId=one, targetEntityId=two, relationType="ally"
    )
    assert {entity.id for entity in story.query.subgraph(center_entity_id=one).entities} == {one, two}
    neighbour.ask("history:undo", projectId=story.id)
    assert story.query.subgraph(center_entity_id=one).node_count == 1


def test_a_story_made_again_under_the_same_id_is_seen_as_the_new_one(
    memory: Memory, neighbour: Neighbour
) -> None:
    story = memory.story("初稿", id="same")
    old = [person(story, name) for name in ("林远", "苏晴", "沈舟")]
    relate(story, old[0], old[1])
    assert told(neighbour, story, "林远与苏晴") == ["林远", "苏晴"]
    assert around(neighbour, story, old[0])[0] == {old[0], old[1]}

    delete_story(memory.call(), project_id=story.id)
    assert neighbour.ask("query:relevant", projectId="same", excerpt="林远")["code"] == "NOT_FOUND"

    # As many steps as before, so that the number of the revision alone would deceive.
    again = memory.story("重写", id="same")
    new = [person(again, name) for name in ("白芷", "苏晴", "青禾")]
    relate(again, new[1], new[2])
    assert told(neighbour, again, "林远、白芷与苏晴") == ["白芷", "苏晴"]
    assert around(neighbour, again, new[1])[0] == {new[1], new[2]}
    assert neighbour.ask("query:subgraph", projectId="same", centerEntityId=old[0])["code"] == "NOT_FOUND"


WRITER = """
import sys
from pathlib import Path
from fabula.memory import Memory

with Memory(sys.argv[1]) as memory:
    story = memory.story("共写", id="shared")
    for number in range(int(sys.argv[3])):
        print(story.entity.create(type="character", name=f"{sys.argv[2]}-{number}").id, flush=True)
"""


def test_writers_in_four_processes_and_readers_beside_them(memory: Memory) -> None:
    writers, writes = 4, 50
    story = memory.story("共写", id="shared")
    hub = person(story, "中心")
    over = threading.Event()
    counts: list[list[int]] = [[], []]
    failures: list[BaseException] = []

    def keep_reading(seen: list[int]) -> None:
        try:
            while not over.is_set():
                seen.append(story.entity.list(limit=1).total_count)
                assert story.query.subgraph(center_entity_id=hub).node_count == 1
        except BaseException as error:
            failures.append(error)

    readers = [threading.Thread(target=keep_reading, args=[seen]) for seen in counts]
    for reader in readers:
        reader.start()
    processes = [
        forked_python(
            WRITER,
            str(memory.place),
            str(number),
            str(writes),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(writers)
    ]
    answers = [process.communicate(timeout=120) for process in processes]
    over.set()
    for reader in readers:
        reader.join()
    assert [stderr for _, stderr in answers] == [""] * writers
    assert failures == []
    assert all(seen and seen == sorted(seen) for seen in counts)
    acknowledged = {line for stdout, _ in answers for line in stdout.split()}
    assert len(acknowledged) == writers * writes
    assert acknowledged < {entity.id for entity in story.entity.list(limit=1000).items}
    steps = story.history.list(limit=1000)
    assert [step.revision for step in steps.items] == list(range(writers * writes + 2, 0, -1))
    assert memory.audit()[0].differing == ()
